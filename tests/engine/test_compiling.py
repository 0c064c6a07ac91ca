"""How kernels compile: small integers are one to them, and constants where a kernel says so."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from tablezoo.compiling import UNCOMPILED, common_kernel, kernel

pytestmark = pytest.mark.skipif(UNCOMPILED, reason="nothing is compiled")


@kernel
def tenfold(number):
    return number * 10


@common_kernel
def hundredfold(number):
    return number * 100


@kernel
def halved(stream):
    return stream >> np.uint64(1)


@numba.njit
def call_with_all_widths(array, own):
    return (
        tenfold(array[0]), tenfold(np.int8(100)), tenfold(np.uint8(100)), tenfold(np.int64(100)), tenfold(100),
        hundredfold(array[0]), hundredfold(100), hundredfold(101), halved(own),
    )  # fmt: skip


def test_kernels_take_integers_of_all_widths_as_int64() -> None:
    """Within kernels nothing wraps around at 8 bits, and one compilation serves all widths."""
    called = call_with_all_widths(np.array([100], np.int8), np.uint64(2**63))
    assert called[:8] == (1000, 1000, 1000, 1000, 1000, 10_000, 10_000, 10_100)
    assert [numba.typeof(number) for number in called[:8]] == [numba.int64] * 8


def test_random_streams_stay_unsigned() -> None:
    called = call_with_all_widths(np.array([100], np.int8), np.uint64(2**63))
    assert called[8] == 2**62


def test_kernels_can_be_called_from_python() -> None:
    assert tenfold(7) == 70
    assert hundredfold(7) == 700
