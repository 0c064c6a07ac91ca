from __future__ import annotations

import contextlib
import math
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import compare
from benchmarks.compare import Measured, conclusion, main, make_jobs, measure, table, two_sides
from benchmarks.paired import CONFIDENCE, FEWEST_ROUNDS, Comparison, median_interval
from benchmarks.sides import Side, SideError, commit_of, count_changes, describe_commit

ROOT = Path(__file__).parents[2]
KEY = ("mustang", "batch", 2, 1024, 1)
NINE = [100.0] * 9


# --- the statistic ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "rank"), [(6, 1), (7, 1), (8, 1), (9, 2), (11, 2), (12, 3), (15, 4), (20, 6)])
def test_the_interval_is_that_of_the_sign_test(count, rank):
    """Ranks as tables of the sign test have them."""
    values = [float(number) for number in range(count, 0, -1)]
    assert median_interval(values) == (rank, count + 1 - rank)
    outside = 2 * sum(math.comb(count, i) for i in range(rank)) / 2**count
    assert outside <= 1 - CONFIDENCE


@pytest.mark.parametrize("count", [0, 1, 5])
def test_too_few_rounds_have_no_interval(count):
    assert count < FEWEST_ROUNDS
    with pytest.raises(ValueError, match=f"{count} rounds are too few for an interval of 95%"):
        median_interval([1.0] * count)


def test_a_clear_slowdown_is_too_slow():
    found = Comparison.of(NINE, [80, 82, 79, 81, 80, 83, 78, 80, 81])
    assert (found.base, found.now, found.ratio) == (100, 80, 0.80)
    assert (found.low, found.high) == (0.79, 0.82)
    assert found.is_too_slow
    assert found.verdict == "too slow"


def test_noise_passes():
    found = Comparison.of(NINE, [70, 140, 95, 102, 99, 85, 110, 101, 98])
    assert not found.is_too_slow
    assert found.verdict == "ok"


def test_a_low_median_with_a_wide_interval_is_unclear():
    found = Comparison.of(NINE, [80, 82, 79, 81, 80, 95, 97, 80, 81])
    assert found.ratio < 0.9 < found.high
    assert not found.is_too_slow
    assert found.verdict == "unclear"


def test_exactly_ten_percent_pass():
    found = Comparison.of(NINE, [90.0] * 9)
    assert found.ratio == found.high == 0.9
    assert found.verdict == "ok"


def test_one_disturbed_round_hides_no_slowdown():
    assert Comparison.of(NINE, [*[80.0] * 8, 100.0]).is_too_slow
    assert not Comparison.of(NINE, [*[80.0] * 7, 100.0, 100.0]).is_too_slow


def test_rounds_are_paired():
    """A machine that gets slower all the time slows both sides of a round alike."""
    base = [1000.0 / number for number in range(1, 10)]
    assert Comparison.of(base, [0.85 * rate for rate in base]).is_too_slow
    assert Comparison.of(base, base).ratio == 1


# --- the command, on sides that are made up ---------------------------------------------------------------------------


class FakeSide:
    """Tells what is measured, in order, in a list that both sides share."""

    def __init__(self, name, rate, log, unknown=()):
        self.name, self.rate, self.log, self.unknown = name, rate, log, unknown

    def measure(self, arguments):
        game, face = arguments[0], arguments[2]
        if game in self.unknown:
            raise SideError(f"python -m benchmarks.throughput failed:\nerror: unknown game {game!r}; known: none")
        if self.rate is None:
            raise SideError("python -m benchmarks.throughput failed:\nSyntaxError: invalid syntax")
        self.log.append((self.name, game, face))
        return [{"game": game, "face": face, "players": 2, "games": 1, "threads": 1, "decisions_per_s": self.rate}]


@pytest.fixture
def sides(monkeypatch):
    """Return a function that sets what the two sides measure; their common log."""

    def set_rates(base, now, unknown=()):
        log = []

        @contextlib.contextmanager
        def made_up(_commit, _folder):
            yield FakeSide("base", base, log, unknown), FakeSide("now", now, log)

        monkeypatch.setattr(compare, "two_sides", made_up)
        return log

    return set_rates


def test_a_slower_working_tree_fails(sides, capsys):
    sides(base=1000.0, now=800.0)
    assert main(["mustang", "--base", "HEAD"]) == 1
    printed = capsys.readouterr().out
    assert "processor" in printed
    assert "FAILED: 2 of 2 configurations are more than 10 % slower than BASE" in printed
    assert printed.count("too slow") == 2


@pytest.mark.parametrize("now", [900.0, 1000.0, 2000.0])
def test_a_working_tree_that_is_fast_enough_passes(sides, capsys, now):
    sides(base=1000.0, now=now)
    assert main(["mustang", "--base", "HEAD"]) == 0
    assert "no configuration is clearly more than 10 % slower than BASE" in capsys.readouterr().out


