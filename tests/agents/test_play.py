"""A person at the table: scripted lines, wrong ones too, undo, leaving, and the file that is kept."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents import play
from agents.playing.taking_back import shows_nothing
from agents.playing.terminal import matching, meanwhile, menu
from agents.replay import Replay
from fable_env import GAME as FABLE
from fable_env import Campaign, reference
from mustang_env import GAME as MUSTANG
from mustang_env.state import A_CARDS, A_CATCH, A_PILE, A_SWAP
from stabletimes_env import GAME as STABLE_TIMES
from stabletimes_env.state import A_PLACE, A_STOP, FROM_DECK, PLACE, SWAP
from tablezoo import Batch

ROOT = Path(__file__).parents[2]
CONTENT = ROOT / "stabletimes_env" / "content" / "original.toml"
Play = Callable[..., "Played"]


class Played:
    """What a scripted game left."""

    def __init__(self, code: int, out: str, err: str, folder: Path) -> None:
        self.code, self.out, self.err, self.folder = code, out, err, folder

    @property
    def files(self) -> list[str]:
        return sorted(file.name for file in self.folder.iterdir())

    def data(self, name: str = "") -> dict[str, Any]:
        data: dict[str, Any] = json.loads((self.folder / (name or self.files[0])).read_text())
        return data


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Play:
    """Run the command line with lines that somebody types, then Ctrl-D."""
    monkeypatch.chdir(tmp_path)

    def run(words: str, lines: Sequence[str] = ()) -> Played:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        code = play.main(words.split())
        return Played(code, *capsys.readouterr(), tmp_path)

    return run


ALWAYS_FIRST = ["1"] * 2000

WHOLE = {
    "mustang": "mustang --opponents greedy random --seed 7 --seat 1",
    "stabletimes": "stabletimes --opponents greedy --seed 7",
    "solo": "stabletimes --seed 7",
    "fable": "fable --opponents greedy --players 3 --seed 7 --seat 2 --option stage=5",
}


@pytest.mark.parametrize("words", WHOLE.values(), ids=WHOLE)
def test_a_whole_game_and_its_replay(words: str, played: Play) -> None:
    done = played(words, ALWAYS_FIRST)
    assert (done.code, done.err) == (0, "")
    assert "The game is over" in done.out
    assert "Result:" in done.out
    replay = Replay.read(done.files[0])
    assert replay.verify() == f"verified: {len(replay.moves)} decisions, final record identical"
    assert replay.over
    assert f"The game is kept in {done.files[0]} ({len(replay.moves)} decisions)" in done.out
    assert max(map(len, done.out.splitlines())) <= 100


def test_a_seed_is_a_game(played: Play) -> None:
    words = "mustang --opponents greedy random --option max_turns=12 --seed 3"
    first, second = played(words, ALWAYS_FIRST), played(words, ALWAYS_FIRST)
    assert second.files == ["play-mustang-1.json", "play-mustang-2.json"]
    assert second.data("play-mustang-1.json") == second.data("play-mustang-2.json")
    assert first.out.replace("mustang-1", "mustang-2") == second.out
    other = played(words.replace("--seed 3", "--seed 4"), ALWAYS_FIRST)
    assert other.data("play-mustang-3.json")["begin"] != first.data("play-mustang-1.json")["begin"]


def test_without_a_seed_each_game_is_another_and_says_its_seed(played: Play) -> None:
    played("fable")
    done = played("fable")
    seeds = [done.data(name)["seed"] for name in done.files]
    assert seeds[0] != seeds[1]
    assert f"seed {seeds[1]}." in done.out


def test_opponents_sit_clockwise_and_the_last_takes_what_is_left(played: Play) -> None:
    done = played("mustang --opponents greedy random --players 5 --seat 3 --seed 0")
    assert done.data()["seats"] == ["random", "random", "random", "person", "greedy"]
    assert "You are player_3.\nAgainst you: player_0: random, player_1: random, player_2: random, " in done.out


def test_without_opponents_as_few_as_may_play(played: Play) -> None:
    assert played("mustang").data()["seats"] == ["person", "greedy"]
    assert played("stabletimes").data("play-stabletimes-1.json")["seats"] == ["person"]
    assert played("stabletimes --players 3").data("play-stabletimes-2.json")["seats"] == ["person", "greedy", "greedy"]


# --- lines -----------------------------------------------------------------------------------------------------------

#: The person decides first.
FIRST = "mustang --option start_seat=0 --seed 0"


def test_a_wrong_line_moves_nothing(played: Play) -> None:
    lines = ["", "0", "99", "-1", "1.5", "٣٣٣٣", "9" * 5000, "\0", "xyzzy", "1 2", "undo", "help", "table", "swap"]
    done = played(FIRST, lines)
    assert done.data()["actions"] == []
    assert "Nothing chosen yet; expected a number from 1 to" in done.out
    assert "There is no choice 99; expected 1 to" in done.out
    assert "There is no choice 0; expected 1 to" in done.out
    assert "No choice has 'xyzzy', nothing has moved" in done.out
    assert "There is nothing to take back" in done.out
    assert "take back your last decision" in done.out
    assert done.out.count("player_0 is asked what to do.") == 2  # at first, and for "table"


def test_words_show_the_choices_that_have_them(played: Play) -> None:
    done = played(FIRST, ["FOAL  catch", "1"])
    shown = done.out.partition("> FOAL  catch\n")[2].partition("Type the number of one to choose it.")[0].splitlines()
    assert shown
    assert all("catch" in line and "foal" in line for line in shown)
    assert done.data()["actions"] == [A_SWAP]


def test_a_number_chooses_what_has_it(played: Play) -> None:
    """In a long menu the numbers go down the columns, in the order of the actions."""
    done = played(FIRST, ["1", "7"])
    batch = Batch(MUSTANG, 1, 2, seed=0, start_seat=0, autoreset=False)
    batch.step([A_SWAP])
    assert done.data()["actions"][1] == np.flatnonzero(batch.action_mask[0])[6]


def test_undo_takes_back_what_showed_nothing(played: Play) -> None:
    done = played(FIRST, ["1", "undo", "2"])
    assert "Taken back." in done.out
    assert done.data()["actions"][0] != A_SWAP
    assert Replay.read(done.files[0]).verify()
    done = played(FIRST, ["1", "u", "u"])
    assert done.data("play-mustang-2.json")["actions"] == []
    assert "There is nothing to take back" in done.out


def test_undo_goes_back_several_decisions(played: Play) -> None:
    words = "stabletimes --opponents random --option start_seat=0 --seed 5"
    done = played(words, ["28", "1", "1", "undo", "undo", "undo", "undo"])
    assert done.out.count("Taken back.") == 3
    assert done.out.count("There is nothing to take back") == 1
    assert done.data()["actions"] == []


def test_undo_does_not_bring_back_a_card_that_was_drawn_nor_what_others_did(played: Play) -> None:
    done = played(f"{FIRST} --opponents random", ["1", "1", "undo"])
    assert "There is nothing to take back: it showed you something new, or others have decided since." in done.out
    assert done.data()["actions"][:2] == [A_SWAP, A_CARDS]
    done = played("stabletimes --seed 5", ["1", "undo"])  # alone: nobody else, but a horse drawn
    assert len(done.data("play-stabletimes-1.json")["actions"]) == 1


def stepped(batch: Batch, action: int) -> tuple[Batch, int, Batch]:
    before = batch.clone()
    batch.step([action])
    return before, action, batch


def test_what_shows_something_and_what_does_not() -> None:
    batch = Batch(MUSTANG, 1, 2, seed=0, start_seat=0, autoreset=False)
    assert shows_nothing(*stepped(batch, A_SWAP))
    assert not shows_nothing(*stepped(batch, int(np.flatnonzero(batch.action_mask[0])[0])))
    assert _mustang_targets_shown() == {True}


def _mustang_targets_shown() -> set[bool]:
    """Whether naming a counter, face up or not, shows nothing where the cards for it are a choice."""
    shown = set()
    for seed in range(20):
        batch = Batch(MUSTANG, 1, 2, seed=seed, start_seat=0, autoreset=False)
        for action in np.flatnonzero(batch.action_mask[0]):
            after = batch.clone()
            after.step([action])
            if A_CATCH <= action < A_PILE + 3 and after.seat[0] == 0:
                shown.add(shows_nothing(batch, int(action), after))
    return shown


def test_a_swap_for_a_face_up_horse_shows_nothing_and_one_for_the_deck_does() -> None:
    batch = Batch(STABLE_TIMES, 1, 2, seed=5, start_seat=0, autoreset=False)
    assert batch.states[0]["phase"] == SWAP
    for source, nothing in ((FROM_DECK, False), (1, True)):
        assert shows_nothing(*stepped(batch.clone(), source)) is nothing
    batch.step([A_STOP])
    assert batch.states[0]["phase"] == PLACE
    assert shows_nothing(*stepped(batch, A_PLACE))


def test_a_theft_that_nobody_could_answer_cannot_be_taken_back() -> None:
    """Who steals learns that the owner had no answer, whatever comes next."""
    after_theft = set()
    for seed in range(40):
        batch = Batch(MUSTANG, 1, 2, seed=seed, autoreset=False)
        rng = np.random.default_rng(seed)
        while batch.seat[0] >= 0 and batch.states[0]["turn"] < 40:
            step = stepped(batch, int(batch.random_actions(rng)[0]))
            if batch.states[0]["last_owner"] >= 0 and step[0].states[0]["last_owner"] < 0:
                after_theft.add(shows_nothing(*step))
    assert after_theft == {False}


# --- leaving ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("last", ["quit", "q", "Exit", None], ids=str)
def test_a_game_that_is_left_is_kept_as_far_as_it_went(last: str | None, played: Play) -> None:
    done = played(FIRST, ["1", "1", *([last] if last else [])])  # None: Ctrl-D
    assert done.code == 0
    replay = Replay.read(done.files[0])
    assert replay.verify().endswith("final record identical (the game was left before its end)")
    assert [move.action for move in replay.moves][:2] == [A_SWAP, A_CARDS]
    assert done.files == ["play-mustang-1.json"]


def test_ctrl_c_keeps_the_game_too(played: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = iter(["1", "1"])

    def typed(_prompt: str) -> str:
        for line in lines:
            return line
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", typed)
    with pytest.raises(KeyboardInterrupt):  # agents.command_line makes one line and code 130 of it
        played(FIRST)
    assert Replay.read(tmp_path / "play-mustang-1.json").moves[0].action == A_SWAP
    assert [file.name for file in tmp_path.iterdir()] == ["play-mustang-1.json"]


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_a_kill_loses_nothing_that_was_decided(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "agents.play", *FIRST.split(), "--out", str(tmp_path / "game.json")]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("1\n1\n")
        process.stdin.flush()
        for line in process.stdout:
            if "your decision 3" in line:
                break
        os.kill(process.pid, signal.SIGKILL)
    replay = Replay.read(tmp_path / "game.json")
    assert len(replay.moves) > 2
    assert "left before its end" in replay.verify()


def test_nobody_who_reads_on_is_no_error(tmp_path: Path) -> None:
    command = f"yes 1 | {sys.executable} -m agents.play {FIRST} --out {tmp_path / 'game.json'} | head -1"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.startswith("Mustang, seed 0.")
    assert done.stderr == ""
    assert Replay.read(tmp_path / "game.json").verify()


# --- content, options, places ----------------------------------------------------------------------------------------


def test_a_content_file_is_kept_with_its_game(played: Play, tmp_path: Path) -> None:
    mine = tmp_path / "my_cards.toml"
    mine.write_text(CONTENT.read_text(encoding="utf-8").replace('"Inkwell"', '"Blotter"'), encoding="utf-8")
    done = played(f"stabletimes --seed 1 --content {mine} --out game.json", ["1", "1"])
    mine.unlink()
    replay = Replay.read("game.json")
    assert done.data("game.json")["content"]["source"] == "my_cards.toml"
    assert replay.content is not None
    assert replay.content.hash != STABLE_TIMES.content.load("original").hash  # type: ignore[union-attr]
    assert replay.verify()


def test_generated_content_is_kept_by_name(played: Play) -> None:
    done = played("fable --seed 1 --content procedural:4", ["1", "1"])
    assert done.data()["content"]["source"] == "procedural:4"
    assert done.data()["content"]["text"] is None
    assert Replay.read(done.files[0]).verify()


def test_a_campaign_is_kept_with_its_game(played: Play, tmp_path: Path) -> None:
    reference(2)[6].save(tmp_path / "mine.json")
    done = played("fable --seed 1 --option campaign=mine.json --out game.json", ["1", "1"])
    (tmp_path / "mine.json").unlink()
    assert done.data("game.json")["options"]["campaign"]["games"] == 6
    assert "game 7 of its campaign" in done.out
    assert Replay.read("game.json").verify()


def test_a_stage_of_the_campaign(played: Play) -> None:
    done = played("fable --seed 1 --option stage=[9,9]", ["1"])
    assert "game 10 of its campaign" in done.out
    assert Replay.read(done.files[0]).verify()
    assert Campaign.of(Replay.read(done.files[0]).deal().states[0]).games == 9  # type: ignore[union-attr]


def test_help_explains_the_signs_of_fable(played: Play) -> None:
    done = played("fable --seed 1", ["help"])
    assert "action: draw 2 fruits" in done.out


def test_folders_are_made_and_no_file_is_overwritten(played: Play, tmp_path: Path) -> None:
    assert played(f"{FIRST} --out new/folder/game.json").code == 0
    kept = (tmp_path / "new/folder/game.json").read_text()
    again = played(f"{FIRST} --out new/folder/game.json", ["1"])
    assert again.code == 2
    assert (
        again.err == "error: --out new/folder/game.json is there already; name another file, no game is overwritten\n"
    )
    assert (tmp_path / "new/folder/game.json").read_text() == kept


WRONG = {
    "mustagn": "unknown game 'mustagn'; did you mean 'mustang'?",
    "mustang --opponents gredy": "unknown policy 'gredy'; did you mean 'greedy'? (a path would do too",
    "mustang --opponents greedy --players 6": "num_players 6 is out of range; Mustang takes 2 to 5",
    "mustang --opponents greedy greedy --players 2": "2 opponents for 2 players, of whom you are one",
    "stabletimes --opponents greedy --players 1": "1 opponents for 1 players, of whom you are one",
    "mustang --seat 2": "--seat: expected an integer from 0 to 1, got 2",
    "mustang --seed -1": "seed -1 is negative",
    "mustang --option max_turn=5": "unknown option 'max_turn' of Mustang; did you mean 'max_turns'?",
    "mustang --option max_turns=0": "option 'max_turns' with 2 players: expected an integer from 1",
    "mustang --option max_turns": "option 'max_turns': expected NAME=VALUE",
    "mustang --content original": "Mustang has no content sets; got 'original'",
    "stabletimes --content orignal": "no content set 'orignal'; did you mean 'original'?",
    "stabletimes --content nowhere.toml": "nowhere.toml: cannot be read: No such file",
    "fable --option campaign=nowhere.json": "option 'campaign': nowhere.json: not there; expected a JSON file",
    "mustang --out file/game.json": "--out file/game.json: ",
}


@pytest.mark.parametrize(("words", "message"), WRONG.items(), ids=WRONG)
def test_what_no_game_can_be_played_with(words: str, message: str, played: Play, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = played(words)
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith(f"error: {message}")
    assert done.err.count("\n") == 1
    assert done.files == ["file"]


def test_agents_with_names_need_no_torch(tmp_path: Path) -> None:
    code = f"""
