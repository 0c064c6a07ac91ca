"""The card of a policy: what it is, how it was trained, what was measured of it and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tablezoo.game import Game

from ..checkpoints import CheckpointError
from ..players import told_players
from ..pretrained import FOLDER
from .policy_file import About, PolicyFile

#: So many evaluations of the training are shown, spread over it, the last one among them.
_SHOWN = 12


def card(
    file: PolicyFile,
    path: Path,
    game: Game,
    metrics: Sequence[Mapping[str, Any]],
    results: Sequence[Mapping[str, Any]],
    picture: str | None,
) -> str:
    """Return a card in Markdown.

    Args:
        file: the policy; ``path``: where it lies, or is to.
        metrics: the evaluations while it trained, as a run's ``metrics.jsonl`` has them.
        results: matches, as :func:`agents.results.read_results` returns them.
        picture: the name of a picture of the learning curve beside the card; None for none.

    Raises:
        CheckpointError: a match in which this policy did not play.
    """
    about = file.about
    linked = " ([how to load it](../../docs/pretrained.md))" if path.parent.absolute() == FOLDER.absolute() else ""
    parts = [
        f"# {path.stem}",
        f"{game.title} for {told_players(about.players)}: a network trained with MaskablePPO, which plays with NumPy "
        f"alone{linked}.",
        _table(["", ""], _facts(file, path.name)),
        "## Measured",
        _measured(about, results),
        "## While it trained",
        f"![Learning curve]({picture})" if picture else "",
        _curve(metrics),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _facts(file: PolicyFile, name: str) -> list[list[str]]:
    about, size = file.about, len(file.to_bytes())
    kind, shape = about.network["kind"], about.network
    numbers = sum(array.size for array in file.arrays.values())
    if kind == "mlp":
        towers = [
            f"{' x '.join(map(str, shape[tower])) or 'no layer'} for the {tower}" for tower in ("policy", "value")
        ]
        kind = f"mlp, {', '.join(towers)}, {shape['activation']}"
    rows = [
        ["file", f"`{name}`, {size / 1e6:.2f} MB"],
        ["checksum of its arrays", f"`{about.checksum}`"],
        ["licence", "MIT, as tablezoo"],
        ["game", f"`{about.game}`, observations of {about.observation_size} entries (layout "
         f"`{about.observation_layout}`), {about.num_actions} actions (layout `{about.action_layout}`)"],
        ["network", f"{kind}; {numbers:,} numbers"],
        ["trained for", told_players(about.players)],
        ["trained on content", ", ".join(about.content)],
        ["trained with options", ", ".join(f"`{option}`" for option in about.option)],
        ["trained with", f"`{about.command}`"],
        ["seed", str(about.seed)],
        ["decisions of the learner", f"{about.steps:,}"],
        ["trained at commit", about.trained_at or "not recorded"],
        ["exported", f"with tablezoo {about.tablezoo}, commit {about.exported_at or 'not recorded'}"],
    ]  # fmt: skip
    return [row for row in rows if row[1]]


def _measured(about: About, results: Sequence[Mapping[str, Any]]) -> str:
    if not results:
        return "Nothing was measured of this file; below is what the run measured while it trained."
    rows = [_match(about, row) for row in sorted(results, key=lambda row: row["players"])]
    return (
        "Each deal is played in every rotation of the seats, the policy draws its actions; the intervals are of 95 %, "
        "clustered by deal. Numbers of players and opponents that are not listed were not measured.\n\n"
        + _table(["players", "against", "win rate", "an even share", "mean score", "games", "command"], rows)
    )


def _match(about: About, row: Mapping[str, Any]) -> list[str]:
    seats = [seat for seat, agent in enumerate(row["agents"]) if agent["checksum"] == about.checksum]
    if row["game"] != about.game or not seats:
        raise CheckpointError(
            f"results of {row['command']!r}: this policy, of {about.game} with checksum {about.checksum[:12]}, "
            f"did not play there"
        )
    agent = row["agents"][seats[0]]
    others = [
        "itself" if seat in seats else other["agent"] for seat, other in enumerate(row["agents"]) if seat != seats[0]
    ]
    against = ", ".join(
        f"{name} in {others.count(name)} seats" if others.count(name) > 1 else name for name in dict.fromkeys(others)
    )
    won = f"{_percent(*agent['win_rate'])}" if agent["win_rate"] else ""
    note = f" ({row['note']})" if row["note"] else ""
    score = "{:.1f} ± {:.1f}".format(*agent["mean_score"])
    share = f"{100 / row['players']:.1f} %" if agent["win_rate"] else ""
    return [
        str(row["players"]),
        (against or "alone") + note,
        won,
        share,
        score,
        f"{row['games']:,}",
        f"`{row['command']}`",
    ]


def _curve(metrics: Sequence[Mapping[str, Any]]) -> str:
    if not metrics:
        return "No evaluations are kept of the training."
    metrics = list({row["steps"]: row for row in metrics}.values())  # the last of each step counts
    last = len(metrics) - 1
    kept = sorted({round(place * last / (_SHOWN - 1)) for place in range(_SHOWN)})
    kind = "scores" if "scores" in metrics[-1] else "win_rates"
    names = sorted({name for row in metrics for name in row.get(kind, {})})
    heading = ["decisions", "deals", *(name if kind == "scores" else f"against {name}" for name in names)]
    rows = []
    for row in (metrics[place] for place in kept):
        measured = row.get(kind, {})
        told = [
            ""
            if name not in measured
            else _percent(*measured[name])
            if kind == "win_rates"
            else "{:.1f} ± {:.1f}".format(*measured[name])
            for name in names
        ]
        rows.append([f"{row['steps']:,}", str(row.get("deals", "")), *told])
    return _table(heading, rows)


def _percent(rate: float, half: float) -> str:
    return f"{100 * rate:.1f} % ± {100 * half:.1f}"


def _table(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heading, ["---"] * len(heading), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
