"""A network for Stable Times that sees horses as horses: the same weights for each slot, stall, aisle and field.

What it learns of a horse in one place it knows of it in all, and of horses that it never met by their features. It is
told how the own points change with each horse at hand in each own aisle, alone and with a second one. What a placement
promises beyond points it learns, and a placement's or a swap's logit is what the best turn that begins so is worth: its
points and the promises of its horses.
"""

from __future__ import annotations

from typing import Any

import torch
from stable_baselines3.common.type_aliases import Schedule
from torch import Tensor, nn

from stabletimes_env.sets import HORSE_FEATURES, HORSE_LAYOUT, NUM_AISLES, STALLS
from stabletimes_env.state import ACTION_LAYOUT, HAND, NEIGHBOURS, NUM_FIELDS

from ..training.networks import MaskedPolicy
from .gains import outlook, own_needs, part_of
from .sizes import AISLE, AROUND, CHOICE, HEAD, HEADS, HORSE, HORSE_PARTS, IN_AISLE, REST, TABLE, TAKEN

TEN_POINTS = 3.0
"""What they are worth in logits, to begin with."""


class StableNetwork(nn.Module):
    """Maps observations to logits (the policy's latent) and to what is made of the table (the value's)."""

    latent_dim_pi = ACTION_LAYOUT.size
    latent_dim_vf = TABLE

    def __init__(self) -> None:
        super().__init__()
        self.horse = nn.Sequential(nn.Linear(HORSE_FEATURES, HORSE), nn.ReLU())
        self.aisle = nn.Sequential(nn.Linear(IN_AISLE, AISLE), nn.ReLU())
        self.table = nn.Sequential(nn.Linear(AROUND, TABLE), nn.ReLU(), nn.Linear(TABLE, TABLE), nn.ReLU())
        self.deck = nn.Parameter(torch.zeros(CHOICE))
        self.exchange = _Head(HEADS["exchange"])
        self.cover = _Head(HEADS["cover"])
        self.place = _Head(HEADS["place"])
        self.discard = _Head(HEADS["discard"])
        self.stop = nn.Linear(TABLE, 1)
        self.points = nn.Parameter(torch.tensor(TEN_POINTS))
        self.taken: Tensor
        self.places: Tensor
        self.register_buffer("taken", torch.tensor(TAKEN), persistent=False)
        self.register_buffer("places", torch.eye(NUM_AISLES), persistent=False)

    def forward(self, observation: Tensor) -> tuple[Tensor, Tensor]:
        """Return (m, actions) logits and (m, TABLE) features for the value."""
        size = len(observation)
        seats = max(int(part_of(observation, "seats").sum(dim=1).max()), 1)
        seen = {part: part_of(observation, part) for part in HORSE_PARTS}
        seen["stables"] = seen["stables"][:, :seats]  # nobody sits at the others
        seen["shown"] = seen["shown"][:, : seats - 1]
        there = part_of(observation, "seats")[:, 1:seats, None]
        made: dict[str, Tensor] = {part: self.horse(features) for part, features in seen.items()}
        choices = torch.cat([seen["hand"], seen["fields"][:, :, 0]], dim=1)
        ahead = outlook(observation)
        told = torch.cat([made["hand"], made["fields"][:, :, 0]], dim=1)
        told = torch.cat([told, ahead.gains, ahead.changes, ahead.fits, own_needs(observation, choices)], dim=2)
        hand, tops = told[:, :HAND], told[:, HAND:]
        aisles = self._own_aisles(observation, made["stables"])
        around = [
            observation[:, REST:],
            told,
            aisles,
            made["fields"].mean(dim=2),
            _for_all_seats(self._others(seen["stables"][:, 1:], made["stables"][:, 1:]) * there),
            _for_all_seats(made["shown"].mean(dim=2) * there),
            ahead.most_points().stay,
        ]
        table = self.table(torch.cat([part.flatten(1) for part in around], dim=1))
        sources = torch.cat([tops, self.deck.expand(size, 1, CHOICE)], dim=1)
        whole = table[:, None, None]
        gain = torch.stack([ahead.gains, ahead.changes, ahead.fits], dim=3)
        promise = self.place(horse=told[:, :, None], aisle=aisles[:, None], gain=gain, table=whole)
        turns = ahead.turns(self.points, promise)
        exchange = turns.swaps - turns.stay[:, None]
        exchange = exchange + self.exchange(horse=hand[:, :, None], taken=sources[:, None], table=whole)
        cover = self.cover(horse=hand[:, :, None], covered=tops[:, None], table=whole)
        logits = [
            exchange[:, :, self.taken].view(size, HAND, NUM_FIELDS, -1) + cover[..., None],
            turns.plans,
            self.discard(horse=hand[:, :, None], covered=tops[:, None], table=whole),
            self.stop(table),
        ]
        return torch.cat([part.flatten(1) for part in logits], dim=1), table

    def forward_actor(self, observation: Tensor) -> Tensor:
        return self.forward(observation)[0]

    def forward_critic(self, observation: Tensor) -> Tensor:
        return self.forward(observation)[1]

    def _own_aisles(self, observation: Tensor, stables: Tensor) -> Tensor:
        """Return (m, aisles, AISLE): what stands in each own aisle, its type and its place."""
        places = self.places.expand(len(observation), NUM_AISLES, NUM_AISLES)
        types = part_of(observation, "aisle_types")[:, 0]
        made: Tensor = self.aisle(torch.cat([stables[:, 0].flatten(2), types, places], dim=2))
        return made

    def _others(self, seen: Tensor, made: Tensor) -> Tensor:
        """Return (m, others, HORSE + 2 * aisles): what stands in each other stable, and how full its aisles are."""
        filled = seen[..., HORSE_LAYOUT.slice("type")].sum(dim=(3, 4)) / STALLS
        return torch.cat([made.mean(dim=(2, 3)), filled, (filled == 1).float()], dim=2)


class _Head(nn.Module):
    """A logit for each combination of what an action is about: the parts are added, broadcast, after one layer."""

    def __init__(self, widths: dict[str, int]) -> None:
        super().__init__()
        self.parts = nn.ModuleDict({name: nn.Linear(width, HEAD) for name, width in widths.items()})
        self.out = nn.Linear(HEAD, 1)

    def forward(self, **about: Tensor) -> Tensor:
        layers = [self.parts[name](value) for name, value in about.items()]
        hidden = layers[0]
        for layer in layers[1:]:
            hidden = hidden + layer
        logits: Tensor = self.out(torch.relu(hidden)).squeeze(-1)
        return logits


def _for_all_seats(made: Tensor) -> Tensor:
    """Return (m, NEIGHBOURS, width): zeros for seats where nobody sits."""
    return torch.nn.functional.pad(made, (0, 0, 0, NEIGHBOURS - made.shape[1]))


class StablePolicy(MaskedPolicy):
    """MaskablePPO's policy with :class:`StableNetwork` for Stable Times."""

    def _build_mlp_extractor(self) -> None:
        self.mlp_extractor: Any = StableNetwork()

    def _build(self, lr_schedule: Schedule) -> None:
        super()._build(lr_schedule)
        made = self.mlp_extractor
        for head in (made.exchange, made.cover, made.place, made.discard):
            nn.init.orthogonal_(head.out.weight, gain=0.01)
        nn.init.orthogonal_(self.mlp_extractor.stop.weight, gain=0.01)
        self.action_net = nn.Identity()  # the network's latent for the policy is its logits
        kwargs: dict[str, Any] = self.optimizer_kwargs
        self.optimizer = self.optimizer_class(self.parameters(), **{"lr": lr_schedule(1), **kwargs})
