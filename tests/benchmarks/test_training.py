from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from benchmarks import learning, training
from benchmarks.games.connect_four import COLUMNS, CONNECT_FOUR, ROWS
from benchmarks.learning import PATHS, ROLLOUT, TABLEZOO, TARGET, USUAL, Learned, Updates, as_pettingzoo, learn
from benchmarks.training import LARGE, main, runs_table, summarise, summary_table
from benchmarks.usual_path import OneSeat, make_connect_four
from tablezoo import Batch, Views
from tablezoo.rng import OPPONENTS, seed_streams

# --- the usual wrapper ------------------------------------------------------------------------------------------------


class LeftMost:
    """Seats the learner where it is told, and has the other drop into the leftmost column that is open."""

    def __init__(self, seat):
        self.seat = seat

    def integers(self, _count):
        return self.seat

    def random(self):
        return 0.0


def seated(seat):
    """Return a dealt game with the learner in a seat, and its first observation as planes."""
    env = OneSeat()
    env.np_random = LeftMost(seat)
    observation, _ = env.reset()
    return env, observation.reshape(ROWS, COLUMNS, 2)


def play(env, columns):
    """Drop into the columns; return the last step, its observation as planes."""
    for column in columns:
        observation, *rest = env.step(column)
    return observation.reshape(ROWS, COLUMNS, 2), *rest


def test_the_other_seat_moves_first_where_it_is_the_first():
    for seat in (0, 1):
        env, planes = seated(seat)
        assert planes[..., 0].sum() == 0
        assert planes[..., 1].sum() == seat
        assert env.env.agent_selection == env.learner == f"player_{seat}"


def test_the_learner_is_paid_for_a_win():
    env, _ = seated(0)
    *_, reward, terminated, truncated, _ = play(env, [6, 6, 6])
    assert (reward, terminated, truncated) == (0, False, False)
    planes, reward, terminated, truncated, _ = play(env, [6])
    assert (reward, terminated, truncated) == (1, True, False)
    assert planes[..., 0].sum() == 4
    assert planes[..., 1].sum() == 3


@pytest.mark.parametrize(("seat", "columns"), [(0, [6, 5, 3, 6]), (1, [6, 5, 6])])
def test_the_learner_pays_where_the_other_ends_the_game(seat, columns):
    env, _ = seated(seat)
    planes, reward, terminated, truncated, _ = play(env, columns)
    assert (reward, terminated, truncated) == (-1, True, False)
    assert planes[2:, 0, 1].tolist() == [1, 1, 1, 1]
    assert planes[..., 0].sum() == len(columns)


def test_masks_are_the_columns_with_room():
    env, _ = seated(0)
    play(env, [0, 0, 0])  # in turns with the other: the column is full
    assert env.action_masks().tolist() == [False, True, True, True, True, True, True]
    assert env.action_masks().dtype == np.bool_


def has_four(plane):
    """Tell whether there are four in a line, without the environment's own code."""
    lines = [(0, 1), (1, 0), (1, 1), (1, -1)]
    padded = np.pad(plane, 3)
    cells = np.argwhere(padded)
    return any(all(padded[row + i * down, column + i * right] for i in range(4))
               for row, column in cells for down, right in lines)  # fmt: skip


def test_whole_episodes_pay_once_and_by_who_has_four():
    env, rng = OneSeat(), np.random.default_rng(0)
    env.reset(seed=1)
    ends, seats = set(), set()
    for _ in range(150):
        observation, _ = env.reset()
        seats.add(env.learner)
        over = False
        while not over:
            assert env.observation_space.contains(observation)
            legal = env.action_masks().nonzero()[0]
            observation, reward, over, truncated, _ = env.step(rng.choice(legal))
            assert over or reward == 0
            assert not truncated
        own, other = np.moveaxis(observation.reshape(ROWS, COLUMNS, 2), -1, 0)
        assert reward == has_four(own) - int(has_four(other))
        ends.add(reward)
    assert seats == {"player_0", "player_1"}
    assert ends >= {-1, 1}


