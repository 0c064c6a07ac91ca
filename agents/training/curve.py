"""The picture of a training run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

_COLOURS = {"random": "tab:blue", "greedy": "tab:orange"}

#: With more lines, what they mean stands beside the picture, lest it cover them.
_MOST_INSIDE = 4


def draw_curve(metrics: Sequence[Mapping[str, Any]], path: Path, title: str, players: Sequence[int]) -> None:
    """Draw over steps, with bands of 95 %, the win rate against each opponent, or in solo the scores; to a PNG."""
    solo = tuple(players) == (1,)
    kind, axis = ("scores", "mean score (bands: 95 %)") if solo else ("win_rates", "win rate (bands: 95 %)")
    figure = Figure(figsize=(8, 5), layout="constrained")  # without pyplot, whose backend is the user's choice
    axes = figure.subplots()
    for name in sorted({name for row in metrics for name in row[kind]}):
        points = [(row["steps"], *row[kind][name]) for row in metrics if name in row[kind]]
        steps, values, halves = (list(column) for column in zip(*points, strict=True))
        colour = _COLOURS.get(name)
        label = name if solo else f"against {name}"
        (line,) = axes.plot(steps, values, marker="o", markersize=3, color=colour, label=label)
        low = [value - half for value, half in zip(values, halves, strict=True)]
        high = [value + half for value, half in zip(values, halves, strict=True)]
        axes.fill_between(steps, low, high, color=line.get_color(), alpha=0.2, linewidth=0)
    axes.set(title=title, xlabel="learner's decisions", ylabel=axis)
    if not solo:
        for number, count in enumerate(players):
            label = None if number else "an even share" if len(players) == 1 else "even shares"
            axes.axhline(1 / count, color="grey", linestyle="--", linewidth=1, label=label)
        axes.set_ylim(0, 1)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value / 1e6:g} M")
    axes.grid(alpha=0.3)
    if len(axes.lines) > _MOST_INSIDE:
        figure.legend(loc="outside right upper")
    else:
        axes.legend(loc="lower right")
    figure.savefig(path, dpi=120)
