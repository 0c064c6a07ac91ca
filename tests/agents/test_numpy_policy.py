"""Networks in NumPy decide as the models that they come from, over whole games, whoever plays."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO

from agents.checkpoints import SETTINGS, load_model, read_json
from agents.export import policy_file
from agents.policies import numpy_policy
from agents.policies.numpy_policy import NumpyPolicy
from agents.policies.sb3_policy import SB3Policy
from agents.train import main
from tablezoo import Batch, Policy, Views
from tablezoo.game import Game
from tablezoo.registration import find_game
from tablezoo.rng import OPPONENTS, seed_streams

from .helpers import TINY
from .policies import fresh, fresh_file, settings_of, views_at

COUNTS = {"mustang": [2, 3, 4, 5], "fable": [2, 3, 4, 5], "stabletimes": [1, 2, 3, 4, 5]}
TOLERANCE = 1e-5
#: Where two choices are closer than that, sums in another order may choose the other one.
CLOSE = 1e-6


def trained(game: str, folder: Path) -> MaskablePPO:
    """A model after one rollout."""
    words = TINY if game != "stabletimes" else TINY[: TINY.index("--net")] + TINY[TINY.index("--net") + 2 :]
    assert main([game, *words, "--steps", "256", "--out", str(folder)]) == 0
    return load_model(folder, find_game(game))


@pytest.fixture(scope="module")
def model_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], tuple[MaskablePPO, NumpyPolicy]]:
    """Return a game's network in both forms, made once."""
    made: dict[tuple[str, str], tuple[MaskablePPO, NumpyPolicy]] = {}

    def make(game: str, kind: str) -> tuple[MaskablePPO, NumpyPolicy]:
        if (game, kind) not in made:
            if kind == "trained":
                folder = tmp_path_factory.mktemp("trained") / game
                model = trained(game, folder)
                settings = read_json(folder / SETTINGS)
            else:
                model, settings = fresh(game, network=kind), settings_of(game, network=kind).to_json()
            file = policy_file(model, find_game(game), settings, [2])
            made[game, kind] = model, NumpyPolicy(file, find_game(game))
        return made[game, kind]

    return make


def doubtful(probabilities: NDArray[np.float64], uniforms: NDArray[np.float64] | None) -> NDArray[np.bool_]:
    """Where a choice hangs on the last digits of sums: two likeliest actions, or a draw on the edge of two."""
    if uniforms is None:
        first, second = np.sort(probabilities, axis=1)[:, :-3:-1].T
        return np.asarray(first - second < CLOSE)
    cumulated = np.cumsum(probabilities, axis=1)
    from_edges = np.abs(cumulated - (uniforms * cumulated[:, -1])[:, None])
    return np.asarray((from_edges < CLOSE).any(axis=1))


def compare_games(game: Game, theirs: SB3Policy, ours: NumpyPolicy, lanes: int) -> int:
    """Play whole games of all numbers of players, side by side; return the number of decisions compared."""
    batch = Batch(game, lanes, COUNTS[game.name], seed=3, autoreset=False, max_turns=150)
    streams = seed_streams(7, lanes, OPPONENTS)
    compared, different = 0, 0
    while (running := np.flatnonzero(batch.seat >= 0)).size:
        copied, drawn = streams.copy(), streams.copy()
        views = Views(batch, running, streams)
        expected, found = theirs.probabilities(views), ours.probabilities(views)
        np.testing.assert_allclose(found, expected, rtol=0, atol=TOLERANCE)
        assert (found[~views.action_mask] == 0).all()
        actions = theirs.act(views)
        same = actions == ours.act(Views(batch, running, copied))
        assert np.array_equal(streams, copied)
        uniforms = None if ours.deterministic else Views(batch, running, drawn).uniforms()
        assert same[~doubtful(expected, uniforms)].all()
        compared, different = compared + running.size, different + int((~same).sum())
        batch.step(actions, games=running)
    assert different <= compared / 1000
    return compared


