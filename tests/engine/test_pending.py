"""The stack of pending decisions, in a record."""

from __future__ import annotations

import numpy as np
import pytest

from tablezoo.game import kernel
from tablezoo.pending import pop, push, top, top_kind

DTYPE = np.dtype([("pending_size", np.int8), ("pending", np.int16, (4, 6))])


@kernel
def stacked(s, out):
    out[0] = top_kind(s)
    push(s, 1, 2, 3, 4, 5, 6)
    push(s, 7, -1, 300, -300, 0, 9)
    out[1] = top_kind(s)
    out[2] = top(s)[2]
    top(s)[3] = 8
    out[3] = top(s)[3]
    pop(s)
    out[4] = top_kind(s)
    out[5] = s.pending_size


@pytest.fixture
def records():
    return np.zeros(2, DTYPE).view(np.recarray)


def test_frames_come_off_in_turn(records):
    out = np.zeros(6, np.int64)
    stacked(records[0], out)
    assert out.tolist() == [0, 7, 300, 8, 1, 1]
    assert records["pending"][0, 0].tolist() == [1, 2, 3, 4, 5, 6]


def test_a_frame_taken_off_leaves_no_trace(records):
    out = np.zeros(6, np.int64)
    stacked(records[0], out)
    assert not records["pending"][0, 1:].any()
    assert not records["pending"][1].any()
