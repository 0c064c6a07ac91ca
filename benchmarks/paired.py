"""What rounds that measured two sides in turn say of them: the median of paired ratios and its interval."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

CONFIDENCE = 0.95

#: From six rounds on there is an interval, from the lowest ratio to the highest; one more is for safety.
FEWEST_ROUNDS = 7

#: The ratio of rates, now over base, from which on downwards something is too slow.
TOO_SLOW = 0.90


@dataclass(frozen=True)
class Comparison:
    """Two sides' rates in the same rounds.

    Attributes:
        base, now: the medians of each side's rates.
        ratio: the median of the rounds' ratios, now over base.
        low, high: the interval of that median, of 95 % or a little more.
    """

    base: float
    now: float
    ratio: float
    low: float
    high: float

    @classmethod
    def of(cls, base: Sequence[float], now: Sequence[float]) -> Comparison:
        """Compare rates of the same rounds, a pair a round."""
        ratios = [new / old for old, new in zip(base, now, strict=True)]
        low, high = median_interval(ratios)
        return cls(statistics.median(base), statistics.median(now), statistics.median(ratios), low, high)

    @property
    def is_too_slow(self) -> bool:
        """Whether the ratio is below the limit, and the whole interval with it."""
        return self.high < TOO_SLOW

    @property
    def verdict(self) -> str:
        if self.is_too_slow:
            return "too slow"
        return "unclear" if self.ratio < TOO_SLOW else "ok"


def median_interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the sign test's interval of the median, from the k-th lowest value to the k-th highest.

    It asks nothing of the values but that they are independent, and single rounds that something disturbed, the k - 1
    farthest out on either side, do not move it.

    Raises:
        ValueError: there are too few for an interval of 95 %.
    """
    count, beyond, rank = len(values), 0, 0
    while beyond + math.comb(count, rank) <= (1 - CONFIDENCE) / 2 * 2**count:
        beyond += math.comb(count, rank)
        rank += 1
    if rank == 0:
        raise ValueError(f"{count} rounds are too few for an interval of {CONFIDENCE:.0%}")
    ordered = sorted(values)
    return ordered[rank - 1], ordered[count - rank]
