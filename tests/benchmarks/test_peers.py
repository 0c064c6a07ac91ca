"""The comparison with other libraries: arithmetic, and that nothing that fails stops it. Nothing is installed here."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.peers import environments, measuring, processes
from benchmarks.peers.catalogue import PEERS, SHARED, TABLEZOO, TITLES, Peer
from benchmarks.peers.compare import main
from benchmarks.peers.environments import InstallError, digest_of, prepare
from benchmarks.peers.measuring import Measured, Settings, measure
from benchmarks.peers.processes import CaseError, Worker, WorkerError
from benchmarks.peers.report import make_rows, plot, table, variants, versions

NAMED = {peer.name: peer for peer in PEERS}
PYTHON = Path(sys.executable)
INSTALL_STEP = environments.run  # tests have it replaced

#: A library whose games do what they are called.
FAKE = """
import os, sys, time

DISTRIBUTIONS = ("numpy",)
print("a library may print what it likes")


class make:
    observation, actions, played = "3 bool", 2, 0

    def __init__(self, game, size):
        if game == "connect_four":
            raise ValueError("no such game")
        self.game, self.size = game, size

    def play(self):
        self.played += 1
        time.sleep(0.01)
        if self.game == "raises" and self.played > 40:
            raise RuntimeError("tired of it")
        if self.game == "dies" and self.played > 40:
            print("about to die", file=sys.stderr)
            os._exit(3)
        if self.game == "hangs" and self.played > 40:
            time.sleep(3600)
        return self.size
