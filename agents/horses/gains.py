"""What placements and whole turns bring to the own stable, from the observation alone, for many positions at once."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from stabletimes_env.sets import BOARD_LAYOUT, HORSE_LAYOUT, NUM_AISLES, NUM_DISCIPLINES, NUM_TYPES
from stabletimes_env.state import HAND, NUM_FIELDS

from .counting import CHOICES, LAYOUT, NEVER, NUM_STALLS, PAIRS, T_PAIRS, tell
from .sizes import FIRSTS, SECONDS


@dataclass(frozen=True)
class Outlook:
    """What placements bring, in tens of points.

    Attributes:
        fits: (m, CHOICES, aisles), 1 where a horse fits (S10, S11).
        gains: (m, CHOICES, aisles), what the horse itself would score there (S34, S35), 0 where it does not fit.
        changes: (m, CHOICES, aisles), the change of the own points with the horse there (S18, S20), 0 as well.
        pairs: (m, PAIRS, aisles, aisles), the change with both of a pair, the first one's aisle first; NEVER where they
            do not both fit, and where both can no longer come: of the hand after the turn's first placement, of the
            fields after the swap.
    """

    fits: Tensor
    gains: Tensor
    changes: Tensor
    pairs: Tensor

    def turns(self, weight: float | Tensor, promise: Tensor) -> Turns:
        """Return what turns are worth at most, where ten points are worth ``weight`` and each placement promises more.

        Args:
            promise: (m, CHOICES, aisles).
        """
        single = (weight * self.changes + promise).masked_fill(self.fits == 0, NEVER)
        pairs = weight * self.pairs + promise[:, FIRSTS, :, None] + promise[:, SECONDS, None]
        return best_turns(single, pairs.masked_fill(self.pairs == NEVER, NEVER))

    def most_points(self) -> Turns:
        """Return what turns bring at most, in tens of points."""
        return best_turns(self.changes.masked_fill(self.fits == 0, NEVER), self.pairs)


def outlook(observation: Tensor) -> Outlook:
    """Return what placements bring to the own stables of (m, size) observations."""
    rows = np.ascontiguousarray(observation.detach().cpu().numpy())
    whole = torch.as_tensor(tell(rows, torch.get_num_threads()), device=observation.device)
    fits, gains, changes = whole[:, :T_PAIRS].view(-1, 3, CHOICES, NUM_AISLES).unbind(dim=1)
    return Outlook(fits, gains, changes, whole[:, T_PAIRS:].view(-1, len(PAIRS), NUM_AISLES, NUM_AISLES))


@dataclass(frozen=True)
class Turns:
    """The most that the placements of a turn are worth.

    Attributes:
        plans: (m, HAND, aisles), with a horse of the hand in an aisle first.
        swaps: (m, HAND, fields + 1), with a horse of the hand exchanged for the top one of a field, or, in the last
            column, given away for one that nobody knows.
        stay: (m, 1), with the hand as it is.
    """

    plans: Tensor
    swaps: Tensor
    stay: Tensor


def best_turns(single: Tensor, pairs: Tensor) -> Turns:
    """Return what turns are worth at most, where placements are worth ``single`` and ``pairs`` (see :class:`Outlook`).

    Placing nothing is worth nothing, where nothing fits.
    """
    both = dict(zip(PAIRS, pairs.unbind(dim=1), strict=True))
    plans = [
        torch.stack([single[:, slot], *(
            both[min(slot, other), max(slot, other)].amax(dim=2 if slot < other else 1)
            for other in range(HAND) if other != slot
        )]).amax(dim=0)
        for slot in range(HAND)
    ]  # fmt: skip
    alone = single.amax(dim=2)
    together = {pair: value.amax(dim=(1, 2)) for pair, value in both.items()}

    def most(*hand: int) -> Tensor:
        worth = [alone[:, one] for one in hand] + [together[pair] for pair in itertools.combinations(hand, 2)]
        best = torch.stack(worth).amax(dim=0)
        return torch.where(best > NEVER / 2, best, 0)

    kept = [[other for other in range(HAND) if other != slot] for slot in range(HAND)]
    swaps = [most(*hand, *taken) for hand in kept for taken in [*([HAND + field] for field in range(NUM_FIELDS)), []]]
    return Turns(
        torch.stack(plans, dim=1),
        torch.stack(swaps, dim=1).view(-1, HAND, NUM_FIELDS + 1),
        most(*range(HAND))[:, None],
    )


def own_needs(observation: Tensor, horses: Tensor) -> Tensor:
    """Return (m, k, NEEDS) of what each horse is to the own stable as a whole.

    Whether it completes a set of disciplines (S20), how far its discipline is ahead of the scarcest, whether it has
    one, and whether it is of the board's preferred type (S18).
    """
    counts = NUM_STALLS * part_of(observation, "disciplines")[:, 0]  # (m, disciplines)
    least = counts.min(dim=1, keepdim=True).values
    own = _feature(horses, "discipline")[..., :NUM_DISCIPLINES]
    completes = (counts[:, None] + own).min(dim=2).values - least
    ahead = ((counts - least)[:, None] * own).sum(dim=2) / NUM_AISLES
    preferred = part_of(observation, "boards")[:, 0, None, BOARD_LAYOUT.slice("type")]
    wanted = (preferred * _feature(horses, "type")[..., :NUM_TYPES]).sum(dim=2)
    return torch.stack([completes, ahead, own.sum(dim=2), wanted], dim=2)


def part_of(observation: Tensor, name: str) -> Tensor:
    """Return a part of (m, size) observations in its own shape, (m, *shape)."""
    part = next(part for part in LAYOUT.parts if part.name == name)
    return observation[:, LAYOUT.slice(name)].view(-1, *part.dims)


def _feature(horses: Tensor, name: str) -> Tensor:
    return horses[..., HORSE_LAYOUT.slice(name)]
