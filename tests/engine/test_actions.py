"""What counts as an action, and what merely looks like one."""

from __future__ import annotations

import numpy as np
import pytest

from tablezoo.actions import as_action
from tablezoo.errors import IllegalActionError


class Scalar:
    """What a torch scalar looks like from outside."""

    def __init__(self, value, dtype, shape=()):
        self.value, self.dtype, self.shape = value, dtype, shape

    def __int__(self):
        return int(self.value)


@pytest.mark.parametrize(
    "action",
    [
        3,
        np.int8(3),
        np.uint8(3),
        np.int64(3),
        np.uint64(3),
        np.array(3),
        np.array(3, np.uint16),
        Scalar(3, "torch.int64"),
    ],
)
def test_integers_of_every_kind(action):
    assert as_action(action, 5) == 3
    assert type(as_action(action, 5)) is int


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (True, "bool"),
        (np.True_, "bool"),
        (np.array(True), "dtype bool"),
        (1.0, "float"),
        (np.float64(1), "float"),
        (np.array(1.0), "dtype float64"),
        ("1", "str"),
        (None, "NoneType"),
        ([1], "list"),
        ((1,), "tuple"),
        (np.array([1]), r"shape \(1,\)"),
        (np.array([[1]]), r"shape \(1, 1\)"),
        (np.array([]), r"shape \(0,\)"),
        (Scalar(1, "torch.bool"), "torch.bool"),
        (Scalar(1, "torch.float32"), "torch.float32"),
        (Scalar(1, "torch.int64", (1,)), r"shape \(1,\)"),
    ],
)
def test_what_is_no_integer_is_refused_by_name(action, words):
    with pytest.raises(TypeError, match=words):
        as_action(action, 5)


@pytest.mark.parametrize("action", [-1, 5, 10**30, np.int64(-2), np.array(9), Scalar(-1, "torch.int64")])
def test_integers_out_of_range(action):
    with pytest.raises(IllegalActionError, match="out of range: expected an integer from 0 to 4"):
        as_action(action, 5)


def test_torch_scalars():
    torch = pytest.importorskip("torch")
    assert as_action(torch.tensor(3), 5) == 3
    assert as_action(torch.tensor(3, dtype=torch.uint8), 5) == 3
    for wrong in (torch.tensor(True), torch.tensor(1.0), torch.tensor([3])):
        with pytest.raises(TypeError):
            as_action(wrong, 5)
    with pytest.raises(IllegalActionError):
        as_action(torch.tensor(-1), 5)
