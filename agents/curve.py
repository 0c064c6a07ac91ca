"""The picture of a training run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

_COLOURS = {"random": "tab:blue", "greedy": "tab:orange"}


def draw_curve(metrics: Sequence[Mapping[str, Any]], path: Path, title: str, players: int) -> None:
    """Draw win rate over steps against each opponent evaluated, with bands of 95 %, to a PNG."""
    figure = Figure(figsize=(8, 5), layout="constrained")  # without pyplot, whose backend is the user's choice
    axes = figure.subplots()
    for name in sorted({name for row in metrics for name in row["win_rates"]}):
        points = [(row["steps"], *row["win_rates"][name]) for row in metrics if name in row["win_rates"]]
        steps, rates, halves = (list(column) for column in zip(*points, strict=True))
        colour = _COLOURS.get(name, "tab:green")
        axes.plot(steps, rates, marker="o", markersize=3, color=colour, label=f"against {name}")
        low = [rate - half for rate, half in zip(rates, halves, strict=True)]
        high = [rate + half for rate, half in zip(rates, halves, strict=True)]
        axes.fill_between(steps, low, high, color=colour, alpha=0.2, linewidth=0)
    axes.axhline(1 / players, color="grey", linestyle="--", linewidth=1, label="an even share")
    axes.set(title=title, xlabel="learner's decisions", ylabel="win rate (bands: 95 %)", ylim=(0, 1))
    axes.xaxis.set_major_formatter(lambda value, _: f"{value / 1e6:g} M")
    axes.grid(alpha=0.3)
    axes.legend(loc="lower right")
    figure.savefig(path, dpi=120)
