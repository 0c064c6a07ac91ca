"""The network for Stable Times in NumPy: what :mod:`agents.horses.network` computes, for playing alone."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stabletimes_env.sets import BOARD_LAYOUT, HORSE_LAYOUT, NUM_AISLES, NUM_DISCIPLINES, NUM_TYPES, STALLS
from stabletimes_env.state import HAND, NEIGHBOURS, NUM_FIELDS

from ..policies.policy_file import PolicyFile
from .counting import CHOICES, LAYOUT, NEVER, NUM_STALLS, PAIRS, T_PAIRS, tell
from .sizes import FIRSTS, HORSE_PARTS, REST, SECONDS, TAKEN, shapes

Float = NDArray[np.float32]

PAIR = {pair: number for number, pair in enumerate(PAIRS)}


@dataclass(frozen=True)
class _Seen:
    """What is made of (m, size) observations before the heads look at it."""

    told: Float  # (m, CHOICES, CHOICE)
    aisles: Float  # (m, aisles, AISLE)
    fits: Float  # (m, CHOICES, aisles), as gains and changes
    gains: Float
    changes: Float
    pairs: Float  # (m, PAIRS, aisles, aisles)
    table: Float  # (m, TABLE)


class StableNumpy:
    """Maps observations to logits and to values.

    Args:
        file: of a network ``horses``.

    Raises:
        CheckpointError: arrays that this network does not have.
    """

    def __init__(self, file: PolicyFile) -> None:
        file.check_shapes(shapes())
        arrays = {name.removeprefix("mlp_extractor."): array for name, array in file.arrays.items()}
        self._deck, self._points = arrays["deck"], arrays["points"]
        names = {name.rpartition(".")[0] for name in arrays if name.endswith(".weight")}
        self._linear = {
            name: (np.ascontiguousarray(arrays[f"{name}.weight"].T), arrays[f"{name}.bias"]) for name in names
        }

    def logits(self, observation: Float) -> Float:
        """Return (m, num_actions) for (m, observation_size) scaled observations."""
        seen = self._seen(observation)
        hand, tops = seen.told[:, :HAND], seen.told[:, HAND:]
        deck = np.broadcast_to(self._deck, (len(tops), 1, self._deck.size))
        sources = np.concatenate([tops, deck], axis=1)
        whole = seen.table[:, None, None]
        gain = np.stack([seen.gains, seen.changes, seen.fits], axis=3)
        promise = self._head("place", horse=seen.told[:, :, None], aisle=seen.aisles[:, None], gain=gain, table=whole)
        plans, swaps, stay = self._turns(seen, promise)
        exchange = swaps - stay[:, None]
        exchange += self._head("exchange", horse=hand[:, :, None], taken=sources[:, None], table=whole)
        cover = self._head("cover", horse=hand[:, :, None], covered=tops[:, None], table=whole)
        swap = exchange[:, :, TAKEN].reshape(len(tops), HAND, NUM_FIELDS, -1) + cover[..., None]
        discard = self._head("discard", horse=hand[:, :, None], covered=tops[:, None], table=whole)
        return _joined(swap, plans, discard, self._through("stop", seen.table))

    def values(self, observation: Float) -> Float:
        """Return (m,) values."""
        return self._through("value_net", self._seen(observation).table)[:, 0]

    def _seen(self, observation: Float) -> _Seen:
        size = len(observation)
        sitting = LAYOUT.view(observation, "seats")
        seats = max(int(sitting.sum(axis=1).max()), 1)
        parts = {part: LAYOUT.view(observation, part) for part in HORSE_PARTS}
        parts["stables"] = parts["stables"][:, :seats]  # nobody sits at the others
        parts["shown"] = parts["shown"][:, : seats - 1]
        there = sitting[:, 1:seats, None]
        made = {part: self._made("horse.0", features) for part, features in parts.items()}
        told = tell(np.ascontiguousarray(observation))
        ahead = told[:, :T_PAIRS].reshape(size, 3, CHOICES, NUM_AISLES)
        fits, gains, changes = ahead[:, 0], ahead[:, 1], ahead[:, 2]
        pairs = told[:, T_PAIRS:].reshape(size, len(PAIRS), NUM_AISLES, NUM_AISLES)
        choices = np.concatenate([parts["hand"], parts["fields"][:, :, 0]], axis=1)
        horses = np.concatenate([made["hand"], made["fields"][:, :, 0]], axis=1)
        needs = own_needs(observation, choices)
        about = np.concatenate([horses, gains, changes, fits, needs], axis=2)
        aisles = self._own_aisles(observation, made["stables"][:, 0])
        around = _joined(
            observation[:, REST:],
            about,
            aisles,
            made["fields"].mean(axis=2),
            _for_all_seats(_others(parts["stables"][:, 1:], made["stables"][:, 1:]) * there),
            _for_all_seats(made["shown"].mean(axis=2) * there),
            best_hands(np.where(fits == 0, NEVER, changes), pairs)[:, -1:],
        )
        table = self._made("table.2", self._made("table.0", around))
        return _Seen(about, aisles, fits, gains, changes, pairs, table)

    def _own_aisles(self, observation: Float, stable: Float) -> Float:
        """Return (m, aisles, AISLE): what stands in each own aisle, its type and its place."""
        size = len(observation)
        places = np.broadcast_to(np.eye(NUM_AISLES, dtype=np.float32), (size, NUM_AISLES, NUM_AISLES))
        types = LAYOUT.view(observation, "aisle_types")[:, 0]
        return self._made("aisle.0", np.concatenate([stable.reshape(size, NUM_AISLES, -1), types, places], axis=2))

    def _turns(self, seen: _Seen, promise: Float) -> tuple[Float, Float, Float]:
        """Return what turns are worth at most; see :class:`agents.horses.gains.Turns`."""
        single = np.where(seen.fits == 0, NEVER, self._points * seen.changes + promise)
        pairs = self._points * seen.pairs
        pairs += promise[:, FIRSTS, :, None]
        pairs += promise[:, SECONDS, None]
        pairs[seen.pairs == NEVER] = NEVER
        worth = best_hands(single, pairs)
        swaps = worth[:, :-1].reshape(-1, HAND, NUM_FIELDS + 1)
        return best_plans(single, pairs), swaps, worth[:, -1:]

    def _through(self, name: str, x: Float) -> Float:
        """Return a linear layer's (..., outputs) for (..., inputs)."""
        weight, bias = self._linear[name]
        made: Float = x.reshape(-1, x.shape[-1]) @ weight
        made += bias
        return made.reshape(*x.shape[:-1], len(bias))

    def _made(self, name: str, x: Float) -> Float:
        made = self._through(name, x)
        return np.maximum(made, 0, out=made)

    def _head(self, head: str, **about: Float) -> Float:
        """Return a logit for each combination of what an action is about, broadcast."""
        layers = [self._through(f"{head}.parts.{part}", value) for part, value in about.items()]
        hidden: Any = sum(layers[1:], start=layers[0])
        np.maximum(hidden, 0, out=hidden)
        return self._through(f"{head}.out", hidden)[..., 0]


