"""The picture of a tournament: who beats whom."""

from __future__ import annotations

import textwrap
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.colors import TwoSlopeNorm
from matplotlib.figure import Figure

from .report import matrix_title
from .standings import Results

_COLOURS = "RdBu"
_CELL, _LABEL = 1.0, 24


def draw_matrix(results: Results, path: Path) -> None:
    """Draw the pairwise matrix, the best agent first, with each share's interval, to a PNG; an even share is white."""
    plan, order = results.plan, results.order
    labels = ["\n".join(textwrap.wrap(plan.entrants[agent].label, _LABEL, break_on_hyphens=False)) for agent in order]
    shares = np.array(
        [[np.nan if one == other else results.pair(one, other)[0] for other in order] for one in order], np.float64
    )
    side = _CELL * len(order)
    figure = Figure(figsize=(side + 4, side + 2.5), layout="constrained")  # without pyplot: its backend is the user's
    axes = figure.subplots()
    colours = matplotlib.colormaps[_COLOURS].with_extremes(bad="0.85")
    norm = TwoSlopeNorm(results.even, 0, 1)
    image = axes.imshow(shares, cmap=colours, norm=norm)
    for (row, column), share in np.ndenumerate(shares):
        if row == column:
            continue
        half = results.pair(order[row], order[column])[1]
        colour = "white" if abs(norm(share) - 0.5) > 0.3 else "black"
        text = f"{100 * share:.1f} %\n± {100 * half:.1f}"
        axes.text(column, row, text, ha="center", va="center", color=colour, fontsize=9)
    axes.set_xticks(range(len(order)), labels, rotation=45, ha="left", rotation_mode="anchor")
    axes.set_yticks(range(len(order)), labels)
    axes.tick_params(top=True, labeltop=True, bottom=False, labelbottom=False, length=0)
    figure.suptitle(_title(results), fontsize=10)
    bar = figure.colorbar(image, ax=axes, shrink=0.8, ticks=sorted({0.0, results.even, 1.0}))
    bar.ax.yaxis.set_major_formatter(lambda share, _: f"{100 * share:.3g} %")
    figure.savefig(path, dpi=130)


def _title(results: Results) -> str:
    plan = results.plan
    table = "solo" if plan.players == 1 else f"{plan.players} players"
    about = "\n".join(textwrap.wrap(matrix_title(results), 60))
    return f"{plan.game.title}, {table}, {plan.games_each:,} games a line-up, seed {plan.seed}\n{about}"
