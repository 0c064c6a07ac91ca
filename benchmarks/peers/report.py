"""What was measured, made into rows, and rows into a table, ratios and a plot."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agents.command_line import align
from benchmarks.peers.catalogue import SHARED, TABLEZOO, TITLES
from benchmarks.peers.measuring import Failure, Measured
from benchmarks.report import draw_rates, scale_to_sizes

Row = dict[str, Any]

#: The batch of tablezoo's that libraries without batches are compared with; the largest measured, if it is not.
_USUAL_SIZE = 1024


def make_rows(measured: Sequence[Measured]) -> list[Row]:
    """Return the figures, by game in the catalogue's order, tablezoo first."""
    rows = [_row(one) for one in measured]
    for row in rows:
        row["tablezoo_is_times"] = _ratios(row, rows)
    order = list(TITLES)
    return sorted(rows, key=lambda row: order.index(row["game"]))


def failure_rows(failures: Sequence[Failure]) -> list[Row]:
    """Return what could not be measured, as rows."""
    return [{"peer": one.peer.name, "what": one.what, "why": one.why} for one in failures]


def _row(one: Measured) -> Row:
    rates = [decisions / seconds for decisions, seconds in one.windows]
    return {
        "game": one.game,
        "peer": one.peer.name,
        "title": one.peer.title,
        "version": one.versions[one.peer.library],
        "versions": one.versions,
        "batched": one.peer.batched,
        "games": one.size,
        "threads": one.threads,
        "decisions_per_s": statistics.median(rates),
        "decisions_per_s_min": min(rates),
        "decisions_per_s_max": max(rates),
        "windows": len(rates),
        "decisions": sum(decisions for decisions, _ in one.windows),
        "observation": one.observation,
        "actions": one.actions,
        "variant": one.peer.games[one.game],
    }


def _ratios(row: Row, rows: Sequence[Row]) -> dict[str, float]:
    """Return how many times a row's rate tablezoo's is, by tablezoo's number of threads; of shared games alone.

    A batch is compared at its own size and number of threads. A library without batches, which has one thread, is
    compared with each number of threads.
    """
    if row["game"] not in SHARED or row["peer"] == TABLEZOO.name:
        return {}
    ours = [one for one in rows if one["peer"] == TABLEZOO.name and one["game"] == row["game"]]
    if row["batched"]:
        ours = [one for one in ours if (one["games"], one["threads"]) == (row["games"], row["threads"])]
    else:
        sizes = {one["games"] for one in ours}
        size = _USUAL_SIZE if _USUAL_SIZE in sizes else max(sizes, default=0)
        ours = [one for one in ours if one["games"] == size]
    return {str(one["threads"]): one["decisions_per_s"] / row["decisions_per_s"] for one in ours}


def table(rows: Sequence[Row]) -> list[str]:
    """Return the figures as lines of aligned text."""
    head = [
        [
            "game",
            "library",
            "batch",
            "threads",
            "decisions/s",
            "lowest to highest",
            "tablezoo is",
            "observation",
            "actions",
        ],
        ["", "", "", "", "median", "of the windows", "times", "", ""],
    ]
    return align([*head, *(_cells(row) for row in rows)], left=2)


def _cells(row: Row) -> list[str]:
    return [
        TITLES[row["game"]],
        f"{row['title']} {row['version']}",
        f"{row['games']:,}" if row["batched"] else "-",
        str(row["threads"]),
        f"{row['decisions_per_s']:,.0f}",
        f"{row['decisions_per_s_min']:,.0f} to {row['decisions_per_s_max']:,.0f}",
        " / ".join(f"{times:.3g}" for times in row["tablezoo_is_times"].values()) or "-",
        row["observation"],
        str(row["actions"]),
    ]


def variants(rows: Sequence[Row]) -> list[str]:
    """Return what each library plays, in words, a line each."""
    told = dict.fromkeys((TITLES[row["game"]], row["title"], row["variant"]) for row in rows)
    return align(list(told), left=3)


def versions(rows: Sequence[Row]) -> list[str]:
    """Return the versions that each library was measured with, a line each."""
    found = {row["peer"]: ", ".join(f"{name} {number}" for name, number in row["versions"].items()) for row in rows}
    return align(list(found.items()), left=2)


def failures_told(failures: Sequence[Row]) -> list[str]:
    """Return what could not be measured, a line each."""
    return [f"not measured: {one['peer']}, {one['what']}: {one['why']}" for one in failures]


def plot(rows: Sequence[Row], path: Path) -> None:
    """Draw the shared games over the batch size, and the libraries' own games as points."""
    import matplotlib  # an extra of the project: only where a plot is drawn

    matplotlib.use("Agg")
    from matplotlib import pyplot

    shared = [game for game in SHARED if any(row["game"] == game for row in rows)]
    own = _best_of_own(rows)
    panels = len(shared) + bool(own)
    figure, axes = pyplot.subplots(1, panels, figsize=(6 * panels, 5), layout="constrained", squeeze=False)
    for game, panel in zip(shared, axes[0], strict=False):
        _draw_shared(panel, game, [row for row in rows if row["game"] == game])
    if own:
        _draw_own(axes[0][-1], own)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=130)
    pyplot.close(figure)


def _draw_shared(axes: Any, game: str, rows: Sequence[Row]) -> None:
    """A line for each library and number of threads; a level line for a library without batches."""
    for title, threads in dict.fromkeys((row["title"], row["threads"]) for row in rows):
        line = [row for row in rows if (row["title"], row["threads"]) == (title, threads)]
        label = f"{title}, {threads} thread{'s' * (threads > 1)}"
        if not line[0]["batched"]:
            axes.axhline(line[0]["decisions_per_s"], linestyle=":", color=axes._get_lines.get_next_color(), label=label)
        else:
            draw_rates(axes, line, label, threads)
    scale_to_sizes(axes, [row for row in rows if row["batched"]])
    axes.set_title(TITLES[game])
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)


def _best_of_own(rows: Sequence[Row]) -> list[Row]:
    """Return, for each library's game of its own, its best row on one thread."""
    best: dict[tuple[str, str], Row] = {}
    for row in rows:
        key = (row["game"], row["title"])
        if row["game"] in SHARED or row["threads"] > 1:
            continue
        if key not in best or row["decisions_per_s"] > best[key]["decisions_per_s"]:
            best[key] = row
    return sorted(best.values(), key=lambda row: row["decisions_per_s"])


def _draw_own(axes: Any, rows: Sequence[Row]) -> None:
    names = [f"{row['title']}: {TITLES[row['game']]}" for row in rows]
    axes.plot([row["decisions_per_s"] for row in rows], names, "o")
    axes.set(xscale="log", xlabel="decisions per second", title="games of their own, for scale: 1 thread, best batch")
    axes.grid(alpha=0.3)
