"""Whether a decision can be taken back: only if it showed nothing that its player did not know."""

from __future__ import annotations

import numpy as np

from tablezoo.batch import Batch

DEALS = 64
"""Deals that are tried. What only one deal in a hundred would show otherwise passes unnoticed half of the time."""


def shows_nothing(before: Batch, action: int, after: Batch) -> bool:
    """Whether a decision told its seat nothing new, in batches of one before and after it.

    It did not if the same seat is asked again and in other deals, which look the same to it before, the decision leads
    to the same view. So nobody has answered, and nothing was drawn, turned up or learned.
    """
    seat = int(before.seat[0])
    if after.seat[0] != seat:
        return False
    deals = before.determinize(seat, seed=0, games=np.zeros(DEALS, np.int64))
    if not deals.action_mask[:, action].all():
        return False
    deals.step(np.full(DEALS, action))
    alike = (deals.seat == seat) & (deals.observation == after.observation).all(axis=1)
    return bool((alike & (deals.action_mask == after.action_mask).all(axis=1)).all())