def test_a_seed_tells_the_episode():
    def episode():
        env = OneSeat()
        observations = [env.reset(seed=5)[0]]
        over = False
        while not over:
            observation, _, over, *_ = env.step(env.action_masks().nonzero()[0][-1])
            observations.append(observation)
        return np.array(observations)

    assert np.array_equal(episode(), episode())


# --- both paths show the network the same ----------------------------------------------------------------------------


def test_both_observations_and_masks_are_one_after_the_same_moves():
    rng = np.random.default_rng(0)
    env = make_connect_four()
    for _ in range(20):
        env.reset()
        batch = Batch(CONNECT_FOUR, 1, autoreset=False)
        while not any(env.terminations.values()):
            seen = env.observe(env.agent_selection)
            legal = seen["action_mask"].nonzero()[0]
            column = rng.choice(legal)
            if legal.size > 1:  # tablezoo plays the only one by itself
                assert f"player_{batch.seat[0]}" == env.agent_selection
                assert np.array_equal(as_pettingzoo(batch.observation)[0], seen["observation"].reshape(-1))
                assert np.array_equal(batch.action_mask[0], seen["action_mask"])
                batch.step([column])
            env.step(column)
        assert batch.terminated[0]
        assert batch.rewards[0].tolist() == [env.rewards["player_0"], env.rewards["player_1"]]


def test_a_policy_of_the_usual_path_chooses_on_the_batch_as_in_its_own_environment():
    model = learning.make_model(USUAL.make_env(), LARGE, seed=3)
    policy = USUAL.make_policy(model)
    batch, env = Batch(CONNECT_FOUR, 1, autoreset=False), make_connect_four()
    env.reset()
    for column in (3, 3, 0, 6, 3):
        batch.step([column])
        env.step(column)
    seen = env.observe(env.agent_selection)
    with torch.no_grad():
        shown = torch.as_tensor(seen["observation"].reshape(1, -1))
        expected = model.policy.get_distribution(shown, seen["action_mask"].astype(bool)).distribution.probs
    views = Views(batch, [0], seed_streams(0, 1, OPPONENTS))
    assert policy.probabilities(views)[0] == pytest.approx(expected[0].numpy())


def test_only_environments_and_the_length_of_their_rollouts_differ():
    models = [learning.make_model(path.make_env(), LARGE, seed=3) for path in PATHS]
    for model, path in zip(models, PATHS, strict=True):
        assert model.env.num_envs == path.num_envs
        assert model.n_steps * model.n_envs == ROLLOUT
        assert [layer.out_features for layer in model.policy.mlp_extractor.policy_net if hasattr(layer, "weight")] == [
            64, 64,
        ]  # fmt: skip
    settings = ("batch_size", "n_epochs", "learning_rate", "gamma", "gae_lambda", "ent_coef", "vf_coef", "seed")
    assert [getattr(models[0], name) for name in settings] == [getattr(models[1], name) for name in settings]


# --- the clock --------------------------------------------------------------------------------------------------------


@pytest.fixture
def small(monkeypatch):
    """Rollouts of 1,024 steps."""
    monkeypatch.setattr(learning, "ROLLOUT", 1024)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.title)
def test_a_run_trains_whole_rollouts_and_evaluates_after_each(path, small):
    seen = []
    run = learn(path, Updates(256, 1), seed=1, steps=1500, deals=5, report=lambda run: seen.append(run.steps))
    assert seen == [1024, 2048]
    assert run.steps == 2048
    assert [steps for steps, *_ in run.curve] == seen
    assert all(0 <= rate <= 1 for *_, rate in run.curve)
    assert 0 < run.rollout_seconds < run.seconds == run.curve[-1][1]
    assert run.rollout_frames_per_s > run.frames_per_s == run.steps / run.seconds


