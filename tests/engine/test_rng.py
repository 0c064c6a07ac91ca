"""Streams: uniform, reproducible, independent; the same compiled and not."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest

from tablezoo.rng import below, random_word, seed_streams, shuffle
from tests.engine.helpers import run_python

#: The chi-square value that one in a thousand exceeds, by degrees of freedom.
RARE = {1: 10.83, 5: 20.52, 6: 22.46, 15: 37.70, 23: 49.73, 48: 84.04, 255: 330.52}


def chi_square(counts) -> float:
    counts = np.asarray(counts, float)
    return float(((counts - counts.mean()) ** 2 / counts.mean()).sum())


@pytest.mark.parametrize("n", [2, 6, 7, 16, 49, 256])
def test_below_is_uniform(n):
    stream = seed_streams(n, 1)[0]
    counts = np.bincount([below(stream, n) for _ in range(1000 * n)], minlength=n)
    assert counts.size == n
    assert chi_square(counts) < RARE[n - 1]


def test_below_is_uniform_over_first_draws_of_neighbouring_seeds():
    counts = np.bincount([below(stream, 7) for stream in seed_streams(0, 7000)], minlength=7)
    assert chi_square(counts) < RARE[6]


def test_below_reaches_the_highest():
    stream = seed_streams(0, 1)[0]
    draws = [below(stream, 2**31 - 1) for _ in range(2000)]
    assert 0 <= min(draws) < 2**22
    assert 2**31 - 2**22 < max(draws) < 2**31 - 1
    assert [below(stream, 1) for _ in range(5)] == [0] * 5


def test_shuffles_are_uniform():
    orders = {order: i for i, order in enumerate(itertools.permutations(range(4)))}
    stream = seed_streams(3, 1)[0]
    counts = np.zeros(24)
    for _ in range(12_000):
        array = np.arange(6)
        shuffle(stream, array, 4)
        assert array[4:].tolist() == [4, 5]
        counts[orders[tuple(array[:4])]] += 1
    assert chi_square(counts) < RARE[23]


def test_bits_are_balanced_and_lanes_uncorrelated():
    streams = seed_streams(0, 500)
    words = np.array([[random_word(stream) for _ in range(40)] for stream in streams])
    bits = (words[..., None] >> np.arange(32)) & 1
    assert np.abs(bits.mean(axis=(0, 1)) - 0.5).max() < 5 * 0.5 / np.sqrt(bits[..., 0].size)
    scaled = words / 2**32 - 0.5
    neighbours = (scaled[:-1] * scaled[1:]).mean() / scaled.var()
    assert abs(neighbours) < 5 / np.sqrt(scaled[1:].size)
    successors = (scaled[:, :-1] * scaled[:, 1:]).mean() / scaled.var()
    assert abs(successors) < 5 / np.sqrt(scaled[:, 1:].size)


def test_a_lanes_stream_depends_on_its_seed_alone():
    many = seed_streams(10, 100)
    assert np.array_equal(many[7], seed_streams(17, 1)[0])
    assert len(np.unique(many, axis=0)) == 100
    assert len(np.unique(np.concatenate([seed_streams(10, 100, domain) for domain in range(6)]), axis=0)) == 600
    assert seed_streams(2**64 - 1, 2).shape == (2, 2)
    assert seed_streams(0, 50_000).all(axis=1).all()


def test_compiled_and_uncompiled_draw_the_same():
    code = """
import json, numpy as np
from tablezoo.rng import below, random_word, seed_streams, shuffle
stream = seed_streams(5, 1)[0]
array = np.arange(49, dtype=np.uint8)
shuffle(stream, array, 49)
draws = [int(below(stream, n)) for n in (2, 3, 49, 2**31 - 1) for _ in range(50)]
print(json.dumps([array.tolist(), draws, [int(random_word(stream)) for _ in range(50)], [int(w) for w in stream]]))
"""
    compiled, uncompiled = (json.loads(run_python(code, NUMBA_DISABLE_JIT=flag)) for flag in ("0", "1"))
    assert compiled == uncompiled


def test_the_streams_are_what_they_were():
    """Seeds make the same games in every release: these words may never change."""
    stream = seed_streams(0, 1)[0]
    assert [int(random_word(stream)) for _ in range(4)] == WORDS


WORDS = [34529867, 1605953997, 1971309197, 1064914190]
