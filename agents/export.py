"""A trained network as a file that plays with NumPy alone: ``python -m agents.export RUN``."""

from __future__ import annotations

if __name__ == "__main__":
    from .command_line import start

    start("export")

import argparse
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import MlpExtractor
from torch import nn

import tablezoo
from tablezoo.batch import Batch
from tablezoo.game import Game
from tablezoo.keywords import integer_of
from tablezoo.policies import Views
from tablezoo.registration import find_game
from tablezoo.rng import OPPONENTS, seed_streams

from .checkpoints import (
    CURVE,
    METRICS,
    SETTINGS,
    CheckpointError,
    checkpoint_in,
    load_model,
    read_json,
    read_metrics,
)
from .command_line import check_place, tell
from .files import write_whole
from .players import counts_of, span_of, told_players
from .policies.card import card
from .policies.numpy_policy import NumpyPolicy
from .policies.policy_file import About, PolicyFile, checksum_of
from .policies.sb3_policy import SB3Policy
from .pretrained import SUFFIX
from .results import read_results
from .settings import Settings, command_of

TOLERANCE = 1e-5
"""How far probabilities may be from SB3's: sums in another order differ by some 1e-7."""
_CHECKED = 64
"""Positions, for each number of players, in which the file is compared with the checkpoint."""
_ACTIVATIONS = {nn.ReLU: "relu", nn.Tanh: "tanh"}


def policy_file(
    model: MaskablePPO, game: Game, settings: dict[str, Any], players: Sequence[int], trained_at: str | None = None
) -> PolicyFile:
    """Return a model of ``game`` as a file holds it.

    Args:
        settings: as the run's ``settings.json`` has them.
        players: the numbers of players that it was trained for, ascending.
        trained_at: the commit, if known.

    Raises:
        CheckpointError: a network that has no form in NumPy.
    """
    arrays = {name: weights.numpy(force=True) for name, weights in model.policy.state_dict().items()}
    about = About(
        game=game.id,
        observation_size=game.observation_size,
        num_actions=game.num_actions,
        observation_layout=game.observation_layout.digest(),
        action_layout=game.action_layout.digest(),
        network={"kind": "horses"} if settings["network"] == "horses" else _mlp(model),
        players=list(players),
        content=list(settings["content"]),
        option=list(settings["option"]),
        command=command_of(settings),
        seed=settings["seed"],
        steps=int(model.num_timesteps),
        trained_at=trained_at,
        exported_at=_commit(),
        tablezoo=tablezoo.__version__,
        checksum=checksum_of(arrays),
    )
    return PolicyFile(about, arrays)


def _mlp(model: MaskablePPO) -> dict[str, Any]:
    """Return what a header says of a plain network."""
    made: Any = model.policy.mlp_extractor
    if not isinstance(made, MlpExtractor):
        raise CheckpointError(f"its network is a {type(made).__name__}; only mlp and horses have a form in NumPy")
    towers = {"policy": made.policy_net, "value": made.value_net}
    layers = {
        name: [layer.out_features for layer in tower if isinstance(layer, nn.Linear)] for name, tower in towers.items()
    }
    between = {type(layer) for tower in towers.values() for layer in tower if not isinstance(layer, nn.Linear)}
    if len(between) > 1 or not between <= set(_ACTIVATIONS):
        names = ", ".join(sorted(kind.__name__ for kind in between))
        raise CheckpointError(f"its activations are {names}; expected one of {', '.join(_ACTIVATIONS.values())}")
    return {"kind": "mlp", "activation": _ACTIVATIONS[between.pop()] if between else "relu", **layers}


def check_same(model: MaskablePPO, file: PolicyFile, game: Game) -> None:
    """Refuse a file that does not decide as its model does, at any number of players.

    Raises:
        CheckpointError
    """
    theirs, ours = SB3Policy(model), NumpyPolicy(file, game)
    rng = np.random.default_rng(0)
    for players in range(game.min_players, game.max_players + 1):
        batch = Batch(game, _CHECKED, players, seed=0)
        for _ in range(40):
            batch.step(batch.random_actions(rng))
        views = Views(batch, np.arange(_CHECKED), seed_streams(0, _CHECKED, OPPONENTS))
        far = np.abs(theirs.probabilities(views) - ours.probabilities(views)).max()
        if not far <= TOLERANCE:
            raise CheckpointError(f"with {players} players its probabilities are {far:.2g} from the checkpoint's")


def _commit() -> str | None:
    """Return the commit of the clone that this file is in, with a plus if something is changed; None outside of one."""
    root = Path(__file__).parents[1]
    if not (root / ".git").exists():
        return None
    try:
        commit, changes = (
            subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True).stdout.strip()
            for words in (["rev-parse", "--short=12", "HEAD"], ["status", "--porcelain", "--untracked-files=no"])
        )
    except (OSError, subprocess.CalledProcessError):
        return None  # no git here, or one that does not trust the folder
    return f"{commit}+" if changes else commit