def test_evaluations_are_not_on_the_clock(small, monkeypatch):
    now = [0.0]

    def evaluate(*_arguments):
        now[0] += 1000.0
        return 0.5

    monkeypatch.setattr(learning, "perf_counter", lambda: now[0])
    monkeypatch.setattr(learning, "win_rate", evaluate)
    run = learn(TABLEZOO, Updates(256, 1), seed=1, steps=2048, deals=5, report=lambda run: None)
    assert (run.seconds, run.rollout_seconds) == (0, 0)
    assert now[0] == 2000


def test_the_time_to_the_target_is_that_of_the_first_evaluation_that_shows_it():
    curve = [(100, 1.0, 0.5), (200, 2.0, TARGET), (300, 3.0, 0.7), (400, 4.0, 0.9)]
    run = Learned(TABLEZOO, LARGE, 0, 400, 4.0, 1.0, curve)
    assert (run.seconds_to_target, run.steps_to_target, run.win_rate) == (2.0, 200, 0.9)
    never = Learned(TABLEZOO, LARGE, 0, 100, 1.0, 1.0, curve[:1])
    assert never.seconds_to_target is never.steps_to_target is None


# --- the report -------------------------------------------------------------------------------------------------------


def made_up(path, seconds, to_target=None, updates=LARGE, seed=0):
    curve = [(500, to_target or seconds, 0.5 if to_target is None else 0.81), (1000, seconds, 0.6)]
    return Learned(path, updates, seed, 1000, seconds, seconds / 2, curve)


def three(path, to_target):
    return [made_up(path, seconds, reached) for seconds, reached in zip((1.0, 2.0, 4.0), to_target, strict=True)]


def test_medians_and_ratios():
    runs = [*three(TABLEZOO, (0.5, 0.7, None)), *(made_up(USUAL, 20.0, 14.0) for _ in range(3))]
    assert summarise(runs) == [
        {"updates": "4096/4", "figure": "frames_per_s", "tablezoo": 500, "usual": 50, "ratio": 10},
        {"updates": "4096/4", "figure": "rollout_frames_per_s", "tablezoo": 1000, "usual": 100, "ratio": 10},
        {
            "updates": "4096/4",
            "figure": "seconds_to_target",
            "tablezoo": 0.7,
            "usual": 14,
            "ratio": pytest.approx(0.05),
        },
    ]


def test_a_target_that_most_seeds_do_not_reach_has_no_median():
    runs = [*three(TABLEZOO, (0.5, 0.7, None)), *three(USUAL, (None, 0.7, None))]
    rows = summarise(runs)
    assert rows[2] == {
        "updates": "4096/4", "figure": "seconds_to_target", "tablezoo": 0.7, "usual": None, "ratio": None,
    }  # fmt: skip
    assert summary_table(rows)[3].split()[-4:] == ["0.7", "not", "reached", "-"]


def test_runs_that_one_path_lacks_have_no_ratio():
    assert [row["ratio"] for row in summarise([made_up(TABLEZOO, 1.0)])] == [None] * 3
    assert summarise([]) == []


def test_tables_tell_all_runs():
    lines = runs_table([made_up(TABLEZOO, 2.0, 1.5, seed=7), made_up(USUAL, 20.0)])
    assert lines[1].split() == ["SeatVecEnv", "4096/4", "7", "1,000", "500", "1,000", "1.5", "60.0", "%"]
    assert lines[2].split() == ["PettingZoo", "4096/4", "0", "1,000", "50", "100", "not", "reached", "60.0", "%"]


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.fixture
def asked(monkeypatch):
    """Have runs made up; return the list of what was asked for."""
    calls = []

    def learn_nothing(path, updates, seed, steps, deals, report):
        calls.append((path.title, str(updates), seed, steps, deals))
        run = made_up(path, 2.0 if path is TABLEZOO else 20.0, updates=updates, seed=seed)
        report(run)
        return run

    monkeypatch.setattr(training, "learn", learn_nothing)
    return calls


