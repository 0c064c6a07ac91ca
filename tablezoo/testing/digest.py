"""Hashes of random games, to compare them between processes."""

from __future__ import annotations

import hashlib

import numpy as np

from tablezoo.policies import Views
from tablezoo.rng import seed_streams
from tablezoo.testing.case import OUTPUTS, Case, RandomPlay, fields, seats_of

#: Decisions of which greedy's are compared too; uncompiled it is slow.
SEARCHED = 8


def digest(case: Case, decisions: int) -> list[str]:
    """Return a hash for each decision, over the records, all outputs, every seat's view and a determinization's; of the
    first also what greedy decides."""
    batch = case.batch(autoreset=True)
    play = RandomPlay(batch, case.seed)
    hashes = []
    for decision in range(decisions):
        whole = hashlib.sha256()
        arrays = [getattr(batch, name) for name in OUTPUTS]
        arrays += fields(batch.states).values()
        for seat, lanes in seats_of(batch):
            dealt = batch.determinize(seat, decision, lanes)
            arrays += [batch.clone(lanes).observe(seat), *fields(dealt.states).values()]
        if decision < SEARCHED:
            asked = np.flatnonzero(batch.seat >= 0)
            arrays.append(Views(batch, asked, seed_streams(decision, batch.num_games)).greedy_actions(2))
        for array in arrays:
            whole.update(array.tobytes())
        hashes.append(whole.hexdigest()[:16])
        batch.step(play.actions())
    return hashes