import io, sys
sys.stdin = io.StringIO("1\\n1\\n")
from agents.play import main
from agents.replay import main as replay
assert main({[*FIRST.split(), "--opponents", "random", "--out", str(tmp_path / "game.json")]!r}) == 0
assert replay({[str(tmp_path / "game.json"), "--verify"]!r}) == 0
heavy = {{"torch", "stable_baselines3", "sb3_contrib", "rich", "matplotlib"}}
sys.exit(str(heavy & set(sys.modules)) if heavy & set(sys.modules) else 0)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_trained_policy_plays_too(run_folder: Path, played: Play) -> None:
    done = played(f"mustang --opponents {run_folder} --seed 1 --option max_turns=6 --out game.json", ALWAYS_FIRST)
    assert done.code == 0
    assert done.data("game.json")["seats"] == ["person", str(run_folder)]
    assert Replay.read("game.json").verify()


# --- menus -----------------------------------------------------------------------------------------------------------


def test_a_few_choices_have_a_line_each() -> None:
    assert menu(MUSTANG, {0: "swap cards", 1: "catch the red stallion"}) == [
        "   1  swap cards",
        "   2  catch the red stallion",
    ]


def test_what_many_choices_begin_with_is_said_once() -> None:
    swaps = {action: f"put Comet on field {action // 3 + 1} and take {'ABC'[action % 3]}" for action in range(9)}
    places = {A_PLACE + aisle: f"place Comet in aisle {aisle + 1}" for aisle in range(4)}
    assert menu(STABLE_TIMES, swaps | places | {A_STOP: "stop"}) == [
        "  put Comet on field 1 and take",
        "   1  A      2  B      3  C",
        "  put Comet on field 2 and take",
        "   4  A      5  B      6  C",
        "  put Comet on field 3 and take",
        "   7  A      8  B      9  C",
        "  place Comet in",
        "  10  aisle 1     11  aisle 2     12  aisle 3     13  aisle 4",
        "  14  stop",
    ]


