"""A run that begins with another network's weights."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from agents.checkpoints import SETTINGS, CheckpointError, load_model
from agents.export import main as export
from agents.policies.sb3_policy import SB3Policy
from agents.pretrained import load
from agents.settings import command_of
from agents.training.starting import begin_from, weights_of
from mustang_env import GAME
from tablezoo.registration import find_game

from .helpers import error_of, latest, train
from .policies import fresh, views_at

#: So slow that what it learns does not show.
STILL = ["--steps", "256", "--seed", "1", "--lr", "1e-12", "--lr-end", "0"]


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = tmp_path_factory.mktemp("starting") / "first"
    assert train(run, "--steps", "256") == 0
    assert export([str(run), "--out", str(run / "first.npz")]) == 0
    return run


@pytest.mark.parametrize("what", ["", "first.npz", "checkpoint"])
def test_a_run_begins_with_the_weights_of_another(
    first: Path, what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    checkpoint = str(first / latest(first)["checkpoint"])
    start = checkpoint if what == "checkpoint" else str(first / what)
    assert train(tmp_path / "run", *STILL, "--start", start) == 0
    named = start if what == "first.npz" else checkpoint  # the run may go on
    assert f"begins with the weights of {named}\n" in capsys.readouterr().out
    assert f" --start {named}" in command_of(json.loads((tmp_path / "run" / SETTINGS).read_text()))
    made, wanted = weights_of(str(tmp_path / "run"), GAME), weights_of(checkpoint, GAME)
    for name, weights in wanted.items():
        np.testing.assert_allclose(made[name], weights, rtol=0, atol=1e-6)


def test_a_folder_may_have_the_name_of_an_agent(first: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(first, "search")
    assert train(tmp_path / "run", *STILL, "--start", "search") == 0
    pinned = str(Path("search") / latest(first)["checkpoint"])
    assert json.loads((tmp_path / "run" / SETTINGS).read_text())["start"] == pinned


def test_without_it_a_network_is_fresh(first: Path, tmp_path: Path) -> None:
    assert train(tmp_path / "run", *STILL) == 0
    name = "action_net.weight"
    assert np.abs(weights_of(str(tmp_path / "run"), GAME)[name] - weights_of(str(first), GAME)[name]).max() > 1e-3


@pytest.mark.parametrize(("game", "variant"), [("stabletimes", "1"), ("mustang", "2")])
def test_a_pretrained_policy_plays_on_as_it_was(game: str, variant: str) -> None:
    found = find_game(game)
    model = fresh(game, net=(128, 128))
    begin_from(model, f"pretrained:{variant}", found)
    views = views_at(found, [2])
    np.testing.assert_allclose(
        SB3Policy(model).probabilities(views), load(game, variant).probabilities(views), rtol=0, atol=1e-5
    )


@pytest.mark.parametrize(
    ("start", "told"),
    [
        ("greedy", "start 'greedy' is no network; expected pretrained:VARIANT, or the path of an .npz, a checkpoint"),
        ("pretrained", "start 'pretrained' is no network"),
        ("pretrained:9", "no pretrained policy '9' of Mustang"),
        ("runs/nothing", "runs/nothing: not there; expected a checkpoint (.zip) or the folder of a training run"),
        ("nothing.npz", "nothing.npz: not there; expected a policy (.npz)"),
        ("pretrained:2", "another network than the run's, see --network and --net: action_net.weight is (169, 128)"),
        (str(Path("agents/pretrained/fable-2.npz").absolute()), "trained for fable_v0, not for mustang_v0"),
    ],
)  # fmt: skip
def test_what_no_run_can_begin_with_is_refused(
    tmp_path: Path, start: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert told in error_of(capsys, train(tmp_path / "run", "--start", start))
    assert not (tmp_path / "run").exists()


def test_nothing_is_loaded_where_it_does_not_fit(first: Path) -> None:
    model = fresh("mustang")
    before = {name: weights.clone() for name, weights in model.policy.state_dict().items()}
    with pytest.raises(CheckpointError, match=r"is .*, here "):
        begin_from(model, str(first), GAME)
    assert all((weights == before[name]).all() for name, weights in model.policy.state_dict().items())
    assert load_model(first, GAME).num_timesteps == 256
