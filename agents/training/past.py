"""What became of a run that played against itself: its snapshots against each other, and how varied they play."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tablezoo.batch import Batch
from tablezoo.game import Game
from tablezoo.policies import Views
from tablezoo.rng import OPPONENTS, seed_streams

from .. import tournament
from ..policies.numpy_policy import NumpyPolicy
from ..settings import Settings
from ..tournaments.standings import Results

#: So many snapshots meet, spread over the run, the first and the last among them.
_SHOWN = 6
#: Games against itself by which a policy's variety is measured, and the decisions looked at.
_GAMES, _DECISIONS = 64, 40


def compare(settings: Settings, folder: Path, game: Game, snapshots: Sequence[Path], games: int) -> list[str]:
    """Play the snapshots against each other and greedy; write tables and a picture, and return what they say in lines.

    What was played before, by the same snapshots, is not played again.

    Args:
        snapshots: their files, the first one first.
        games: of each pair.

    Raises:
        CheckpointError: a snapshot is damaged, or the folder of the results is another tournament's, or in use.
    """
    if len(snapshots) < 2:
        return [f"{len(snapshots)} snapshot{'s' * (len(snapshots) != 1)}: too few to compare (see --snapshot-every)"]
    places = np.unique(np.linspace(0, len(snapshots) - 1, _SHOWN).round().astype(int))
    shown = [NumpyPolicy.load(snapshots[place], game) for place in places]
    players = settings.players[0]
    weights = hashlib.sha256(" ".join(one.fingerprint for one in shown).encode()).hexdigest()[:8]
    place = folder / f"past_{weights}"  # a run that goes on later has other snapshots
    results = tournament.play(
        game, [*shown, "greedy"], players, max(games, 2 * players), settings.seed, settings.threads,
        folder=place, progress=True, **settings.dealt,
    )  # fmt: skip
    return [*_progress(results, len(shown)), *_variety(game, shown, settings), f"snapshots against each other: {place}"]


def _progress(results: Results, count: int) -> list[str]:
    """Say how many later snapshots beat earlier ones, and which do not: a run that goes in circles shows it here."""
    pairs = list(itertools.combinations(range(count), 2))
    shares = {(early, late): results.pair(late, early) for early, late in pairs}
    better = [pair for pair, (share, half) in shares.items() if share - half > results.even]
    worse = [pair for pair, (share, half) in shares.items() if share + half < results.even]
    lines = [f"of {len(pairs)} pairs of snapshots the later one is stronger in {len(better)}, weaker in {len(worse)}"]
    for early, late in worse:
        names = [results.plan.entrants[agent].label for agent in (late, early)]
        lines.append(f"  {names[0]} wins {100 * shares[early, late][0]:.1f} % against the earlier {names[1]}")
    return lines


def _variety(game: Game, shown: Sequence[NumpyPolicy], settings: Settings) -> list[str]:
    """Say how open the first and the last snapshot's choices are: a run that has collapsed to one line is near 0."""
    first, last = (variety(game, policy, settings) for policy in (shown[0], shown[-1]))
    names = shown[0].name, shown[-1].name
    return [f"entropy of choices, of the most there can be: {first:.2f} at {names[0]}, {last:.2f} at {names[1]}"]


def variety(game: Game, policy: NumpyPolicy, settings: Settings) -> float:
    """Return the mean entropy of a policy's choices in games against itself, as a share of that of uniform choice."""
    batch = Batch(game, _GAMES, settings.players[0], seed=settings.seed, **settings.dealt)
    streams = seed_streams(settings.seed, _GAMES, OPPONENTS)
    found: list[float] = []
    for _ in range(_DECISIONS):
        views = Views(batch, np.arange(_GAMES), streams)
        chances = policy.probabilities(views)
        logs = np.log(chances, where=chances > 0, out=np.zeros_like(chances))
        most = np.log(views.action_mask.sum(axis=1))
        found += list(-(chances * logs).sum(axis=1) / most)
        batch.step(policy.act(views))
    return float(np.mean(found))