def test_a_game_that_the_base_lacks_is_told_and_does_not_fail(sides, capsys):
    log = sides(base=1000.0, now=990.0, unknown=("fable",))
    assert main(["mustang", "fable", "--base", "HEAD"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("fable")]
    assert len(lines) == 1
    assert lines[0].endswith("not in BASE")
    assert ("now", "fable", "batch") in log


def test_a_base_without_any_of_the_games_compares_nothing(sides, capsys):
    sides(base=1000.0, now=990.0, unknown=("mustang",))
    assert main(["mustang", "--base", "HEAD"]) == 0
    assert "nothing to compare" in capsys.readouterr().out


@pytest.mark.parametrize(("base", "now"), [(None, 1.0), (1.0, None)])
def test_a_side_that_fails_to_run_is_told(sides, capsys, base, now):
    sides(base=base, now=now)
    assert main(["mustang", "--base", "HEAD"]) == 2
    printed = capsys.readouterr()
    assert "SyntaxError: invalid syntax" in printed.err
    assert "verdict" not in printed.out


def test_sides_take_turns_and_the_first_round_does_not_count(sides):
    log = []
    base, now = FakeSide("base", 1.0, log), FakeSide("now", 2.0, log)
    measured = measure(base, now, make_jobs(["mustang"], 1, 0.1)[:1], rounds=7)
    assert len(measured.base["mustang", "batch", 2, 1, 1]) == 7
    names = [name for name, *_ in log]
    assert names[2:] == [*["base", "now", "now", "base"] * 3, "base", "now"]


def test_jobs_are_the_batch_of_all_games_and_the_other_faces_of_the_first():
    jobs = make_jobs(["stabletimes", "fable"], 3, 0.2)
    assert [(job.game, job.arguments[1:5]) for job in jobs] == [
        ("stabletimes", ("--faces", "batch", "--players", "2")),
        ("fable", ("--faces", "batch", "--players", "2")),
        ("stabletimes", ("--faces", "aec", "sb3", "--players")),
    ]


def test_the_table_tells_configuration_figures_and_verdict():
    measured = Measured(base={KEY: [100.0] * 7}, now={KEY: [50.0] * 7})
    lines = table(measured.comparisons())
    assert lines[0].split() == [
        "game", "face", "players", "games", "threads", "BASE", "now", "now", "/", "BASE", "interval", "verdict",
    ]  # fmt: skip
    assert lines[2].split() == [
        "mustang", "batch", "2", "1024", "1", "100", "50", "0.500", "0.500", "to", "0.500", "too", "slow",
    ]  # fmt: skip


def test_doubts_are_told():
    wide = Comparison.of(NINE, [80, 82, 79, 81, 80, 95, 97, 80, 81])
    assert conclusion({KEY: wide}).endswith("1 may be: measure again on a quiet machine")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "the following arguments are required: --base"),
        (["--base", "HEAD", "--rounds", "6"], "'6': expected an integer of 7 or more"),
        (["--base", "HEAD", "--seconds", "0"], "'0': expected seconds, 0.001 or more"),
    ],
)
def test_bad_arguments_are_refused_in_words(arguments, words, capsys):
    with pytest.raises(SystemExit) as refused:
        main(arguments)
    assert refused.value.code == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--base", "no-such-revision"], "error: no revision 'no-such-revision' here: fatal: Needed a single revision"),
        (["--base", "--output=x"], "error: no revision '--output=x' here"),
        (["mustan", "--base", "HEAD"], "error: unknown game 'mustan'; did you mean 'mustang'?"),
    ],
)
def test_what_is_not_there_is_told_before_anything_is_built(arguments, words, capsys, monkeypatch):
    monkeypatch.setattr(compare, "two_sides", lambda *_: pytest.fail("built first"))
    arguments = [f"{arguments[0]}={arguments[1]}"] if arguments[0] == "--base" else arguments
    assert main(arguments) == 2
    printed = capsys.readouterr()
    assert words in printed.err
    assert printed.out == ""


@pytest.mark.parametrize("words", [[], ["BASE="]])
def test_make_asks_for_base(words):
    run = subprocess.run(
        ["make", "--no-print-directory", "bench-compare", *words], cwd=ROOT, capture_output=True, text=True
    )
    assert run.returncode == 2
    assert run.stdout == "BASE is missing, the revision to compare with: make bench-compare BASE=HEAD~1\n"


# --- the sides --------------------------------------------------------------------------------------------------------


@pytest.fixture
def repository(tmp_path):
    """Return a small repository whose working tree is not as committed."""
    folder = tmp_path / "repository"
    (folder / "sub").mkdir(parents=True)
    for name, text in [("kept", "1"), ("changed", "1"), ("gone", "1"), ("sub/deep", "1"), (".gitignore", "ignored\n")]:
        (folder / name).write_text(text)
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "First"]):
        git(folder, *command)
    (folder / "changed").write_text("2")
    (folder / "gone").unlink()
    (folder / "new").write_text("2")
    (folder / "ignored").write_text("2")
    return folder


