"""Random numbers inside a game's own record.

A stream is two uint64 words of state: xorshift128 (Marsaglia 2003, with Vigna's shifts 23, 18, 5), whose two upper
halves are added for the output. It needs no multiplication, so that it runs alike compiled and not. Streams are
seeded by SplitMix64 (Steele, Lea and Flood 2014): stream i of seed s is stream 0 of seed s + i.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablezoo.compiling import kernel

#: Domains of streams: the games' own, their opponents', determinized copies', rollouts'.
GAMES, OPPONENTS, COPIES, ROLLOUTS = range(4)

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@kernel
def random_word(stream):
    """Return the next 32 random bits of ``stream`` ((2,) uint64, advanced in place) as an int."""
    old = stream[0]
    kept = stream[1]
    old ^= old << np.uint64(23)
    old ^= kept ^ (old >> np.uint64(18)) ^ (kept >> np.uint64(5))
    stream[0] = kept
    stream[1] = old
    return (np.int64(old >> np.uint64(32)) + np.int64(kept >> np.uint64(32))) & 0xFFFFFFFF


@kernel
def below(stream, n):
    """Return a uniform integer in [0, n) for 1 <= n < 2**31 (Lemire 2019: exact, without a division but rarely)."""
    product = random_word(stream) * n
    low = product & 0xFFFFFFFF
    if low < n:
        threshold = (0x100000000 - n) % n
        while low < threshold:
            product = random_word(stream) * n
            low = product & 0xFFFFFFFF
    return product >> 32


@kernel
def shuffle(stream, array, n):
    """Shuffle ``array[:n]`` in place (Fisher-Yates, from the end)."""
    for i in range(n - 1, 0, -1):
        j = below(stream, i + 1)
        kept = array[i]
        array[i] = array[j]
        array[j] = kept


def seed_streams(seed: int, count: int, domain: int = GAMES) -> NDArray[np.uint64]:
    """Return (count, 2) uint64 streams; row i depends on ``seed + i`` and ``domain`` alone.

    Streams of another ``domain`` are independent of these, whatever the seeds.
    """
    start = np.uint64(seed % 2**64)
    lanes = np.arange(count, dtype=np.uint64) + np.full(count, start, dtype=np.uint64)
    state = _mix(lanes + np.full(count, np.uint64(domain * 0xD1342543DE82EF95 % 2**64)))
    streams = np.empty((count, 2), dtype=np.uint64)
    for word in range(2):
        state = state + _GOLDEN
        streams[:, word] = _mix(state)
    streams[:, 1] |= np.uint64(1)
    return streams


def seed_lanes(seed: Any, count: int, domain: int = GAMES) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
    """Return (count, 2) streams for ``seed``, and (count,) which lanes have one.

    An int seeds lane i with ``seed + i``; a list has an int for each lane, or None where none is meant.

    Raises:
        TypeError, ValueError: no integers of 0 or more, or a list of another length.
    """
    if not isinstance(seed, (list, tuple)):
        return seed_streams(checked_seed(seed), count, domain), np.ones(count, np.bool_)
    if len(seed) != count:
        raise ValueError(f"seed lists {len(seed)}; expected {count}, one for each game")
    seeds = [None if one is None else checked_seed(one) for one in seed]
    streams = [seed_streams(one or 0, 1, domain) for one in seeds]
    return np.concatenate(streams), np.array([one is not None for one in seeds])


def _mix(z: NDArray[np.uint64]) -> NDArray[np.uint64]:
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def checked_seed(seed: object) -> int:
    """Return ``seed`` as an int >= 0.

    Raises:
        TypeError: no integer (a bool is none).
        ValueError: negative.
    """
    if isinstance(seed, (bool, np.bool_)) or not isinstance(seed, (int, np.integer)):
        raise TypeError(f"seed {seed!r} is of type {type(seed).__name__}; expected an integer of 0 or more, or None")
    if seed < 0:
        raise ValueError(f"seed {seed} is negative; expected an integer of 0 or more, or None")
    return int(seed)


def fresh_seed() -> int:
    """Return a seed from the operating system's entropy."""
    return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
