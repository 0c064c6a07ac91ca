"""Kept games: written, read, shown and verified; each fault by its own words."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tablezoo
from agents.playing.replay_file import ReplayError
from agents.replay import Replay, digest, main
from fable_env import GAME as FABLE
from fable_env import reference
from mustang_env import GAME as MUSTANG
from stabletimes_env import GAME as STABLE_TIMES
from tablezoo import Batch, ContentError, Game, OptionError

ROOT = Path(__file__).parents[2]
Change = Callable[[dict[str, Any]], Any]


def recorded(game: Game, players: int, decisions: int, seed: int = 3, **options: Any) -> Replay:
    """Random play, kept."""
    replay = Replay.of(game, players, seed=seed, seats=[f"r{seat}" for seat in range(players)], **options)
    table = replay.deal()
    rng = np.random.default_rng(seed)
    while table.seat[0] >= 0 and len(replay.moves) < decisions:
        action = int(table.random_actions(rng)[0])
        table.step([action])
        replay.add(action, table)
    return replay


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("replays") / "game.json"
    recorded(MUSTANG, 2, 1000, max_turns=15).write(path)
    return path


@pytest.fixture(scope="module")
def part(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("replays") / "part.json"
    recorded(STABLE_TIMES, 2, 12).write(path)
    return path


@pytest.fixture
def changed(whole: Path, tmp_path: Path) -> Callable[[Change], Path]:
    """The whole game's file, with a change."""

    def change(how: Change) -> Path:
        data = json.loads(whole.read_text())
        how(data)
        path = tmp_path / "changed.json"
        path.write_text(json.dumps(data))
        return path

    return change