def git(folder, *command):
    who = ["-c", "user.name=Nobody", "-c", "user.email=nobody@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, *command], cwd=folder, check=True, capture_output=True)


def files_of(tree):
    return {str(path.relative_to(tree)): path.read_text() for path in tree.rglob("*") if path.is_file()}


def test_a_revision_is_laid_as_committed(repository, tmp_path):
    side = Side("BASE", tmp_path / "base")
    side.lay_revision(repository, commit_of(repository, "HEAD"))
    laid = files_of(side.tree)
    assert laid == {"kept": "1", "changed": "1", "gone": "1", "sub/deep": "1", ".gitignore": "ignored\n"}


def test_the_working_tree_is_laid_as_it_is_without_what_is_ignored(repository, tmp_path):
    side = Side("now", tmp_path / "now")
    side.lay_working_tree(repository)
    assert files_of(side.tree) == {"kept": "1", "changed": "2", "new": "2", "sub/deep": "1", ".gitignore": "ignored\n"}


def test_files_that_a_killed_run_left_are_replaced(repository, tmp_path):
    side = Side("now", tmp_path / "now")
    side.tree.mkdir(parents=True)
    (side.tree / "left").write_text("")
    side.lay_working_tree(repository)
    assert "left" not in files_of(side.tree)


def test_a_repository_is_described(repository):
    commit = commit_of(repository, "HEAD")
    assert len(commit) == 40
    assert describe_commit(repository, commit).endswith("First")
    assert count_changes(repository) == 3


def test_a_folder_that_is_no_repository_is_told(tmp_path):
    with pytest.raises(ValueError, match="no revision 'HEAD' here: fatal: not a git repository"):
        commit_of(tmp_path, "HEAD")


@pytest.fixture
def bare_side(tmp_path):
    """Return a side with an interpreter, whose benchmark is the script that a test writes."""
    side = Side("now", tmp_path / "now")
    (side.tree / "benchmarks").mkdir(parents=True)
    side._python.parent.mkdir(parents=True)
    side._python.symlink_to(sys.executable)
    return side


def test_a_side_runs_its_own_benchmark_with_its_own_cache(bare_side, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    told = "[sys.argv[1:], os.environ['NUMBA_CACHE_DIR'], os.environ.get('PYTHONPATH'), os.getcwd()]"
    (bare_side.tree / "benchmarks" / "throughput.py").write_text(f"import json, os, sys\nprint(json.dumps({told}))\n")
    cache = str(bare_side.tree.parent / "cache")
    arguments = ["mustang", "--no-starts", "--json"]
    assert bare_side.measure(["mustang"]) == [arguments, cache, None, os.path.realpath(bare_side.tree)]


def test_a_benchmark_that_fails_tells_what_it_printed(bare_side):
    script = "import sys\nsys.exit('\\n'.join(f'line {number}' for number in range(30)))\n"
    (bare_side.tree / "benchmarks" / "throughput.py").write_text(script)
    with pytest.raises(SideError, match="failed in") as failed:
        bare_side.measure(["mustang"])
    assert str(failed.value).endswith("line 29")
    assert "line 17" not in str(failed.value)


def test_a_side_without_an_interpreter_is_told(tmp_path):
    side = Side("now", tmp_path / "now")
    side.tree.mkdir(parents=True)
    with pytest.raises(SideError, match="cannot be run"):
        side.measure(["mustang"])


def test_both_sides_are_removed_after_use(tmp_path, repository, monkeypatch):
    monkeypatch.setattr(compare, "ROOT", repository)
    monkeypatch.setattr(Side, "install", lambda self: None)
    with two_sides(commit_of(repository, "HEAD"), tmp_path / "compare") as (base, now):
        assert files_of(base.tree)["changed"] == "1"
        assert files_of(now.tree)["changed"] == "2"
    assert files_of(tmp_path / "compare") == {}


@pytest.mark.parametrize("error", [KeyboardInterrupt, SideError("pip failed")])
def test_both_sides_are_removed_after_ctrl_c_and_after_errors(tmp_path, repository, monkeypatch, error):
    def fail(_side):
        raise error

    monkeypatch.setattr(compare, "ROOT", repository)
    monkeypatch.setattr(Side, "install", fail)
    with (
        pytest.raises(error if isinstance(error, type) else type(error)),
        two_sides(commit_of(repository, "HEAD"), tmp_path / "compare"),
    ):
        pytest.fail("went on")
    assert files_of(tmp_path / "compare") == {}


def test_one_comparison_at_a_time(tmp_path, repository, monkeypatch):
    monkeypatch.setattr(compare, "ROOT", repository)
    monkeypatch.setattr(Side, "install", lambda self: None)
    commit = commit_of(repository, "HEAD")
    with two_sides(commit, tmp_path / "compare") as (base, _now):
        with pytest.raises(ValueError, match="is in use by process"), two_sides(commit, tmp_path / "compare"):
            pytest.fail("went on")
        assert base.tree.exists()
    shutil.rmtree(tmp_path / "compare")
