"""A tournament that is killed, at any byte, goes on and ends as if nothing had been."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from agents.checkpoints import CheckpointError
from agents.lock import LOCK, FolderLock
from agents.tournament import BLOCKS, PLAN, RESULTS, main, play
from agents.tournaments.blocks import Blocks
from mustang_env import GAME
from tablezoo import Policy, RandomPolicy

ROOT = Path(__file__).parents[2]
#: Many blocks, each kept for a while before the next: signals come in between.
WORDS = "mustang --agents random greedy random --games 240 --seed 3 --threads 1"
SMALL = """
import signal, sys, time, agents.tournaments.blocks, agents.tournament
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell in the background has its children ignore it
agents.tournaments.blocks._MOST_DEALS = 4
add = agents.tournaments.blocks.Blocks.add
def add_slowly(self, block):
    add(self, block)
    time.sleep(0.05)
agents.tournaments.blocks.Blocks.add = add_slowly
sys.exit(agents.tournament.main(sys.argv[1:]))
"""


def start(folder: Path, *words: str) -> subprocess.Popen[str]:
    """Start a tournament in small blocks, in a process of its own."""
    given = words or (*WORDS.split(), "--out", str(folder))
    command = [sys.executable, "-c", SMALL, *given]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def stop_after(process: subprocess.Popen[str], folder: Path, blocks: int, how: signal.Signals) -> tuple[int, str]:
    """Send a signal once there are so many blocks; return the exit code and what was printed."""
    until = time.monotonic() + 120
    while _lines(folder) < blocks and process.poll() is None and time.monotonic() < until:
        time.sleep(0.005)
    assert process.poll() is None, process.communicate()
    process.send_signal(how)
    out, _ = process.communicate(timeout=60)
    return process.returncode, out


def _lines(folder: Path) -> int:
    path = folder / BLOCKS
    return path.read_bytes().count(b"\n") if path.exists() else 0


def figures(folder: Path) -> dict[str, Any]:
    """What depends neither on the clock, nor on how it was called, nor on what the process has imported."""
    told = json.loads((folder / RESULTS).read_text())
    return {name: value for name, value in told.items() if name not in ("times", "command", "versions")}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the same tournament, never interrupted; for reading only."""
    folder = tmp_path_factory.mktemp("whole") / "t"
    assert main([*WORDS.split(), "--out", str(folder)]) == 0
    return folder


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_killed_again_and_again_it_ends_as_if_never(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "t"
    for blocks in (1, 7, 20):
        code, _ = stop_after(start(folder), folder, blocks, signal.SIGKILL)
        assert code == -signal.SIGKILL
        assert (folder / LOCK).exists()  # and is taken over
    seen = _lines(folder)
    code, out = stop_after(start(folder, "--resume", str(folder)), folder, seen + 5, signal.SIGINT)
    assert code == 130
    assert "games are played and kept\nresume: python -m agents.tournament --resume " in out
    assert not (folder / LOCK).exists()
    kept = _lines(folder)
    assert kept >= seen + 5
    process = start(folder)
    out, error = process.communicate(timeout=120)
    assert (process.returncode, error) == (0, "")
    assert "games are played already" in out
    assert _lines(folder) > kept
    assert figures(folder) == figures(whole)


def test_cut_at_any_byte_it_ends_as_if_never(whole: Path, tmp_path: Path) -> None:
    blocks = (whole / BLOCKS).read_bytes()
    ends = [index + 1 for index, byte in enumerate(blocks) if byte == ord("\n")]
    folder = tmp_path / "t"
    folder.mkdir()
    (folder / PLAN).write_bytes((whole / PLAN).read_bytes())
    for cut in (1, ends[0] - 1, ends[0], ends[0] + 40, ends[-2], ends[-1] - 1):
        (folder / BLOCKS).write_bytes(blocks[:cut])
        assert main(["--resume", str(folder), "--threads", "1"]) == 0
        assert figures(folder) == figures(whole)
        assert (folder / BLOCKS).read_bytes()[: ends[0]] == blocks[: ends[0]] or cut < ends[0]


def test_a_torn_block_is_told(whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = copied(whole, tmp_path)
    blocks = (folder / BLOCKS).read_bytes()
    (folder / BLOCKS).write_bytes(blocks[:-30])
    assert main([*WORDS.split(), "--out", str(folder)]) == 0
    assert f"{folder / BLOCKS}: the last block was torn and is played again\n" in capsys.readouterr().out


def test_a_finished_tournament_is_told_again(whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = copied(whole, tmp_path)
    (folder / RESULTS).unlink()
    before = (folder / BLOCKS).read_bytes()
    assert main(["--resume", str(folder)]) == 0
    assert "720 games are played already" in capsys.readouterr().out
    assert (folder / BLOCKS).read_bytes() == before
    assert figures(folder) == figures(whole)


def test_what_is_kept_decides_the_next_block(whole: Path, tmp_path: Path) -> None:
    """One that goes on is cut as it would have been."""
    folder = copied(whole, tmp_path)
    lines = (folder / BLOCKS).read_text().splitlines(keepends=True)
    for kept in range(len(lines)):
        (folder / BLOCKS).write_text("".join(lines[:kept]))
        blocks = Blocks.read(plan_of(folder), folder / BLOCKS)
        turn = blocks.next_part()
        assert turn is not None
        row = json.loads(lines[kept])
        assert (turn[0], turn[1].start, len(turn[1])) == (row["line_up"], row["first"], len(row["ranks"]))


def copied(whole: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "copy"
    folder.mkdir()
    for file in whole.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    return folder


def plan_of(folder: Path) -> Any:
    from agents.tournaments.plan import Plan

    told = json.loads((folder / PLAN).read_text())
    return Plan.of(GAME, [one["given"] for one in told["agents"]], 2, told["games"], told["seed"])


# --- damage ----------------------------------------------------------------------------------------------------------


def test_a_damaged_block_is_told_with_its_line_and_stays(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = copied(whole, tmp_path)
    path = folder / BLOCKS
    lines = path.read_text().splitlines(keepends=True)
    digit = lines[1].index('"scores": [[[') + len('"scores": [[[')
    flipped = lines[1][:digit] + str((int(lines[1][digit]) + 1) % 10) + lines[1][digit + 1 :]
    expected = "expected a block of a tournament, as it was written"
    for damage, message in (
        ([lines[0], flipped, *lines[2:]], f"line 2: {expected}"),
        ([lines[0], "{}\n", *lines[2:]], f"line 2: {expected}"),
        ([lines[0], "[]\n", *lines[2:]], f"line 2: {expected}"),
        ([lines[0], lines[1][:50] + "\n", *lines[2:]], "line 2: cannot be read: "),
        ([lines[0], lines[0], *lines[1:]], "line 2: deals 0 to 0, where deal 1 was expected"),
        ([*lines, lines[-1]], f"line {len(lines) + 1}: deals "),
    ):
        path.write_text("".join(damage))
        assert main(["--resume", str(folder)]) == 2
        told = capsys.readouterr().err
        assert told.startswith(f"error: {path}, {message}")
        assert told.count("\n") == 1
        assert path.read_text() == "".join(damage)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "cannot be read: "),
        ("[]", "expected a JSON object"),
        ("{}", "is damaged, or of another version: 'game'"),
        ('{"game": 3}', "is damaged, or of another version: "),
        ('{"game": "mustang_v0", "agents": [3]}', "is damaged, or of another version: "),
    ],
)
def test_a_damaged_plan_is_told(
    text: str, message: str, whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = copied(whole, tmp_path)
    (folder / PLAN).write_text(text)
    assert main(["--resume", str(folder)]) == 2
    told = capsys.readouterr().err
    assert str(folder / PLAN) in told
    assert message in told
    assert told.count("\n") == 1


def test_a_disk_that_is_full_loses_nothing(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = copied(whole, tmp_path)
    lines = (folder / BLOCKS).read_text().splitlines(keepends=True)
    (folder / BLOCKS).write_text("".join(lines[:3]))

    def fail(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("agents.tournaments.blocks.append_row", fail)
        assert main(["--resume", str(folder)]) == 2
    told = capsys.readouterr().err
    assert told.startswith("error: [Errno 28] No space left on device; ")
    assert told.endswith(f"games are played and kept in {folder}\n")
    assert main(["--resume", str(folder)]) == 0
    assert figures(folder) == figures(whole)


# --- one process at a time, objects ----------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="no locks there")
def test_a_second_process_is_refused(whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = copied(whole, tmp_path)
    lock = FolderLock(folder)
    lock.take()
    before = (folder / BLOCKS).read_bytes()
    for words in (["--resume", str(folder)], [*WORDS.split(), "--out", str(folder)]):
        assert main(words) == 2
        assert capsys.readouterr().err == f"error: {folder} is in use by process {os.getpid()}\n"
    with pytest.raises(CheckpointError, match="is in use by process"):
        play(GAME, ["random", "greedy", "random"], games=240, seed=3, folder=folder)
    assert (folder / BLOCKS).read_bytes() == before
    lock.give_back()
    assert main(["--resume", str(folder)]) == 0


def test_objects_go_on_where_they_were_handed_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "t"
    agents: list[Policy | str] = [RandomPolicy("mine"), "random"]
    first = play(GAME, agents, games=8, folder=folder)
    (folder / BLOCKS).write_text("".join((folder / BLOCKS).read_text().splitlines(keepends=True)[:1]))
    again = play(GAME, agents, games=8, folder=folder)
    assert (again.matches[0].scores == first.matches[0].scores).all()
    assert main(["--resume", str(folder)]) == 2
    assert "agents that were handed over as objects; go on with agents.tournament.play(...)" in capsys.readouterr().err


def test_an_error_in_the_midst_gives_the_folder_back(tmp_path: Path) -> None:
    class Faulty:
        name = "faulty"

        def act(self, views: Any) -> Any:
            raise RuntimeError("out of ideas")

    with pytest.raises(RuntimeError, match="out of ideas"):
        play(GAME, [Faulty(), "random"], games=4, folder=tmp_path / "t")
    assert not (tmp_path / "t" / LOCK).exists()