@pytest.mark.parametrize("game", [MUSTANG, STABLE_TIMES, FABLE], ids=str)
def test_every_choice_has_its_number_in_the_menu(game: Any) -> None:
    batch = Batch(game, 1, 2, seed=0, autoreset=False)
    rng = np.random.default_rng(0)
    for _ in range(30):
        choices = {int(a): f"word{a} of {a}" for a in np.flatnonzero(batch.action_mask[0])}
        shown = " ".join(menu(game, choices)).split()
        assert all(str(number) in shown for number in range(1, 1 + len(choices)))
        batch.step(batch.random_actions(rng))


def test_waiting_is_told_on_a_terminal_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for there, shown in ((False, ""), (True, "wait\r    \r")):
        monkeypatch.setattr("agents.playing.terminal.is_terminal", lambda there=there: there)
        with meanwhile("wait"):
            pass
        assert capsys.readouterr().out == shown


def test_matching_takes_all_words_in_any_order_and_case() -> None:
    choices = {3: "catch the red foal", 5: "catch the red mare", 9: "swap"}
    assert matching(choices, "Red catch") == [(1, "catch the red foal"), (2, "catch the red mare")]
    assert matching(choices, "mare red") == [(2, "catch the red mare")]
    assert matching(choices, "blue") == []