def test_json_is_all_of_standard_output(asked, capsys):
    threads = torch.get_num_threads()
    assert main(["--updates", "4096/4", "--seeds", "2", "--json"]) == 0
    printed = capsys.readouterr()
    told = json.loads(printed.out)
    assert [(run["path"], run["n_epochs"], run["frames_per_s"]) for run in told["runs"]] == [
        ("SeatVecEnv", 4, 500), ("PettingZoo", 4, 50), ("SeatVecEnv", 4, 500), ("PettingZoo", 4, 50),
    ]  # fmt: skip
    assert [row["ratio"] for row in told["summary"]] == [10, 10, None]
    assert "processor" in printed.err
    assert printed.err.count("frames/s") == 4
    assert torch.get_num_threads() == threads


def test_paths_take_turns_with_the_same_seeds_after_a_rollout_that_does_not_count(asked, capsys):
    assert main([]) == 0
    assert [call[:2] for call in asked[:2]] == [("SeatVecEnv", "4096/4"), ("PettingZoo", "4096/4")]
    assert {call[3] for call in asked[:2]} == {1}
    counted = asked[2:]
    assert [call[0] for call in counted] == ["SeatVecEnv", "PettingZoo"] * 6
    assert [call[1] for call in counted] == ["64/10", "64/10", "4096/4", "4096/4"] * 3
    assert counted[::2] == [("SeatVecEnv", *call[1:]) for call in counted[1::2]]
    assert len({call[2] for call in counted}) == 3
    assert {call[3:] for call in counted} == {(300_000, 800)}
    printed = capsys.readouterr()
    assert "processor" in printed.out
    assert "median of the seeds" in printed.out


def test_quick_is_one_rollout_of_one_seed(asked):
    main(["--quick"])
    assert len(asked) == 2 + 4
    assert {call[3] for call in asked[2:]} == {ROLLOUT}


def test_after_ctrl_c_the_finished_runs_are_told(asked, capsys, monkeypatch):
    made_up_run = training.learn

    def interrupted(*arguments, **named):
        if len(asked) == 3:
            raise KeyboardInterrupt
        return made_up_run(*arguments, **named)

    monkeypatch.setattr(training, "learn", interrupted)
    with pytest.raises(KeyboardInterrupt):
        main(["--updates", "4096/4"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines if "4096/4" in line] == ["SeatVecEnv", *["4096/4"] * 3]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--updates", "4096"], "'4096': expected batch_size/n_epochs, as in 4096/4"),
        (["--updates", "a/4"], "'a/4': expected batch_size/n_epochs"),
        (["--updates", "100/4"], "'100/4': expected a batch that divides 16384, and an epoch or more"),
        (["--updates", "1/4"], "'1/4': expected a batch that divides"),
        (["--updates", "64/0"], "'64/0': expected a batch that divides"),
        (["--steps", "0"], "'0': expected an integer of 1 or more"),
        (["--seeds", "x"], "'x': expected an integer of 1 or more"),
        (["--deals", "1"], "'1': expected an integer of 2 or more"),
        (["--seed", "-1"], "'-1': expected an integer of 0 or more"),
    ],
)
def test_bad_arguments_are_refused_in_words(arguments, words, capsys):
    with pytest.raises(SystemExit) as refused:
        main(arguments)
    assert refused.value.code == 2
    assert words in capsys.readouterr().err


def test_without_pygame_the_extra_is_named():
    code = "import sys; sys.modules['pygame'] = None; from benchmarks.training import main; sys.exit(main(['--quick']))"
    run = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[2], capture_output=True, text=True)
    assert run.returncode == 2
    assert run.stdout == ""
    assert "error: PettingZoo's Connect Four needs the extra: pip install 'tablezoo[bench]'" in run.stderr