def told(path: Path, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What the command says of a fault."""
    assert main([str(path), "--verify", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


# --- as it was played ------------------------------------------------------------------------------------------------

GAMES = [
    (MUSTANG, 4, {"max_turns": 30, "events": {"heavy_rain": 2, "rotten_gate": 1}}),
    (STABLE_TIMES, 1, {}),
    (STABLE_TIMES, 3, {"content": "procedural:5", "boards": [0, 2, 4]}),
    (FABLE, 3, {"stage": (3, 9), "session": 2}),
    (FABLE, 2, {"campaign": reference(2)[5], "max_turns": np.int64(20)}),
]


@pytest.mark.parametrize(
    ("game", "players", "options"), GAMES, ids=[f"{g.name}-{i}" for i, (g, _, _) in enumerate(GAMES)]
)
def test_what_is_read_is_what_was_written(game: Game, players: int, options: dict[str, Any], tmp_path: Path) -> None:
    replay = recorded(game, players, 2000, **options)
    path = tmp_path / "game.json"
    replay.write(path)
    again = Replay.read(path)
    assert again == replay
    assert again.verify() == f"verified: {len(replay.moves)} decisions, final record identical"
    assert [file.name for file in tmp_path.iterdir()] == ["game.json"]


def test_frames_are_the_positions_that_were_played(part: Path) -> None:
    replay = Replay.read(part, STABLE_TIMES)
    frames = list(replay.frames())
    assert [frame.number for frame in frames] == list(range(13))
    assert [frame.action for frame in frames] == [*(move.action for move in replay.moves), None]
    batch = Batch(STABLE_TIMES, 1, 2, seed=3, autoreset=False)
    for frame in frames:
        assert frame.table.states == batch.states
        assert frame.seat == batch.seat[0]
        if frame.action is not None:
            batch.step([frame.action])
    frames[0].table.step(frames[0].table.random_actions(np.random.default_rng(0)))  # nobody else's


def test_a_part_says_that_it_is_one(part: Path) -> None:
    replay = Replay.read(part)
    assert not replay.over
    assert replay.verify() == "verified: 12 decisions, final record identical (the game was left before its end)"


def test_a_game_without_a_decision(tmp_path: Path) -> None:
    replay = Replay.of(MUSTANG, 2, seed=0, seats=["a", "b"])
    replay.deal()
    replay.write(tmp_path / "none.json")
    assert Replay.read(tmp_path / "none.json").verify().startswith("verified: 0 decisions")


def test_a_decision_can_be_taken_back() -> None:
    replay = recorded(MUSTANG, 2, 5)
    four = recorded(MUSTANG, 2, 4)
    replay.take_back()
    assert replay == four


def test_the_digest_is_of_the_fields_and_not_of_what_lies_between() -> None:
    record = Batch(MUSTANG, 1, 2, seed=0).states[0]
    other = np.zeros(1, record.dtype)
    other.view(np.uint8)[...] = 255
    for name in record.dtype.names:
        other[name] = record[name]
    assert other.tobytes() != record.tobytes()
    assert digest(other[0]) == digest(record)
    for name in ("rng", "hand", "turn", "finisher"):
        different = record.copy()
        different[name] += 1
        assert digest(different) != digest(record)


def test_what_cannot_be_kept() -> None:
    with pytest.raises(ValueError, match="seats names 1; expected 2, one for each player"):
        Replay.of(MUSTANG, 2, seed=0, seats=["a"])
    with pytest.raises(ContentError, match="Mustang has no content sets; got 'original'"):
        Replay.of(MUSTANG, 2, seed=0, seats=["a", "b"], content="original")
    with pytest.raises(OptionError, match=r"option 'events': .* cannot be written as JSON"):
        Replay.of(MUSTANG, 2, seed=0, seats=["a", "b"], events=object())
    with pytest.raises(OptionError, match="unknown option 'event' of Mustang"):
        Replay.of(MUSTANG, 2, seed=0, seats=["a", "b"], event=["delivery"]).deal()
    with pytest.raises(ValueError, match="seed -1 is negative"):
        Replay.of(MUSTANG, 2, seed=-1, seats=["a", "b"])


# --- shown -----------------------------------------------------------------------------------------------------------


def shown(path: Path, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main([str(path), *words]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_a_game_is_shown_with_all_hands_and_verified(whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    replay = Replay.read(whole)
    out = shown(whole, capsys)
    assert out.startswith(f"Mustang, seed 3, max_turns=15; {len(replay.moves)} decisions\nplayer_0: r0, player_1: r1\n")
    assert out.count("--- decision ") == out.count("chosen: ") == len(replay.moves)
    assert out.count("  deck, top first") == out.count("  event deck, top first") == len(replay.moves) + 1
    assert "--- the end ---" in out
    assert "The game was cut." in out
    assert out.endswith(f"verified: {len(replay.moves)} decisions, final record identical\n")
    assert max(map(len, out.splitlines())) <= 100
    assert "\x1b" not in out


@pytest.mark.parametrize("seat", [0, 1])
def test_one_seat_is_shown_what_it_could_see(seat: int, whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = shown(whole, capsys, "--seat", str(seat))
    assert "top first" not in out
    assert out.count(f": player_{seat} (r{seat}) ---") == out.count("--- decision ") == out.count("chosen: ")
    assert out.count(f"player_{1 - seat}: ") + out.count(f"player_{1 - seat} (dealer): ") > 1
    for line, following in zip(out.splitlines(), out.splitlines()[1:], strict=False):
        if line.startswith(f"player_{1 - seat}") and line.endswith("points"):
            assert following.endswith("cards")  # the other's hand: how many, not which


def test_every_and_last_show_fewer(whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    number = len(Replay.read(whole).moves)
    assert shown(whole, capsys, "--every", "5").count("--- decision ") == -(-number // 5)
    assert shown(whole, capsys, "--last", "3").count("--- decision ") == 3
    assert shown(whole, capsys, "--last", "3").count(f" of {number}: ") == 3
    assert shown(whole, capsys, "--last", "0").count("--- decision ") == 0
    assert shown(whole, capsys, "--last", "9999").count("--- decision ") == number
    assert shown(whole, capsys, "--verify") == f"verified: {number} decisions, final record identical\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--seat", "2"], "--seat: expected an integer from 0 to 1, got 2"),
        (["--every", "0"], "--every: expected an integer from 1 to 2147483647, got 0"),
        (["--last", "-1"], "--last: expected an integer from 0 to 2147483647, got -1"),
    ],
)
def test_wrong_flags(words: list[str], message: str, whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert told(whole, capsys, *words) == f"error: {message}\n"


def test_what_went_well_is_shown_before_a_fault(
    changed: Callable[[Change], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    path = changed(lambda data: data["actions"].__setitem__(4, 168))
    assert main([str(path)]) == 2
    out, err = capsys.readouterr()
    assert out.count("--- decision ") == 4
    assert "verified" not in out
    assert f"error: {path}: decision 5 of " in err


# --- files that are none ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "not there; expected a JSON file"),
        ("", "no JSON: Expecting value"),
        ('{"format": "tablezoo-replay",', "no JSON: "),
        ("[" * 100_000, "no JSON: "),
        ("\xff\xfe\x00", "no JSON: "),
        ("[1, 2]", "expected a JSON object, got a list"),
        ("{}", "no replay: its format is None, expected 'tablezoo-replay'"),
        ('{"format": "tablezoo-batch"}', "no replay: its format is 'tablezoo-batch'"),
        ('{"format": "tablezoo-replay", "version": 2}', "written in format version 2; this is version 1"),
    ],
)
def test_what_is_no_replay(text: str | None, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "no.json"
    if text is not None:
        path.write_bytes(text.encode("latin-1"))
    assert told(path, capsys).startswith(f"error: {path}: {message}")


def test_a_folder_is_no_replay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert told(tmp_path, capsys) == f"error: {tmp_path}: cannot be read: Is a directory\n"


KEYS = ("library", "game", "players", "seed", "seats", "options", "content", "over", "begin", "actions", "digests")


@pytest.mark.parametrize("key", KEYS)
def test_a_key_that_is_missing(key: str, changed: Callable[[Change], Path], capsys: pytest.CaptureFixture[str]) -> None:
    path = changed(lambda data: data.pop(key))
    assert told(path, capsys).startswith(f"error: {path}: {key} is missing; expected ")


def test_a_key_that_is_unknown(changed: Callable[[Change], Path], capsys: pytest.CaptureFixture[str]) -> None:
    path = changed(lambda data: data.update(sead=3))
    assert told(path, capsys) == f"error: {path}: unknown key 'sead'; did you mean 'seed'?\n"


TYPES: list[tuple[str, Any, str]] = [
    ("library", 1, "expected a string, got 1"),
    ("game", None, "expected a string, as in mustang_v0, got None"),
    ("players", "2", "expected an integer, got '2'"),
    ("players", True, "expected an integer, got True"),
    ("seed", -1, "expected an integer of 0 or more, got -1"),
    ("seed", 1.5, "expected an integer of 0 or more, got 1.5"),
    ("seats", "ab", "expected a list of strings, got 'ab'"),
    ("seats", ["a", 2], "expected a list of strings, got 2 as number 2"),
    ("options", [], "expected an object, got []"),
    ("content", "original", "expected null, or an object with source, hash and text, got 'original'"),
    ("content", {"source": "original"}, "expected null, or an object with source, hash and text, got {'source'"),
    ("over", 1, "expected true or false, got 1"),
    ("begin", "", "expected 16 hexadecimal digits, got ''"),
    ("actions", {}, "expected a list of integers, got {}"),
    ("actions", [1, "2"], "expected a list of integers, got '2' as number 2"),
    ("actions", [1, True], "expected a list of integers, got True as number 2"),
    ("actions", [10**30], "expected a list of integers, got 1000000000000000000000000000000 as number 1"),
    ("digests", ["0" * 16, "XYZ"], "expected a list of 16 hexadecimal digits each, got 'XYZ' as number 2"),
]


@pytest.mark.parametrize(("key", "value", "message"), TYPES, ids=[f"{key}-{value!r:.12}" for key, value, _ in TYPES])
def test_a_value_of_another_type(
    key: str, value: Any, message: str, changed: Callable[[Change], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    path = changed(lambda data: data.update({key: value}))
    assert told(path, capsys).startswith(f"error: {path}: {key}: {message}")


# --- replays of something else ---------------------------------------------------------------------------------------


def test_another_version_of_the_library(changed: Callable[[Change], Path], capsys: pytest.CaptureFixture[str]) -> None:
    path = changed(lambda data: data.update(library="0.0.1"))
    words = f"played with tablezoo 0.0.1, this is {tablezoo.__version__}; the rules may differ (--any-version tries it)"
    assert told(path, capsys) == f"error: {path}: {words}\n"
    assert shown(path, capsys, "--verify", "--any-version").startswith("verified: ")


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ("mustang_v7", "a game of mustang_v7; here is mustang_v0"),
        ("mustagn_v0", "unknown game 'mustagn_v0'; did you mean 'mustang'?"),
        ("stabletimes_v0", "content is None; Stable Times has content sets"),
        ("os.system('ls')", "unknown game \"os.system('ls')\"; known: "),
        ("", "unknown game ''; known: "),
    ],
)
def test_another_game(
    named: str, message: str, changed: Callable[[Change], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    path = changed(lambda data: data.update(game=named))
    assert told(path, capsys).startswith(f"error: {path}: {message}")


def test_the_game_that_is_expected(whole: Path) -> None:
    assert Replay.read(whole, MUSTANG).game is MUSTANG
    with pytest.raises(ReplayError, match="a game of mustang_v0; expected fable_v0"):
        Replay.read(whole, FABLE)


def test_the_game_that_the_command_names(whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(whole, capsys, "--verify", "--game", "mustang").startswith("verified: ")
    assert told(whole, capsys, "--game", "fable") == f"error: {whole}: a game of mustang_v0; expected fable_v0\n"
    assert told(whole, capsys, "--game", "fabel").startswith("error: unknown game 'fabel'; did you mean 'fable'?")


def test_a_file_imports_no_module(tmp_path: Path, changed: Callable[[Change], Path]) -> None:
    """A module beside the file, that is called like a game, is not run."""
    (tmp_path / "evil_env.py").write_text("open('run', 'w')")
    path = changed(lambda data: data.update(game="evil_v0"))
    command = [sys.executable, "-m", "agents.replay", str(path)]
    env = {"PYTHONPATH": f"{ROOT}:{tmp_path}", "PATH": ""}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "unknown game 'evil_v0'" in done.stderr
    assert not (tmp_path / "run").exists()


def content_of(part: Path, tmp_path: Path, **values: Any) -> Path:
    data = json.loads(part.read_text())
    data["content"].update(values)
    path = tmp_path / "content.json"
    path.write_text(json.dumps(data))
    return path


def test_another_content_set(part: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here = STABLE_TIMES.content.load("original").hash  # type: ignore[union-attr]
    path = content_of(part, tmp_path, hash="0123456789abcdef")
    words = f"content 'original' has the hash {here} here; played with 0123456789abcdef"
    assert told(path, capsys) == f"error: {path}: {words}\n"
    path = content_of(part, tmp_path, source="nonesuch")
    assert told(path, capsys).startswith(f"error: {path}: no content set 'nonesuch'")
    path = content_of(part, tmp_path, source="mine.toml", text="horses = 3")
    assert f"error: {path}: mine.toml: types: missing" in _first_line(path, capsys)


def _first_line(path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Faults of a content file are told one a line."""
    assert main([str(path), "--verify"]) == 2
    return capsys.readouterr().err.splitlines()[0]


def test_content_for_a_game_that_has_none(
    changed: Callable[[Change], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    content = {"source": "original", "hash": "0" * 16, "text": None}
    path = changed(lambda data: data.update(content=content))
    assert "Mustang has none" in told(path, capsys)


# --- games that do not go as they were played ------------------------------------------------------------------------


def test_another_deal(changed: Callable[[Change], Path], capsys: pytest.CaptureFixture[str]) -> None:
    path = changed(lambda data: data.update(seed=4))
    assert told(path, capsys).startswith(f"error: {path}: the deal differs: its digest is ")


@pytest.mark.parametrize("value", [{"max_turns": 0}, {"max_turn": 15}, {"events": "rain"}], ids=str)
def test_options_that_do_not_fit(
    value: dict[str, Any], changed: Callable[[Change], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    path = changed(lambda data: data.update(options=value))
    assert "option '" in told(path, capsys)


def test_player_counts_that_do_not_fit(changed: Callable[[Change], Path], capsys: pytest.CaptureFixture[str]) -> None:
    path = changed(lambda data: data.update(players=9, seats=["a"] * 9))
    assert told(path, capsys) == f"error: {path}: num_players 9 is out of range; Mustang takes 2 to 5\n"
    path = changed(lambda data: data.update(players=3))
    assert told(path, capsys) == f"error: {path}: seats names 2, but players is 3\n"


@pytest.mark.parametrize("action", [168, 9999, -1])
def test_an_illegal_action(action: int, changed: Callable[[Change], Path], capsys: pytest.CaptureFixture[str]) -> None:
    path = changed(lambda data: data["actions"].__setitem__(6, action))
    err = told(path, capsys)
    number = len(Replay.read(path).moves)
    assert err.startswith(f"error: {path}: decision 7 of {number}: action {action} ")
    assert " seat " in err
    assert "; legal: " in err


def test_another_action_that_is_legal_departs_there(whole: Path, tmp_path: Path) -> None:
    data = json.loads(whole.read_text())
    frame = list(Replay.read(whole).frames())[9]
    others = np.flatnonzero(frame.table.action_mask[0])
    data["actions"][9] = int(others[others != frame.action][0])
    path = tmp_path / "other.json"
    path.write_text(json.dumps(data))
    words = rf"departs at decision 10, player_{frame.seat} \(r{frame.seat}\): the record after it has the digest "
    with pytest.raises(ReplayError, match=words):
        Replay.read(path).verify()


def test_a_digest_that_differs(changed: Callable[[Change], Path], capsys: pytest.CaptureFixture[str]) -> None:
    path = changed(lambda data: data["digests"].__setitem__(-1, "0" * 16))
    number = len(Replay.read(path).moves)
    assert f"departs at decision {number}, " in told(path, capsys)


def test_actions_that_are_missing(changed: Callable[[Change], Path], capsys: pytest.CaptureFixture[str]) -> None:
    path = changed(lambda data: data["actions"].pop())
    number = len(json.loads(path.read_text())["actions"])
    assert told(path, capsys) == (f"error: {path}: {number} actions with {number + 1} digests: actions are missing\n")
    path = changed(lambda data: (data["actions"].pop(), data["digests"].pop()))
    assert f"ends after decision {number}, but player_" in told(path, capsys)
    path = changed(lambda data: data.update(actions=[], digests=[]))
    assert "over is true, but there are no actions: actions are missing" in told(path, capsys)


def test_actions_after_the_end(changed: Callable[[Change], Path], capsys: pytest.CaptureFixture[str]) -> None:
    def longer(data: dict[str, Any]) -> None:
        data["actions"] += [0, 0]
        data["digests"] += ["0" * 16] * 2

    path = changed(longer)
    number = len(Replay.read(path).moves) - 2
    assert f"the game is over after decision {number}" in told(path, capsys)


def test_an_end_that_the_file_does_not_know_of(
    changed: Callable[[Change], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    path = changed(lambda data: data.update(over=False))
    assert "which the file does not say" in told(path, capsys)