# --- turns ------------------------------------------------------------------------------------------------------------


def _hands() -> NDArray[np.int64]:
    """Return (hands, 6): for each hand that a turn can begin with, what it can place, alone or as a pair.

    The hands are those after each swap, by slot and by what is taken (each field's top, then one that nobody knows),
    and last the one that is there. The entries are horses, then CHOICES + pairs; short rows repeat themselves.
    """
    kept = [[other for other in range(HAND) if other != slot] for slot in range(HAND)]
    swapped = [hand + taken for hand in kept for taken in [*([HAND + field] for field in range(NUM_FIELDS)), []]]
    rows = []
    for hand in [*swapped, list(range(HAND))]:
        pairs = [CHOICES + PAIR[one, other] for one in hand for other in hand if one < other]
        rows.append(np.resize(hand + pairs, 6))
    return np.array(rows)


HANDS = _hands()


def best_hands(single: Float, pairs: Float) -> Float:
    """Return (m, hands): what a turn with each of HANDS is worth at most, where placements are worth so much.

    Args:
        single: (m, CHOICES, aisles), pairs: (m, PAIRS, aisles, aisles); NEVER for what cannot be.
    """
    worth = np.concatenate([single.max(axis=2), pairs.max(axis=(2, 3))], axis=1)
    best: Float = worth[:, HANDS].max(axis=2)
    return np.where(best > NEVER / 2, best, np.float32(0))


def best_plans(single: Float, pairs: Float) -> Float:
    """Return (m, HAND, aisles): what turns are worth at most that place a horse of the hand in an aisle first."""
    before, behind = pairs.max(axis=3), pairs.max(axis=2)  # (m, PAIRS, aisles) of the first one, of the second
    plans = single[:, :HAND].copy()
    for one, other in itertools.combinations(range(HAND), 2):
        pair = PAIR[one, other]
        np.maximum(plans[:, one], before[:, pair], out=plans[:, one])
        np.maximum(plans[:, other], behind[:, pair], out=plans[:, other])
    return plans


# --- parts ------------------------------------------------------------------------------------------------------------


def own_needs(observation: Float, horses: Float) -> Float:
    """Return (m, k, NEEDS) of what each horse is to the own stable; see :func:`agents.horses.gains.own_needs`."""
    counts = NUM_STALLS * LAYOUT.view(observation, "disciplines")[:, 0]
    least = counts.min(axis=1, keepdims=True)
    own = horses[..., HORSE_LAYOUT.slice("discipline")][..., :NUM_DISCIPLINES]
    completes = (counts[:, None] + own).min(axis=2) - least
    ahead = ((counts - least)[:, None] * own).sum(axis=2) / np.float32(NUM_AISLES)
    preferred = LAYOUT.view(observation, "boards")[:, 0, None, BOARD_LAYOUT.slice("type")]
    wanted = (preferred * horses[..., HORSE_LAYOUT.slice("type")][..., :NUM_TYPES]).sum(axis=2)
    return np.stack([completes, ahead, own.sum(axis=2), wanted], axis=2)


def _others(seen: Float, made: Float) -> Float:
    """Return (m, others, HORSE + 2 * aisles): what stands in each other stable, and how full its aisles are."""
    filled = seen[..., HORSE_LAYOUT.slice("type")].sum(axis=(3, 4)) / np.float32(STALLS)
    return np.concatenate([made.mean(axis=(2, 3)), filled, (filled == 1).astype(np.float32)], axis=2)


def _for_all_seats(made: Float) -> Float:
    """Return (m, NEIGHBOURS, width): zeros for seats where nobody sits."""
    return np.pad(made, ((0, 0), (0, NEIGHBOURS - made.shape[1]), (0, 0)))


def _joined(*parts: Float) -> Float:
    return np.concatenate([part.reshape(len(part), -1) for part in parts], axis=1)