"""


class FakePeer(Peer):
    path = Path()

    @property
    def worker(self) -> Path:
        return self.path


def quiet(text: str) -> None:
    pass


def fake_peer(folder: Path, *games: str, code: str = FAKE, batched: bool = False) -> Peer:
    peer = FakePeer("fake", "Fake", "numpy", dict.fromkeys(games, "as told"), batched=batched)
    object.__setattr__(peer, "path", folder / "with_fake.py")
    peer.worker.write_text(code)
    return peer


def settings_for(*peers: Peer, windows: int = 2) -> Settings:
    games = [game for peer in peers for game in peer.games]
    return Settings(peers, games, [1, 4], [1], windows, 0.05, Path("nowhere"))


@pytest.fixture(autouse=True)
def nothing_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environments, "run", lambda *_: pytest.fail("an installation"))


@pytest.fixture
def our_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "prepare", lambda *_: PYTHON)


# --- figures ---------------------------------------------------------------------------------------------------------


def measured(peer: Peer, game: str, size: int, threads: int, *rates: int) -> Measured:
    versions = {peer.library: "1.2.3", "numpy": "2.0"}
    return Measured(peer, game, size, threads, versions, "5 bool", 3, [(2 * rate, 2.0) for rate in rates])


def made_up() -> list[Measured]:
    return [
        measured(TABLEZOO, "leduc", 1, 1, 100),
        measured(TABLEZOO, "leduc", 1024, 1, 900, 1000, 5000),
        measured(TABLEZOO, "leduc", 1024, 2, 2000),
        measured(TABLEZOO, "mustang", 1024, 1, 700),
        measured(NAMED["pgx"], "leduc", 1024, 1, 500),
        measured(NAMED["pgx"], "leduc", 1024, 2, 800),
        measured(NAMED["pgx"], "leduc", 64, 1, 300),
        measured(NAMED["rlcard"], "leduc", 1, 1, 10),
        measured(NAMED["rlcard"], "uno", 1, 1, 7),
    ]


def test_a_row_is_the_median_of_the_windows_and_their_spread() -> None:
    row = make_rows(made_up())[1]
    assert (row["peer"], row["game"], row["games"], row["threads"]) == ("tablezoo", "leduc", 1024, 1)
    assert row["decisions_per_s"] == 1000
    assert (row["decisions_per_s_min"], row["decisions_per_s_max"]) == (900, 5000)
    assert (row["windows"], row["decisions"]) == (3, 13800)
    assert row["version"] == "1.2.3"


def test_ratios_compare_like_with_like_and_shared_games_alone() -> None:
    ratios = {
        (row["peer"], row["game"], row["games"], row["threads"]): row["tablezoo_is_times"]
        for row in make_rows(made_up())
    }
    assert ratios["pgx", "leduc", 1024, 1] == {"1": 2.0}
    assert ratios["pgx", "leduc", 1024, 2] == {"2": 2.5}
    assert ratios["pgx", "leduc", 64, 1] == {}  # tablezoo was not measured there
    assert ratios["rlcard", "leduc", 1, 1] == {"1": 100.0, "2": 200.0}  # tablezoo's batch of 1024
    assert ratios["rlcard", "uno", 1, 1] == {}
    assert ratios["tablezoo", "leduc", 1024, 1] == {}


def test_without_a_batch_of_1024_the_largest_is_compared() -> None:
    rows = make_rows([*made_up()[:1], measured(TABLEZOO, "leduc", 64, 1, 400), made_up()[-2]])
    assert rows[-1]["tablezoo_is_times"] == {"1": 40.0}


def test_the_table_tells_what_is_needed() -> None:
    rows = make_rows(made_up())
    lines = table(rows)
    (line,) = [line for line in lines if "RLCard" in line and "Leduc" in line]
    assert re.sub(" +", " ", line) == "Leduc Hold'em RLCard 1.2.3 - 1 10 10 to 10 100 / 200 5 bool 3"
    assert any("1,024" in line and "900 to 5,000" in line for line in lines)
    assert any("blinds of 1 and 2" in line for line in variants(rows))
    assert versions(rows)[1:] == ["pgx       pgx 1.2.3, numpy 2.0", "rlcard    rlcard 1.2.3, numpy 2.0"]


def test_the_plot_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    plot(make_rows(made_up()), tmp_path / "made" / "plot.png")
    assert (tmp_path / "made" / "plot.png").read_bytes().startswith(b"\x89PNG")


# --- environments ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_pins_are_full(peer: Peer) -> None:
    pins = peer.pins.read_text().split()
    assert [pin for pin in pins if not re.fullmatch(r"[\w.-]+==[\w.]+", pin)] == []
    assert peer.library.replace("_", "-") in {pin.partition("==")[0].lower().replace("_", "-") for pin in pins}


def test_games_have_titles_and_files_are_there() -> None:
    for peer in (TABLEZOO, *PEERS):
        assert peer.games.keys() <= TITLES.keys()
        assert peer.worker.is_file()
    assert set(SHARED) <= TABLEZOO.games.keys()


def test_an_environment_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[list[str]] = []

    def run(command: list[str], *_: object) -> None:
        commands.append(command)
        if "venv" in command:
            Path(command[-1]).mkdir(parents=True)

    monkeypatch.setattr(environments, "run", run)
    python = prepare(NAMED["rlcard"], tmp_path, quiet)
    assert [command[1:3] for command in commands] == [["-m", "venv"], ["-m", "pip"]]
    assert commands[1][-1] == str(NAMED["rlcard"].pins)
    assert prepare(NAMED["rlcard"], tmp_path, quiet) == python
    assert len(commands) == 2
    (tmp_path / "rlcard" / ".ready").write_text("other pins")
    prepare(NAMED["rlcard"], tmp_path, quiet)
    assert len(commands) == 4


def test_digests_tell_pins_apart() -> None:
    assert len({digest_of(peer) for peer in PEERS}) == len(PEERS)


def test_what_cannot_be_installed_is_reported_and_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def install(peer: Peer, *_: object) -> Path:
        if peer.name == "rlcard":
            raise InstallError("ERROR: No matching distribution found")
        return PYTHON

    monkeypatch.setattr(measuring, "prepare", install)
    found, failures = measure(settings_for(NAMED["rlcard"], fake_peer(tmp_path, "sleeps")), quiet)
    assert [(failure.peer.name, failure.what, failure.why) for failure in failures] == [
        ("rlcard", "could not be installed", "ERROR: No matching distribution found")
    ]
    assert "sleeps" in [one.game for one in found]


@pytest.mark.parametrize(
    ("printed", "told"),
    [
        ("begun\nno such version\n", "begun | no such version"),
        (
            "OSError: first\n  urllib.error.URLError: no host of that name\nnote: not pip's",
            "urllib.error.URLError: no host",
        ),
    ],
)
def test_why_a_step_failed_is_told(printed: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(InstallError, match=f"^{re.escape(told)}.*in full: {tmp_path}/log"):
        INSTALL_STEP([sys.executable, "-c", f"print({printed!r}); raise SystemExit(1)"], tmp_path / "log")


# --- processes -------------------------------------------------------------------------------------------------------


def test_a_process_plays_on_as_many_cores_as_threads(tmp_path: Path) -> None:
    code = FAKE.replace("self.size = game, size", "self.size = game, int(os.environ['OMP_NUM_THREADS'])")
    worker = Worker(PYTHON, fake_peer(tmp_path, "sleeps", code=code).worker, threads=1)
    assert worker.versions.keys() == {"numpy"}
    assert worker.make("sleeps", 4) == {"observation": "3 bool", "actions": 2}
    if sys.platform == "linux":
        assert len(os.sched_getaffinity(worker._process.pid)) == 1
    decisions, seconds = worker.measure(0, 0.05)
    assert 0.05 <= seconds < 5
    assert 0 < decisions <= seconds / 0.01
    worker.close()
    worker.close()


def test_a_case_that_raises_leaves_its_process_to_others(tmp_path: Path) -> None:
    worker = Worker(PYTHON, fake_peer(tmp_path, "sleeps").worker, threads=1)
    with pytest.raises(CaseError, match="ValueError: no such game"):
        worker.make("connect_four", 1)
    worker.make("sleeps", 1)
    assert worker.measure(0, 0.02)[0] > 0
    worker.close()


def test_a_library_that_cannot_be_imported_is_told(tmp_path: Path) -> None:
    with pytest.raises(WorkerError, match=r"ended with code 1: .*ModuleNotFoundError: No module named 'nowhere'"):
        Worker(PYTHON, fake_peer(tmp_path, "sleeps", code="import nowhere").worker, threads=1)


@pytest.mark.usefixtures("our_python")
@pytest.mark.parametrize(
    ("game", "words"),
    [("raises", "RuntimeError: tired of it"), ("dies", "ended with code 3: .*about to die"), ("hangs", "no answer in")],
)
def test_what_fails_midway_is_reported_and_stops_nothing(
    game: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "WINDOW_LIMIT_S", 0.3)
    (tmp_path / "other").mkdir()
    peers = fake_peer(tmp_path, game), fake_peer(tmp_path / "other", "sleeps", batched=True)
    found, failures = measure(settings_for(*peers, windows=8), quiet)
    assert [(one.game, one.size, len(one.windows)) for one in found] == [("sleeps", 1, 8), ("sleeps", 4, 8)]
    (failure,) = failures
    assert re.match(words, failure.why)
    assert game in failure.what


@pytest.mark.usefixtures("our_python")
def test_all_cases_of_a_process_that_ends_are_out(tmp_path: Path) -> None:
    found, failures = measure(settings_for(fake_peer(tmp_path, "sleeps", "dies"), windows=8), quiet)
    assert found == []
    assert len(failures) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")
@pytest.mark.usefixtures("our_python")
def test_ctrl_c_ends_all_processes(tmp_path: Path) -> None:
    pids: list[int] = []

    def interrupt(text: str) -> None:
        if text.startswith("window 1"):
            player = os.fsencode(tmp_path / "with_fake.py")
            pids.extend(int(one.name) for one in Path("/proc").glob("[0-9]*") if player in cmdline(one))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measure(settings_for(fake_peer(tmp_path, "sleeps")), interrupt)
    assert len(pids) == 1
    assert not Path(f"/proc/{pids[0]}").exists()


def cmdline(process: Path) -> bytes:
    try:
        return (process / "cmdline").read_bytes()
    except OSError:
        return b""


# --- the command -----------------------------------------------------------------------------------------------------


@pytest.fixture
def stubbed(monkeypatch: pytest.MonkeyPatch) -> list[Settings]:
    asked: list[Settings] = []

    def stub(settings: Settings, _: Callable[[str], None]) -> tuple[list[Measured], list[measuring.Failure]]:
        asked.append(settings)
        return made_up(), [measuring.Failure(NAMED["pufferlib"], "could not be installed", "no such host")]

    monkeypatch.setattr("benchmarks.peers.compare.measure", stub)
    return asked


def test_json_alone_is_all_of_standard_output(stubbed: list[Settings], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--quick", "--json"]) == 0
    printed = capsys.readouterr()
    told = json.loads(printed.out)
    assert len(told["rows"]) == len(made_up())
    assert told["failures"] == [{"peer": "pufferlib", "what": "could not be installed", "why": "no such host"}]
    assert any(line.startswith("processor") for line in told["machine"])
    assert "not measured: pufferlib, could not be installed: no such host" in printed.err


def test_json_in_a_file_leaves_the_table(
    stubbed: list[Settings], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--quick", "--json", str(tmp_path / "made" / "peers.json")]) == 0
    assert "Leduc Hold'em" in capsys.readouterr().out
    assert json.loads((tmp_path / "made" / "peers.json").read_text())["rows"]


def test_by_default_all_is_measured(stubbed: list[Settings], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1}, raising=False)
    main([])
    (settings,) = stubbed
    assert settings.peers == list(PEERS)
    assert (settings.sizes, settings.threads, settings.windows) == ([1, 64, 1024, 8192], [1, 2], 5)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--peers", "rllib"], "invalid choice: 'rllib'"),
        (["--games", "chess"], "invalid choice: 'chess'"),
        (["--peers", "rlcard", "--games", "hanabi"], "--games hanabi: none of the libraries asked for has it"),
        (["--sizes", "0"], "'0': expected an integer of 1 or more"),
        (["--threads", "4096"], "--threads 4096: this process may use"),
        (["--windows", "some"], "'some': expected an integer of 1 or more"),
        (["--seconds", "-1"], "'-1': expected seconds, 0.001 or more"),
        (["--plot", "plot.xyz"], "--plot plot.xyz: expected a file's name that ends with"),
        (["--json", "."], "--json . is a folder; expected a file"),
        (["--environments", "/dev/null"], "--environments /dev/null/folder: /dev/null is no folder"),
    ],
)
def test_bad_arguments_are_refused_in_words(
    arguments: list[str], words: str, stubbed: list[Settings], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as refused:
        main(arguments)
    assert refused.value.code == 2
    assert words in capsys.readouterr().err
    assert stubbed == []


def test_nothing_measured_is_a_failure(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("benchmarks.peers.compare.measure", lambda *_: ([], []))
    assert main(["--quick"]) == 1


def test_help_names_every_library() -> None:
    command = [sys.executable, "-m", "benchmarks.peers", "--help"]
    root = Path(__file__).parents[2]
    printed = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    for word in (*NAMED, *TITLES, "examples:"):
        assert word in printed.stdout