# --- the command line -------------------------------------------------------------------------------------------------


def _players_of(text: str | None, trained: Sequence[int], game: Game) -> list[int]:
    """Return the numbers that ``--players`` lists, as ``2`` or ``2-5``; by default the run's."""
    if text is None:
        return list(trained)
    try:
        counts = counts_of(text)
    except ValueError as error:
        raise ValueError(f"--players: {error}") from None
    for count in counts:
        integer_of("--players", count, game.min_players, game.max_players)
    if left_out := sorted(set(trained) - set(counts)):
        raise ValueError(f"--players {text} leaves out {span_of(left_out)}, which the run was trained for")
    return list(counts)


def _read_settings(path: Path) -> dict[str, Any]:
    """Return a run's settings, checked; of the device only that it is told: the run may be another machine's."""
    given = read_json(path)
    checked = Settings.from_json({**given, "device": "cpu"} if "device" in given else given, path)
    return {**checked.to_json(), "device": given["device"]}


def _check_out(path: Path, file: PolicyFile, replace: bool) -> None:
    """Refuse to write over something else: the same network may be written again."""
    if path.suffix != SUFFIX:
        raise ValueError(f"--out {path}: expected a name that ends in {SUFFIX}")
    check_place("--out", path)
    if path.is_dir():
        raise ValueError(f"--out {path} is a folder; expected a file")
    if not path.exists() or replace:
        return
    try:
        there = PolicyFile.load(path).about.checksum
    except CheckpointError:
        there = None
    if there != file.about.checksum:
        raise ValueError(f"--out {path} is there already and holds something else: choose another, or add --replace")


def _card(file: PolicyFile, path: Path, game: Game, run: Path, results: Sequence[Path]) -> dict[Path, str | bytes]:
    """Return what goes beside the policy at ``path``, by its place: the card, and the run's picture if there is one."""
    metrics, _ = read_metrics(run / METRICS)
    metrics = [row for row in metrics if row["steps"] <= file.about.steps]
    matches = [row for source in results for row in read_results(source)]
    picture = path.with_suffix(".png")
    drawn = (run / CURVE).is_file()
    made: dict[Path, str | bytes] = {picture: (run / CURVE).read_bytes()} if drawn else {}
    made[path.with_suffix(".md")] = card(file, path, game, metrics, matches, picture.name if drawn else None)
    return made


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m agents.export",
        description="Write a trained network as a file that plays with NumPy alone, and a card that tells what it is.",
        epilog="example: python -m agents.export runs/first --out first.npz --card results.jsonl, where "
        "python -m agents.evaluate mustang --agents first.npz greedy --json printed results.jsonl",
    )
    parser.add_argument("checkpoint", type=Path, help="the folder of a training run, or a checkpoint in one")
    parser.add_argument("--out", type=Path, help="the file (default: GAME-PLAYERS.npz in the run's folder)")
    parser.add_argument(
        "--players", metavar="N-M", help="the numbers it was trained for, where the last run had not all"
    )
    parser.add_argument("--trained-at", metavar="COMMIT", help="where it was trained, for the card")
    parser.add_argument(
        "--card", type=Path, nargs="*", metavar="RESULTS", help="write a card too, with these results of evaluations"
    )
    parser.add_argument("--replace", action="store_true", help="write over another file at --out")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; see ``--help``. Returns 0, or 2 for a bad call."""
    chosen = _parser().parse_args(arguments)
    try:
        _export(chosen)
    except (ValueError, TypeError, OSError) as error:
        return tell(error)
    return 0


def _export(chosen: argparse.Namespace) -> None:
    checkpoint = checkpoint_in(chosen.checkpoint)
    run = checkpoint.parent
    settings = _read_settings(run / SETTINGS)
    game = find_game(settings["game"])
    players = _players_of(chosen.players, settings["players"], game)
    path = chosen.out or run / f"{game.name}-{span_of(players)}{SUFFIX}"
    model = load_model(checkpoint, game)
    try:
        file = policy_file(model, game, settings, players, chosen.trained_at)
        check_same(model, file, game)
    except CheckpointError as error:
        raise CheckpointError(f"{checkpoint}: {error}") from error
    _check_out(path, file, chosen.replace)
    beside = {} if chosen.card is None else _card(file, path, game, run, chosen.card)
    path.parent.mkdir(parents=True, exist_ok=True)
    file.save(path)
    for place, data in beside.items():
        write_whole(place, data)
    print(
        f"{path}: {game.title} for {told_players(players)}, {file.about.steps:,} decisions trained, "
        f"network {file.about.network['kind']}, {path.stat().st_size / 1e6:.2f} MB, checksum {file.about.checksum[:12]}"
    )
    if beside:
        print(f"its card: {path.with_suffix('.md')}")
    if path.name.startswith(f"{game.name}-"):
        together = sum(other.stat().st_size for other in path.parent.glob(f"{game.name}-*"))
        print(f"all files of {game.name} in {path.parent}: {together / 1e6:.2f} MB")
