"""A tournament's figures as tables for people and as JSON."""

from __future__ import annotations

import platform
import sys
from importlib import metadata
from typing import Any

import tablezoo

from ..command_line import align
from ..evaluate import Effort
from .standings import Figure, Results

_LIBRARIES = ("numpy", "numba", "openskill", "torch", "sb3-contrib")


# --- for people ------------------------------------------------------------------------------------------------------


def tables(results: Results) -> str:
    """Return the standings and the matrix as text."""
    lines = [results.plan.heading(), "", *align([*_columns(results), *_standings(results)])]
    lines += ["", *_notes(results), "", matrix_title(results), "", *align(_matrix(results))]
    return "\n".join(lines) + "\n"


def matrix_title(results: Results) -> str:
    """Return what a cell of the matrix tells."""
    players, even = results.plan.players, f"even: {100 * results.even:.3g} %"
    if players == 1:
        return f"share of deals in which the row's agent scores more than the column's, ties half ({even})"
    seats = "" if players == 2 else f" in all {players - 1} other seats"
    return f"share of the wins of the row's agent against the column's{seats} ({even})"


def percent(figure: Figure | None) -> str:
    """Return a rate in words, as in ``62.1 % ± 1.9``."""
    if figure is None:
        return "-"
    rate, half = figure
    return f"{100 * rate:.1f} % ± {100 * half:.1f}"


def _columns(results: Results) -> list[list[str]]:
    """Return the heads of the standings' columns, in two rows."""
    players = results.plan.players
    if players == 1:
        tiers = [(word, name) for name, words in results.words.items() for word in words]
        heads = [("agent", ""), ("mean score", "points"), *tiers]
    else:
        against = "against all others" if players == 2 else "against copies"
        heads = [("agent", ""), ("wins", against)]
        heads += [("wins", "at mixed tables")] if results.mixed_rate(0) is not None else []
        heads += [
            ("rating", "mu, sigma"),
            ("mean score", "points"),
            *((f"seat {seat}", "wins") for seat in range(players)),
        ]
    heads += [("a decision", "ms"), ("a call", "decisions")]
    return [[title for title, _ in heads], [below for _, below in heads]]


def _standings(results: Results) -> list[list[str]]:
    players = results.plan.players
    rows = []
    for agent in results.order:
        score, half = results.mean_score(agent)
        points = f"{score:.1f} ± {half:.1f}"
        row = [results.plan.entrants[agent].label]
        if players == 1:
            row += [points, *(percent(one) for of_name in results.outcomes(agent).values() for one in of_name.values())]
        else:
            mixed, rating = results.mixed_rate(agent), results.ratings[agent]
            row += [percent(results.win_rate(agent)), *([] if mixed is None else [percent(mixed)])]
            row += [f"{rating.mu:.1f}, {rating.sigma:.1f}", points]
            row += [percent(results.seat_rate(agent, seat)) for seat in range(players)]
        effort = results.effort(agent)
        rows.append([*row, _milliseconds(effort), f"{effort.decisions / max(effort.calls, 1):,.0f}"])
    return rows


def _notes(results: Results) -> list[str]:
    lines = ["± is half a 95 % interval, clustered by deal."]
    if results.plan.players > 1:
        lines.append("rating: openskill's Plackett-Luce, over all line-ups; 25, 8.3 before the first game.")
    lines.append(
        "ms a decision: the time within act(), which decides for a batch of games at once, over its decisions."
    )
    return lines


def _matrix(results: Results) -> list[list[str]]:
    labels = [results.plan.entrants[agent].label for agent in results.order]
    rows = [
        [labels[place], *("-" if one == other else percent(results.pair(one, other)) for other in results.order)]
        for place, one in enumerate(results.order)
    ]
    return [["", *labels], *rows]


def _milliseconds(effort: Effort) -> str:
    return f"{_ms(effort):.3g}" if _ms(effort) >= 0.001 else "< 0.001"


def _ms(effort: Effort) -> float:
    return 1000 * effort.seconds / max(effort.decisions, 1)


# --- for machines ----------------------------------------------------------------------------------------------------


def to_json(results: Results, command: str | None = None) -> dict[str, Any]:
    """Return all figures, and what they were made with. What is measured in seconds stands under ``times`` alone: the
    rest is the same whenever the tournament is played again.

    Args:
        command: how it was asked for.
    """
    plan, agents = results.plan, range(len(results.plan.entrants))
    solo = plan.players == 1
    return {
        "tournament": plan.to_json(),
        "title": plan.game.title,
        "command": command,
        "versions": versions(),
        "deals": plan.deals,
        "games_in_all": plan.games_in_all,
        "agents": [_agent(results, agent) for agent in agents],
        "matrix": {
            "about": matrix_title(results),
            "even": results.even,
            "rows": [[None if one == other else results.pair(one, other) for other in agents] for one in agents],
        },
        "line_ups": [
            {
                "kind": line_up.kind,
                "agents": plan.labels(line_up),
                "games": match.games,
                "win_rates": None if solo else [match.win_rate(place) for place in range(plan.players)],
                "mean_scores": [match.mean_score(place) for place in range(plan.players)],
            }
            for line_up, match in zip(plan.line_ups, results.matches, strict=True)
        ],
        "times": [_time(plan.entrants[agent].label, results.effort(agent)) for agent in agents],
    }


def _agent(results: Results, agent: int) -> dict[str, Any]:
    told: dict[str, Any] = {
        "name": results.plan.entrants[agent].label,
        "mean_score": results.mean_score(agent),
        "decisions": results.effort(agent).decisions,
    }
    if results.plan.players == 1:
        return told | {"outcomes": results.outcomes(agent)}
    return told | {
        "win_rate": results.win_rate(agent),
        "mixed_win_rate": results.mixed_rate(agent),
        "seat_win_rates": [results.seat_rate(agent, seat) for seat in range(results.plan.players)],
        "rating": vars(results.ratings[agent]),
    }


def _time(label: str, effort: Effort) -> dict[str, Any]:
    mean = effort.decisions / max(effort.calls, 1)
    return {"name": label, "ms_a_decision": _ms(effort), "decisions_a_call": mean, "seconds": effort.seconds}


def versions() -> dict[str, str]:
    """Return the versions of what plays and counts, of torch only where it was used."""
    found = {"python": platform.python_version(), "tablezoo": tablezoo.__version__}
    for library in _LIBRARIES:
        if library in ("torch", "sb3-contrib") and library.replace("-", "_") not in sys.modules:
            continue
        found[library] = metadata.version(library)
    return found
