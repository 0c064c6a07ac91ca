"""What an evaluation of a run measures: the learner against fixed rivals, in solo its scores beside theirs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tablezoo.game import Game
from tablezoo.policies import Policy, make_policy

from ..evaluate import describe_rate, describe_score, play_match, versus
from ..opponents import parse_agent
from ..settings import Settings

RIVALS = ("random", "greedy")


@dataclass(frozen=True)
class Measured:
    """What an evaluation found.

    Attributes:
        kind: ``win_rates``, or in solo ``scores``.
        figures: by whom they are against, or in solo whose they are; each with the half-width of its 95 % interval.
        words: a line of it.
    """

    kind: str
    figures: dict[str, tuple[float, float]]
    words: str


def measure(settings: Settings, game: Game, learner: Policy, deals: int, seed: int) -> Measured:
    """Measure a run's policy against each of RIVALS; an exploiter also against the one it was trained against."""
    rivals: dict[str, Policy] = {name: make_policy(name, game) for name in RIVALS}
    if settings.exploit:
        rivals[settings.opponent] = parse_agent(settings.opponent, game)
    common: dict[str, Any] = {"deals": deals, "seed": seed, "threads": settings.threads}
    common |= settings.dealt
    if settings.players == (1,):
        alone = {who.name: play_match(game, [who], **common) for who in (learner, *rivals.values())}
        words = [f"{name} {describe_score(result)}" for name, result in alone.items()]
        scores = {name: result.mean_score() for name, result in alone.items()}
        return Measured("scores", scores, "   ".join(words) + f" ({deals} games)")
    matches = {
        label(name, count, settings): versus(game, learner, who, count, **common)
        for count in settings.players
        for name, who in rivals.items()
    }
    told = [f"against {name} {describe_rate(match)} ({match.games} games)" for name, match in matches.items()]
    return Measured("win_rates", {name: match.win_rate() for name, match in matches.items()}, "   ".join(told))


def label(name: str, players: int, settings: Settings) -> str:
    """Return what a rival is called; where several numbers of players are measured, with theirs."""
    return name if len(settings.players) == 1 else f"{name} ({players} players)"


def told_exploit(settings: Settings, measured: Measured) -> list[str]:
    """Say how far the opponent of an exploiter can be exploited at least, in a line for each number of players."""
    lines = []
    for players in settings.players:
        rate, half = measured.figures[label(settings.opponent, players, settings)]
        words = f"exploiter of {settings.opponent}, {players} players: wins {100 * rate:.1f} % ± {100 * half:.1f}"
        found = f"a best response wins {100 * (rate - half):.1f} % or more"
        found = found if rate - half > 1 / players else "it found no weakness"
        lines.append(f"{words}, an even share is {100 / players:.1f} %; {found}")
    return lines
