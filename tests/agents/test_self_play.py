from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.checkpoints import CheckpointError
from agents.opponents import parse_opponents, rivals_of
from agents.policies.numpy_policy import NumpyPolicy
from agents.policies.policy_file import PolicyFile
from agents.policies.sb3_policy import SB3Policy
from agents.settings import Settings
from agents.train import main
from agents.training.past import variety
from agents.training.self_play import FOLDER, STATE, Record, SelfPlay
from mustang_env import GAME

from .helpers import latest, metrics, train
from .policies import fresh, fresh_file, settings_of, views_at

ITSELF = ["--opponent", "self:random", "--steps", "1024", "--snapshot-every", "256", "--snapshots", "2"]


def info(opponents: list[str], won: float) -> dict[str, Any]:
    return {"opponents": opponents, "won": won, "winners": [False] * (len(opponents) + 1)}


# --- who is met -------------------------------------------------------------------------------------------------------


def test_the_harder_an_opponent_the_more_often_it_is_met() -> None:
    records = [Record() for _ in range(3)]
    for record, won in zip(records, (0.0, 0.5, 1.0), strict=True):
        for _ in range(500):
            record.add(won, players=2)
    weights = [record.weight for record in records]
    assert weights[0] == pytest.approx(1.02, abs=0.01)
    assert weights[1] == pytest.approx(0.27, abs=0.01)
    assert weights[2] == pytest.approx(0.02, abs=0.01)


def test_an_even_share_is_as_hard_at_every_table() -> None:
    """A win in every fourth game is even with four players."""
    record = Record()
    for game in range(4000):
        record.add(float(game % 4 == 0), players=4)
    assert record.won / record.games == pytest.approx(0.5, abs=0.02)


def test_a_record_forgets() -> None:
    record = Record()
    for won in (0.0, 1.0):
        for _ in range(1000):
            record.add(won, players=2)
    assert record.weight < 0.03


def test_all_opponents_of_a_game_are_counted(tmp_path: Path) -> None:
    pool = SelfPlay(Settings("mustang", (3,), "self:random,greedy"), tmp_path, GAME)
    pool.count([info(["random", "greedy"], 1.0), info(["greedy", "greedy"], 0.0), info(["gone", "random"], 0.5)])
    assert pool.members["random"].games == pytest.approx(3, abs=0.05)
    assert pool.members["greedy"].games == pytest.approx(3, abs=0.05)
    assert pool.members["random"].won > pool.members["greedy"].won
    weights = pool.pool().weights
    assert weights[0] < weights[1]


# --- a run ------------------------------------------------------------------------------------------------------------


def test_a_run_against_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = tmp_path / "run"
    assert train(run, *ITSELF) == 0
    printed = capsys.readouterr().out
    assert "Mustang, 2 players, against its own past: 1,024 steps" in printed
    assert "of 6 pairs of snapshots the later one is stronger in" in printed
    assert "entropy of choices" in printed
    snapshots = sorted(path.name for path in (run / FOLDER).iterdir())
    assert snapshots == [f"step_{steps:010d}.npz" for steps in (256, 512, 768, 1024)]
    told = json.loads((run / STATE).read_text())
    assert "random" in told["members"]
    assert "step_0000001024" in told["members"]
    assert len(told["members"]) == 3
    (past,) = run.glob("past_*")
    results = json.loads((past / "results.json").read_text())
    assert [agent["name"] for agent in results["agents"]].count("greedy") == 1
    assert (past / "matrix.png").stat().st_size > 1000


