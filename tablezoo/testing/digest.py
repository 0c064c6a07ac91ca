"""Hashes of random games, to compare them between processes."""

from __future__ import annotations

import hashlib

from tablezoo.testing.case import OUTPUTS, Case, RandomPlay, fields, seats_of


def digest(case: Case, decisions: int) -> list[str]:
    """Return a hash for each decision, over the records, all outputs, every seat's view and a determinization's."""
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
        for array in arrays:
            whole.update(array.tobytes())
        hashes.append(whole.hexdigest()[:16])
        batch.step(play.actions())
    return hashes
