"""Windows made into rows, and rows into a table or a plot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from agents.command_line import align
from benchmarks.starts import Start
from benchmarks.windows import Case, Window, median

Row = dict[str, Any]


def make_row(game: str, case: Case, windows: Sequence[Window], start: Start | None) -> Row:
    """Return one configuration's figures, medians over its windows; None where a face has no such figure."""
    included = case.choice_included
    rates = sorted(1e9 / (w.step_ns + w.choose_ns * included) for w in windows)
    with_choice = [1e9 / (w.step_ns + w.choose_ns) for w in windows]
    floor_ratios = [None if w.floor_ns is None else w.floor_ns / w.step_ns for w in windows]
    return {
        "game": game,
        "face": case.face,
        "players": case.players,
        "games": case.games,
        "threads": case.threads,
        "decisions_per_s": median(rates),
        "decisions_per_s_min": rates[0],
        "decisions_per_s_max": rates[-1],
        "choice_included": included,
        "with_choice_per_s": median(with_choice),
        "floor_ratio": median(floor_ratios),
        "step_ns": median([w.step_ns for w in windows]),
        "choose_ns": median([w.choose_ns for w in windows]),
        "floor_ns": median([w.floor_ns for w in windows]),
        "clone_us": median([w.clone_us for w in windows]),
        "clone_one_us": median([w.clone_one_us for w in windows]),
        "record_us": median([w.record_us for w in windows]),
        "cold_start_s": None if start is None else start.cold_s,
        "warm_start_s": None if start is None else start.warm_s,
        "imports_s": None if start is None else start.imports_s,
        "windows": len(windows),
        "decisions": sum(w.decisions for w in windows),
    }


_COLUMNS = (
    ("face", "", "{face}"),
    ("players", "", "{players}"),
    ("games", "", "{games:,}"),
    ("threads", "", "{threads}"),
    ("decisions/s", "median", "{decisions_per_s:,.0f}"),
    ("lowest to highest", "of the windows", "{decisions_per_s_min:,.0f} to {decisions_per_s_max:,.0f}"),
    ("with choice", "1/s", "{with_choice_per_s:,.0f}"),
    ("choice", "ns", "{choose_ns:,.0f}"),
    ("step", "ns", "{step_ns:,.0f}"),
    ("floor", "ns", "{floor_ns:,.0f}"),
    ("floor/step", "", "{floor_ratio:.3f}"),
    ("clone", "µs a game", "{clone_us:.2f}"),
    ("of one", "µs", "{clone_one_us:.1f}"),
    ("record", "µs", "{record_us:.3f}"),
)


_SHORT = 8


def table(rows: Sequence[Row], short: bool = False) -> list[str]:
    """Return the figures as lines of aligned text; short leaves the last columns out."""
    columns = _COLUMNS[:_SHORT] if short else _COLUMNS
    body = [[_cell(form, row) for _, _, form in columns] for row in rows]
    return align([[title for title, _, _ in columns], [unit for _, unit, _ in columns], *body])


def starts_table(starts: Mapping[str, Start]) -> list[str]:
    """Return cold and warm starts as lines of aligned text."""
    head = [["first step of", "cold", "warm", "imports"], ["", "s", "s", "s, apart"]]
    body = [[face, f"{s.cold_s:.1f}", f"{s.warm_s:.2f}", f"{s.imports_s:.2f}"] for face, s in starts.items()]
    return align([*head, *body])


def _cell(form: str, row: Row) -> str:
    name = form[1:].partition(":")[0].partition("}")[0]
    return "-" if row[name] is None else form.format(**row)


def plot(title: str, rows: Sequence[Row], path: Path) -> None:
    """Draw decisions per second of the batch over its size, a line for each number of players and threads."""
    import matplotlib  # an extra of the project: only where a plot is drawn

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 5), layout="constrained")
    batches = [row for row in rows if row["face"] == "batch"]
    for players, threads in sorted({(row["players"], row["threads"]) for row in batches}):
        line = [row for row in batches if (row["players"], row["threads"]) == (players, threads)]
        line.sort(key=lambda row: row["games"])
        label = f"{players} players, {threads} thread{'s' * (threads > 1)}"
        draw_rates(axes, line, label, threads, markersize=4)
    scale_to_sizes(axes, batches)
    axes.set_title(f"{title}: random play through Batch.step (median; bars: all windows)", fontsize=10)
    axes.grid(alpha=0.3, which="both")
    axes.legend()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=130)
    pyplot.close(figure)


def draw_rates(axes: Any, line: Sequence[Row], label: str, threads: int, **style: Any) -> None:
    """Draw rows' rates over their batch sizes, with bars over all windows; dashed with more than one thread."""
    rates = [row["decisions_per_s"] for row in line]
    down = [row["decisions_per_s"] - row["decisions_per_s_min"] for row in line]
    up = [row["decisions_per_s_max"] - row["decisions_per_s"] for row in line]
    shape = "o-" if threads == 1 else "s--"
    axes.errorbar([row["games"] for row in line], rates, [down, up], fmt=shape, capsize=3, label=label, **style)


def scale_to_sizes(axes: Any, batches: Sequence[Row]) -> None:
    """Give logarithmic axes of rates over batch sizes their names, and a tick for each size."""
    axes.set(xscale="log", yscale="log", xlabel="games in the batch", ylabel="decisions per second")
    sizes = sorted({row["games"] for row in batches})
    axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
    axes.minorticks_off()