def test_a_run_against_itself_goes_on_with_its_pool(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = tmp_path / "run"
    assert train(run, *ITSELF) == 0
    before = json.loads((run / STATE).read_text())
    assert main(["--resume", str(run), "--steps", "1280"]) == 0
    after = json.loads((run / STATE).read_text())
    assert "step_0000001280" in after["members"]
    assert latest(run)["steps"] == 1280
    assert set(after["members"]) < {*before["members"], "step_0000001280"}
    assert after["members"]["random"][0] > before["members"]["random"][0] * 0.5
    assert "of 10 pairs of snapshots" in capsys.readouterr().out


def test_a_snapshot_plays_as_the_learner_did(tmp_path: Path) -> None:
    model = fresh("mustang")
    model.num_timesteps = 300_000
    pool = SelfPlay(settings_of("mustang", opponent="self:random"), tmp_path, GAME)
    env: Any = model.get_env()
    pool.move_on(model, env.games)
    assert [policy.name for policy in env.games.policies] == ["random", "step_0000300000"]
    views = views_at(GAME, 2)
    (file,) = pool.files()
    ours, theirs = NumpyPolicy.load(file, GAME).probabilities(views), SB3Policy(model).probabilities(views)
    np.testing.assert_allclose(ours, theirs, atol=1e-5)


def test_snapshots_newer_than_the_checkpoint_are_left_out(tmp_path: Path) -> None:
    pool = SelfPlay(settings_of("mustang", opponent="self:random"), tmp_path, GAME)
    model = fresh("mustang")
    for steps in (300_000, 600_000):
        model.num_timesteps = steps
        pool._take_snapshot(model, steps)
    pool.save()
    again = SelfPlay(pool.settings, tmp_path, GAME)
    again.restore(500_000)
    assert list(again.members) == ["random", "step_0000300000"]
    assert again.newest == 300_000
    assert [path.stem for path in again.files()] == ["step_0000300000"]


def test_a_run_that_went_back_plays_no_old_tournament(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Who goes back and trains anew has other snapshots of the same names: they are compared anew."""
    run = tmp_path / "run"
    assert train(run, *ITSELF, "--checkpoint-every", "512") == 0
    before = {path.name for path in run.glob("past_*")}
    (run / "step_0000001024.zip").unlink()
    (run / "latest.json").unlink()
    assert main(["--resume", str(run)]) == 0
    assert "resumed from step 512" in capsys.readouterr().out
    assert len({path.name for path in run.glob("past_*")} - before) == 1


def test_a_damaged_snapshot_is_told_and_the_run_ends_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = tmp_path / "run"
    assert train(run, *ITSELF) == 0
    (run / FOLDER / "step_0000000256.npz").write_bytes(b"nothing")
    assert main(["--resume", str(run), "--steps", "1280"]) == 0
    printed = capsys.readouterr().out
    assert "the snapshots are not compared: " in printed
    assert "what to try next" in printed


def test_a_rival_may_not_be_called_like_a_snapshot(tmp_path: Path) -> None:
    path = tmp_path / "step_0000000256.npz"
    fresh_file("mustang", [2]).save(path)
    with pytest.raises(ValueError, match="is a snapshot's name"):
        SelfPlay(settings_of("mustang", opponent=f"self:random,{path}"), tmp_path, GAME)


def test_networks_of_one_name_are_told_apart() -> None:
    one, other = (NumpyPolicy(fresh_file("mustang", [2], seed), GAME) for seed in (0, 1))
    assert one.fingerprint != other.fingerprint
    assert one.fingerprint != NumpyPolicy(fresh_file("mustang", [2], 0), GAME, deterministic=True).fingerprint


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{}", "expected the records of a run against itself"),
        ("[]", "expected a JSON object"),
        ('{"members": {"random": [1]}}', "expected the records"),
        ('{"members": {"random": [0, 0]}}', "a record of 0 in 0 games"),
        ('{"members": {"bob": [1, 1]}}', "'bob' is neither a rival of this run nor a snapshot"),
        ('{"members": {"step_0000000100": [1, 1]}}', "step_0000000100.npz: not there"),
    ],
)
def test_damaged_records_are_told(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / STATE).write_text(text)
    pool = SelfPlay(settings_of("mustang", opponent="self:random"), tmp_path, GAME)
    with pytest.raises(CheckpointError, match=words):
        pool.restore(1000)


def test_variety_is_one_for_uniform_choice_and_falls_with_opinions() -> None:
    file = fresh_file("mustang", [2])
    names = ("action_net.weight", "action_net.bias")
    flat, sure = (
        {name: weights * (factor if name in names else 1) for name, weights in file.arrays.items()}
        for factor in (np.float32(0), np.float32(50))
    )
    spread = [
        variety(GAME, NumpyPolicy(PolicyFile(file.about, one), GAME), settings_of("mustang")) for one in (flat, sure)
    ]
    assert spread[0] == pytest.approx(1)
    assert spread[1] < 0.6


# --- mixed tables and exploiters --------------------------------------------------------------------------------------


def test_a_run_over_several_numbers_of_players(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = tmp_path / "run"
    assert train(run, "--steps", "256", "--players", "2,4", "--opponent", "greedy") == 0
    assert "Mustang, 2,4 players, against greedy" in capsys.readouterr().out
    assert latest(run)["players"] == [2, 4]
    names = [f"{name} ({count} players)" for count in (2, 4) for name in ("random", "greedy")]
    assert list(metrics(run)[-1]["win_rates"]) == names


def test_an_exploiter_is_measured_against_its_victim(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert train(tmp_path / "victim", "--steps", "256") == 0
    victim = str(tmp_path / "victim")
    assert train(tmp_path / "run", "--steps", "256", "--opponent", victim, "--exploit") == 0
    printed = capsys.readouterr().out
    checkpoint = f"{victim}/step_0000000256.zip"  # the run may go on
    assert f"exploiter of {checkpoint}, 2 players: wins " in printed
    assert set(metrics(tmp_path / "run")[-1]["win_rates"]) == {"random", "greedy", checkpoint}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--opponent", "self", "--exploit"], "exploit: expected one opponent that stays as it is, got 'self'"),
        (["--opponent", "pool:random,greedy", "--exploit"], "exploit: expected one opponent"),
        (["--opponent", "self:"], "expected self, or self:A,B"),
        (["--opponent", "self:random,random"], "expected self, or self:A,B"),
        (["--opponent", "self:nobody"], "unknown policy 'nobody'"),
        (["--players", "2,5-3"], "expected numbers of players that rise"),
        (["--players", "2-5", "--envs", "2"], "envs: expected 4 or more"),
        (["--players", "3-4", "--opponent", "random,greedy"], "lists 2; with 4 players expected 1 or 3"),
        (["--players", "5-2"], "expected numbers of players that rise"),
        (["--players", "two"], "expected numbers of players that rise"),
    ],
)
def test_what_cannot_be_is_refused(
    tmp_path: Path, words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with contextlib.suppress(SystemExit):  # argparse's own
        assert train(tmp_path / "run", *words) == 2
    assert told in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_alone_there_is_nobody_to_play_against() -> None:
    with pytest.raises(ValueError, match="players 1: there is no opponent to play against"):
        Settings("stabletimes", (1,), "self")
    with pytest.raises(ValueError, match="1 goes with no other number"):
        Settings("stabletimes", (1, 2))


def test_the_usual_rivals() -> None:
    assert rivals_of("self") == ["random", "greedy", "search:50"]
    assert rivals_of("self:greedy") == ["greedy"]
    assert rivals_of("selfish") is None
    assert [policy.name for policy in parse_opponents("self", GAME, 2).policies] == ["random", "greedy", "search:50"]
