"""Exports: a run becomes a file that decides as it does, with a card of what was measured, or is told why not."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from agents import evaluate, export
from agents.checkpoints import CheckpointError, load_model
from agents.export import check_same, main, policy_file
from agents.policies.numpy_policy import NumpyPolicy
from agents.policies.policy_file import PolicyFile, checksum_of
from agents.policies.sb3_policy import SB3Policy
from agents.settings import Settings, command_of, defaults_of
from agents.train import _chosen, _parser
from tablezoo.registration import find_game

from .helpers import change_json, latest
from .policies import fresh, fresh_file, settings_of, views_at, write_run

GAME = find_game("mustang")


def test_a_run_becomes_a_file_in_its_folder(run_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(run_folder)]) == 0
    path = run_folder / "mustang-2.npz"
    about = PolicyFile.load(path).about
    told = capsys.readouterr().out
    assert told.startswith(f"{path}: Mustang for 2 players, 512 decisions trained, network mlp, 0.0")
    assert f"checksum {about.checksum[:12]}\nall files of mustang in {run_folder}: 0.0" in told
    assert (about.steps, about.seed, about.players, about.trained_at) == (512, 0, [2], None)
    assert about.command == command_of(json.loads((run_folder / "settings.json").read_text()))
    views = views_at(GAME, [2, 3, 5])
    model = load_model(run_folder, GAME)
    np.testing.assert_allclose(
        NumpyPolicy.load(path).probabilities(views), SB3Policy(model).probabilities(views), rtol=0, atol=1e-5
    )


def test_a_checkpoint_and_what_the_command_line_says(run_folder: Path, tmp_path: Path) -> None:
    checkpoint = run_folder / latest(run_folder)["checkpoint"]
    out = tmp_path / "new" / "mine.npz"
    assert main([str(checkpoint), "--out", str(out), "--players", "2-4", "--trained-at", "abc123"]) == 0
    about = PolicyFile.load(out).about
    assert (about.players, about.trained_at, about.steps) == ([2, 3, 4], "abc123", 512)
    assert not (tmp_path / "new" / "mine.md").exists()


def test_the_horses_network_by_its_former_name(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", fresh("stabletimes", players=(1,)), settings_of("stabletimes", players=(1,)))
    path = run / latest(run)["checkpoint"]
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    data = json.loads(parts["data"])
    assert data["policy_class"]["__module__"] == "agents.horses.network"
    data["policy_class"]["__module__"] = "agents.stable_network"
    with zipfile.ZipFile(path, "w") as archive:
        for name, part in (parts | {"data": json.dumps(data).encode()}).items():
            archive.writestr(name, part)
    assert type(load_model(run, find_game("stabletimes")).policy).__name__ == "StablePolicy"


def test_the_horses_network_of_a_run_elsewhere(tmp_path: Path) -> None:
    settings = settings_of("stabletimes", players=(1,), content=("original", "procedural:1"))
    run = write_run(tmp_path / "run", fresh("stabletimes", players=(1,)), settings)
    change_json(run / "settings.json", device="cuda:7")  # a GPU that another machine has
    assert main([str(run)]) == 0
    about = PolicyFile.load(run / "stabletimes-1.npz").about
    assert about.network == {"kind": "horses"}
    assert about.content == ["original", "procedural:1"]
    assert "--content original procedural:1" in about.command
    assert "--device cuda:7" in about.command


@pytest.mark.parametrize(
    "settings",
    [
        Settings("mustang"),
        Settings("mustang", (3,), "greedy,random", net=(64, 64), lr=3e-4, seed=7, option=("max_turns=50",)),
        settings_of("stabletimes", players=(1,), content=("original", "procedural:3"), lr=1e-3),
        settings_of("fable", reward="zero_sum", win_bonus=0.0),
    ],
    ids=lambda settings: settings.game,
)
def test_the_command_makes_the_settings_again(settings: Settings) -> None:
    words = command_of(json.loads(json.dumps(settings.to_json()))).split()
    assert words[:3] == ["python", "-m", "agents.train"]
    chosen = _chosen(_parser().parse_args(words[3:]))
    assert Settings(**{**defaults_of(settings.game), **chosen}) == settings
    assert "--gamma" not in words


# --- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("nowhere", "nowhere: not there; expected a checkpoint (.zip) or the folder of a training run"),
        ("RUN --players 2-6", "--players: expected an integer from 2 to 5, got 6"),
        ("RUN --players 3-5", "--players 3-5 leaves out 2, which the run was trained for"),
        ("RUN --players 4-2", "--players: '4-2': expected numbers of players that rise, as in 2, 2-5 or 2,4"),
        ("RUN --players two", "--players: 'two': expected numbers of players that rise, as in 2, 2-5 or 2,4"),
        ("RUN --out OUT/a.zip", "--out OUT/a.zip: expected a name that ends in .npz"),
        ("RUN --out OUT/file/a.npz", "--out OUT/file/a.npz: OUT/file is no folder"),
        ("RUN --out OUT/folder.npz", "--out OUT/folder.npz is a folder; expected a file"),
        ("RUN --out OUT/other.npz", "--out OUT/other.npz is there already and holds something else: choose another, or "
         "add --replace"),
        ("RUN --out OUT/new.npz --card OUT/nowhere", "OUT/nowhere: not there; expected lines, each a match, as "
         "python -m agents.evaluate --json prints it"),
    ],
)  # fmt: skip
def test_errors_are_a_line(
    finished: Path, tmp_path: Path, words: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "other.npz").write_text("mine")
    (tmp_path / "folder.npz").mkdir()
    before = sorted(tmp_path.iterdir())

    def filled(text: str) -> str:
        return text.replace("RUN", str(finished)).replace("OUT", str(tmp_path))

    assert main(filled(words).split()) == 2
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", f"error: {filled(message)}\n")
    assert sorted(tmp_path.iterdir()) == before
    assert (tmp_path / "other.npz").read_text() == "mine"


def test_a_file_is_replaced_when_told_or_the_same(finished: Path, tmp_path: Path) -> None:
    out = tmp_path / "other.npz"
    fresh_file("mustang", [2]).save(out)
    assert main([str(finished), "--out", str(out)]) == 2
    assert main([str(finished), "--out", str(out), "--replace"]) == 0
    assert main([str(finished), "--out", str(out), "--players", "2-3"]) == 0
    assert PolicyFile.load(out).about.players == [2, 3]


def test_a_run_without_its_settings(run_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (run_folder / "settings.json").unlink()
    assert main([str(run_folder)]) == 2
    told = capsys.readouterr().err
    assert told == f"error: {run_folder / 'settings.json'}: not there; expected the folder of a training run\n"


def test_networks_that_have_no_form_in_numpy() -> None:
    settings = settings_of("mustang").to_json()
    with pytest.raises(CheckpointError, match=r"^its activations are ELU; expected one of relu, tanh$"):
        policy_file(fresh("mustang", activation=torch.nn.ELU), GAME, settings, [2])
    model = fresh("mustang")
    policy: Any = model.policy
    policy.mlp_extractor = torch.nn.Identity()
    with pytest.raises(CheckpointError, match=r"^its network is a Identity; only mlp and horses have a form in NumPy$"):
        policy_file(model, GAME, settings, [2])


def test_a_file_that_decides_otherwise_is_not_written(
    finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    model = fresh("mustang")
    file = policy_file(model, GAME, settings_of("mustang").to_json(), [2])
    check_same(model, file, GAME)
    arrays = {**file.arrays, "action_net.bias": file.arrays["action_net.bias"].copy()}
    arrays["action_net.bias"][0] += 0.01
    wrong = replace(file, arrays=arrays, about=replace(file.about, checksum=checksum_of(arrays)))
    with pytest.raises(CheckpointError, match=r"^with 2 players its probabilities are 0\.\d+ from the checkpoint's$"):
        check_same(model, wrong, GAME)
    monkeypatch.setattr(export, "policy_file", lambda *_: fresh_file("mustang", [2]))
    assert main([str(finished), "--out", str(tmp_path / "a.npz")]) == 2
    assert "its probabilities are" in capsys.readouterr().err
    assert not (tmp_path / "a.npz").exists()


# --- the card ---------------------------------------------------------------------------------------------------------


def evaluated(words: str, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert evaluate.main([*words.split(), "--threads", "1", "--json"]) == 0
    return capsys.readouterr().out


def test_a_card_tells_what_was_measured(run_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, results = tmp_path / "mustang-2.npz", tmp_path / "results.jsonl"
    assert main([str(run_folder), "--out", str(out), "--trained-at", "abc123"]) == 0
    results.write_text(
        evaluated(f"mustang --agents greedy {out} --players 4 --deals 3 --note strange", capsys)
        + evaluated(f"mustang --agents {out} random --deals 4", capsys)
    )
    assert main([str(run_folder), "--out", str(out), "--trained-at", "abc123", "--card", str(results)]) == 0
    card = out.with_suffix(".md").read_text()
    about = PolicyFile.load(out).about
    assert card.startswith("# mustang-2\n\nMustang for 2 players: a network trained with MaskablePPO")
    for fact in (
        f"| checksum of its arrays | `{about.checksum}` |",
        "| network | mlp, 16 for the policy, 16 for the value, relu; ",
        "| trained for | 2 players |",
        f"| trained with | `{about.command}` |",
        "| decisions of the learner | 512 |",
        "| trained at commit | abc123 |",
        "| licence | MIT, as tablezoo |",
        f"`mustang-2.npz`, {out.stat().st_size / 1e6:.2f} MB",
        "![Learning curve](mustang-2.png)",
    ):
        assert fact in card
    heading = "| players | against | win rate | an even share | mean score | games | command |"
    matches = card.split(heading)[1].split("\n\n")[0].splitlines()[2:]
    told = [json.loads(line) for line in results.read_text().splitlines()]
    rate, half = told[1]["agents"][0]["win_rate"]
    assert matches[0].startswith(f"| 2 | random | {100 * rate:.1f} % ± {100 * half:.1f} | 50.0 % | ")
    assert matches[1].startswith("| 4 | greedy, itself in 2 seats (strange) | ")
    assert matches[1].endswith(f"| 12 | `{told[0]['command']}` |")
    assert len(matches) == 2
    (row,) = [json.loads(line) for line in (run_folder / "metrics.jsonl").read_text().splitlines()]
    curve = "".join(f" {100 * row['win_rates'][name][0]:.1f} % ± {100 * row['win_rates'][name][1]:.1f} |"
                    for name in ("greedy", "random"))  # fmt: skip
    assert (
        f"| decisions | deals | against greedy | against random |\n| --- | --- | --- | --- |\n| 512 | 2 |{curve}"
        in card
    )
    assert out.with_suffix(".png").read_bytes() == (run_folder / "learning_curve.png").read_bytes()


def test_a_card_claims_nothing_that_was_not_measured(run_folder: Path, tmp_path: Path) -> None:
    (run_folder / "learning_curve.png").unlink()
    (run_folder / "metrics.jsonl").unlink()
    out = tmp_path / "mine.npz"
    assert main([str(run_folder), "--out", str(out), "--card"]) == 0
    card = out.with_suffix(".md").read_text()
    assert "Nothing was measured of this file; below is what the run measured while it trained." in card
    assert "No evaluations are kept of the training." in card
    assert "| trained at commit | not recorded |" in card
    assert "%" not in card
    assert "png" not in card


def test_a_card_of_a_solo_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = settings_of("stabletimes", players=(1,))
    run = write_run(tmp_path / "run", fresh("stabletimes", players=(1,)), settings)
    rows = [{"steps": 0, "deals": 2, "scores": {"learner": [9.0, 1.0], "greedy": [50.5, 2.25]}} for _ in range(2)]
    (run / "metrics.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    out, results = tmp_path / "solo.npz", tmp_path / "results.jsonl"
    assert main([str(run), "--out", str(out)]) == 0
    results.write_text(evaluated(f"stabletimes --agents {out} --players 1 --deals 3", capsys))
    assert main([str(run), "--out", str(out), "--card", str(results)]) == 0
    card = out.with_suffix(".md").read_text()
    assert "Stable Times for 1 player: " in card
    assert "| 1 | alone |  |  | " in card
    assert (
        "| decisions | deals | greedy | learner |\n| --- | --- | --- | --- |\n| 0 | 2 | 50.5 ± 2.2 | 9.0 ± 1.0 |"
        in card
    )


def test_results_of_another_policy_are_refused(
    run_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, other, results = tmp_path / "a.npz", tmp_path / "b.npz", tmp_path / "results.jsonl"
    fresh_file("mustang", [2], seed=3).save(other)
    results.write_text(evaluated(f"mustang --agents {other} random --deals 2", capsys))
    assert main([str(run_folder), "--out", str(out), "--card", str(results)]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"error: results of 'python -m agents.evaluate mustang --agents {other} random")
    assert "did not play there" in told
    assert not out.exists()
    assert not out.with_suffix(".md").exists()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "cannot be read: "),
        ("[]", "expected a match, as python -m agents.evaluate --json prints it"),
        ({"players": "2"}, "expected a match"),
        ({"agents": [{"agent": "a"}]}, "expected a match"),
        ({"agents": [{"agent": "a", "checksum": None, "win_rate": [1], "mean_score": [1, 2]}]}, "expected a match"),
        ({"note": None}, "expected a match"),
    ],
    ids=str,
)
def test_results_that_are_none(
    line: str | dict[str, Any], words: str, run_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = {
        "game": "mustang_v0",
        "players": 2,
        "deals": 2,
        "games": 4,
        "seed": 0,
        "agents": [],
        "command": "",
        "note": "",
    }
    results = tmp_path / "results.jsonl"
    results.write_text(f"{json.dumps(whole)}\n{line if isinstance(line, str) else json.dumps({**whole, **line})}\n")
    assert main([str(run_folder), "--out", str(tmp_path / "a.npz"), "--card", str(results)]) == 2
    assert capsys.readouterr().err.startswith(f"error: {results}, line 2: {words}")


def test_results_whose_last_line_is_torn(run_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results = tmp_path / "results.jsonl"
    results.write_text('{"game": "musta')
    assert main([str(run_folder), "--out", str(tmp_path / "a.npz"), "--card", str(results)]) == 2
    assert capsys.readouterr().err == (
        f"error: {results}, line 1: cannot be read, and no line ends it; "
        "expected a match, as python -m agents.evaluate --json prints it\n"
    )
