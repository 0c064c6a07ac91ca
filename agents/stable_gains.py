"""What horses would score in the own stable, from the observation alone, for many positions at once (S34, S35)."""

from __future__ import annotations

import torch
from torch import Tensor

from stabletimes_env import GAME, sets
from stabletimes_env.sets import BOARD_LAYOUT, HORSE_LAYOUT, NUM_AISLES, NUM_DISCIPLINES, NUM_TYPES, STALLS
from stabletimes_env.state import MAX_SEATS

LAYOUT = GAME.observation_layout
NUM_STALLS = NUM_AISLES * STALLS
NEEDS = 4


def own_gains(observation: Tensor, horses: Tensor) -> tuple[Tensor, Tensor]:
    """Return where horses fit in the own stable, and what they would score there, by the features that are seen.

    Args:
        observation: (m, size); horses: (m, k, HORSE_FEATURES).

    Returns:
        (m, k, aisles), 1 where a horse fits (S10, S11); and its own points in tens (S34, S35), 0 where it does not.
    """
    stalls = part_of(observation, "stables")[:, 0]
    types = part_of(observation, "aisle_types")[:, 0][:, None]  # (m, 1, aisles, types)
    occupied = _feature(stalls, "type")
    filled = occupied.sum(dim=(2, 3))[:, None]  # (m, 1, aisles)
    wild = _feature(horses, "type")[..., NUM_TYPES:]  # (m, k, 1)
    own_type = _feature(horses, "type")[..., :NUM_TYPES][:, :, None]
    has_type = types.sum(dim=3)
    matches = (types * own_type).sum(dim=3)
    fits = ((filled < STALLS) & ((wild > 0) | (has_type == 0) | (matches > 0))).float() * horses.any(dim=2)[..., None]
    after = types + (1 - has_type)[..., None] * own_type  # the aisle's type with the horse in it
    of = _feature(horses, "of")
    of_type = (after * of[:, :, None]).sum(dim=3)
    elsewhere = (types * of[:, :, None]).sum(dim=3) * filled
    disciplines = _feature(stalls, "discipline").sum(dim=2)[:, None, :, :NUM_DISCIPLINES]  # (m, 1, aisles, 3)
    with_own = disciplines + _feature(horses, "discipline")[:, :, None, :NUM_DISCIPLINES]
    asked = of[:, :, None, :NUM_DISCIPLINES]
    wilds = occupied[..., NUM_TYPES].sum(dim=2)[:, None]
    whole = _feature(horses, "whole")
    full = (filled == STALLS - 1).float()
    beside = torch.nn.functional.pad((types * of[:, :, None]).sum(dim=3), (1, 1))
    counts = {
        sets.FLAT: torch.ones_like(fits),
        sets.STALL: torch.gather(of[..., :STALLS], 2, filled.clamp(max=STALLS - 1).long().expand_as(fits)),
        sets.AISLES: of[..., :NUM_AISLES],
        sets.COMPLETE: full.expand_as(fits),
        sets.PER_TYPE: of_type * filled + whole * (elsewhere.sum(dim=2, keepdim=True) - elsewhere),
        sets.PER_DISCIPLINE: _here_or_whole((disciplines * asked).sum(dim=3), whole),
        sets.ALL_DIFFERENT: full * (with_own == 1).all(dim=3),
        sets.ALL_EQUAL: full * (with_own == STALLS).any(dim=3),
        sets.NEIGHBOUR: torch.maximum(beside[..., :-2], beside[..., 2:]),
        sets.PER_WILD: _here_or_whole(wilds.expand_as(fits), whole),
        sets.PER_EMPTY: _here_or_whole((STALLS - filled).expand_as(fits), whole) - 1,
        sets.NEXT_DOOR: _next_door(observation, of)[..., None].expand_as(fits),
    }
    kinds = _feature(horses, "preference")
    number = torch.stack([counts[kind] for kind in range(sets.NUM_PREFERENCES)], dim=3)
    number = (number * kinds[:, :, None]).sum(dim=3)
    cap = torch.where(_feature(horses, "each") > 0, sets.NO_CAP * _feature(horses, "cap"), sets.NO_CAP)
    points = sets.MOST_POINTS * _feature(horses, "points") + sets.LEAST_POINTS * _feature(horses, "penalty")
    return fits, fits * points * torch.minimum(number, cap) / 10


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


def _here_or_whole(here: Tensor, whole: Tensor) -> Tensor:
    """Return what is counted in the aisle, or in all aisles where a horse counts in the whole stable."""
    return torch.where(whole > 0, here.sum(dim=2, keepdim=True), here)


def _next_door(observation: Tensor, of: Tensor) -> Tensor:
    """Return (m, k) horses of a type in the stables of the next seat and of the one before, each stable once."""
    held = _feature(part_of(observation, "stables"), "type").sum(dim=(3, 4))  # (m, seats, aisles)
    typed = (part_of(observation, "aisle_types") * held[..., None]).sum(dim=2)  # (m, seats, types)
    players = part_of(observation, "seats").sum(dim=1).long()
    before = typed[torch.arange(len(typed)), (players - 1) % MAX_SEATS] * (players > 2)[:, None]
    return (of @ (typed[:, 1] + before)[..., None]).squeeze(-1)


def part_of(observation: Tensor, name: str) -> Tensor:
    """Return a part of (m, size) observations in its own shape, (m, *shape)."""
    part = next(part for part in LAYOUT.parts if part.name == name)
    return observation[:, LAYOUT.slice(name)].view(-1, *part.dims)


def _feature(horses: Tensor, name: str) -> Tensor:
    return horses[..., HORSE_LAYOUT.slice(name)]