@pytest.mark.parametrize("deterministic", [True, False], ids=["likeliest", "drawn"])
@pytest.mark.parametrize(
    ("game", "kind"),
    [
        ("mustang", "mlp"),
        ("mustang", "trained"),
        ("fable", "mlp"),
        ("stabletimes", "horses"),
        ("stabletimes", "trained"),
        ("stabletimes", "mlp"),
    ],
)
def test_plays_whole_games_as_the_model_does(
    game: str, kind: str, deterministic: bool, model_of: Callable[[str, str], tuple[MaskablePPO, NumpyPolicy]]
) -> None:
    model, ours = model_of(game, kind)
    ours.deterministic = deterministic
    theirs = SB3Policy(model, deterministic=deterministic)
    lanes = 2 * len(COUNTS[game])
    assert compare_games(find_game(game), theirs, ours, lanes) > 20 * lanes


@pytest.mark.parametrize(("game", "kind"), [("mustang", "mlp"), ("stabletimes", "horses"), ("stabletimes", "trained")])
def test_values_are_the_models(
    game: str, kind: str, model_of: Callable[[str, str], tuple[MaskablePPO, NumpyPolicy]]
) -> None:
    model, ours = model_of(game, kind)
    views = views_at(find_game(game), COUNTS[game])
    expected = SB3Policy(model).values(views)
    assert expected.shape == (len(views),)
    assert expected.std() > 0.01
    np.testing.assert_allclose(ours.values(views), expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("net", [(), (8,), (16, 8, 4)], ids=str)
def test_other_shapes_and_activations(net: tuple[int, ...]) -> None:
    game = find_game("mustang")
    model = fresh("mustang", activation=torch.nn.Tanh, net=(16,))
    model.policy_kwargs["net_arch"] = list(net)
    spaces = (model.observation_space, model.action_space)
    other: Any = model.policy_class(*spaces, lambda _: 1e-3, **model.policy_kwargs)
    model.policy = other
    ours = NumpyPolicy(policy_file(model, game, settings_of("mustang").to_json(), [2]), game)
    views = views_at(game, 3)
    np.testing.assert_allclose(ours.probabilities(views), SB3Policy(model).probabilities(views), rtol=0, atol=1e-6)
    np.testing.assert_allclose(ours.values(views), SB3Policy(model).values(views), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("game", ["mustang", "stabletimes"])
def test_blocks_change_nothing(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    policy = NumpyPolicy(fresh_file(game, [2]))
    views = views_at(find_game(game), COUNTS[game], lanes=23)
    whole, values = policy.probabilities(views), policy.values(views)
    for block in (1, 5, 22):
        monkeypatch.setattr(numpy_policy, "BLOCK", block)
        np.testing.assert_allclose(policy.probabilities(views), whole, rtol=0, atol=1e-6)
        np.testing.assert_allclose(policy.values(views), values, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("game", ["mustang", "stabletimes"])
def test_nobody_asked_is_no_decision(game: str) -> None:
    policy = NumpyPolicy(fresh_file(game, [2]))
    views = Views(Batch(find_game(game), 3, 2, seed=0), np.arange(0), seed_streams(0, 3, OPPONENTS))
    assert policy.probabilities(views).shape == (0, find_game(game).num_actions)
    assert policy.values(views).shape == (0,)


def test_is_a_policy_with_the_game_of_its_file() -> None:
    policy = NumpyPolicy(fresh_file("mustang", [2]), name="mine")
    assert isinstance(policy, Policy)
    assert policy.game is find_game("mustang")
    assert (policy.name, policy.deterministic) == ("mine", False)


def test_views_of_another_game_are_refused() -> None:
    policy = NumpyPolicy(fresh_file("mustang", [2]), name="mine")
    views = views_at(find_game("fable"), 2, lanes=2, decisions=3)
    for ask in (policy.act, policy.values):
        with pytest.raises(ValueError, match="policy mine plays mustang_v0; the views are of fable_v0"):
            ask(views)
