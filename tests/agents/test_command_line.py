"""What all command lines do alike: Ctrl-C is one line, a missing extra is one line, places are checked first."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from pathlib import Path

import pytest

from agents.command_line import check_place

ROOT = Path(__file__).parents[2]
COMMANDS = {
    "agents.train": ["mustang", "--steps", "1000000", "--out", "OUT"],
    "agents.evaluate": ["mustang", "--agents", "random", "--deals", "50"],
    "agents.tournament": ["mustang", "--agents", "random", "random", "--games", "50", "--out", "OUT"],
    "agents.play": ["mustang", "--opponents", "random", "--out", "OUT"],
    "benchmarks.throughput": ["mustang", "--quick", "--faces", "batch"],
}


def run(module: str, words: list[str], before: str, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    """Run ``python -m module`` after the lines ``before``, which set a trap."""
    code = f"import runpy, sys\n{before}\nrunpy.run_module({module!r}, run_name='__main__', alter_sys=True)"
    return subprocess.run(
        [sys.executable, "-c", code, *words], cwd=ROOT, capture_output=True, text=True, timeout=timeout, check=False
    )


# Where Ctrl-C falls: as a module begins to load, and as the games are made.
IMPORT = """
import builtins
class Stop:
    def find_spec(self, name, *_):
        if name == {name!r}:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Stop())
"""


@pytest.mark.parametrize("module", COMMANDS)
@pytest.mark.parametrize("name", ["numpy", "numba", "tablezoo.batch", "mustang_env"])
def test_ctrl_c_while_it_loads(module: str, name: str, tmp_path: Path) -> None:
    words = [str(tmp_path / "run") if word == "OUT" else word for word in COMMANDS[module]]
    done = run(module, words, IMPORT.format(name=name))
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "stopped\n")


@pytest.mark.parametrize("module", ["agents.evaluate", "benchmarks.throughput"])
def test_ctrl_c_while_it_works(module: str) -> None:
    trap = """
import signal, tablezoo.batch as b
signal.signal(signal.SIGINT, signal.default_int_handler)
step = b.Batch.step
def stop(self, *rest, **named):
    signal.raise_signal(signal.SIGINT)
    step(self, *rest, **named)
b.Batch.step = stop
"""
    done = run(module, COMMANDS[module], trap)
    assert done.returncode == 130
    assert done.stderr == "stopped\n"


@pytest.mark.parametrize(
    ("module", "missing"),
    [
        *itertools.product(
            ("agents.train", "agents.export", "agents.evaluate"), ("torch", "sb3_contrib", "stable_baselines3")
        ),
        *itertools.product(["agents.tournament"], ("torch", "openskill", "matplotlib", "tqdm")),
    ],
)
def test_without_the_extra(module: str, missing: str, tmp_path: Path) -> None:
    trap = IMPORT.format(name=missing).replace(
        "raise KeyboardInterrupt", f"raise ModuleNotFoundError('No module named {missing}', name={missing!r})"
    )
    words = {"OUT": str(tmp_path / "run"), "random": "runs/first"}  # a name alone needs nothing of it
    command = {**COMMANDS, "agents.export": ["runs/first"]}[module]
    done = run(module, [words.get(word, word) for word in command], trap)
    assert done.returncode == 2
    told = f"error: python -m {module} needs the extra: pip install 'tablezoo[train]' ({missing} is missing)\n"
    assert (done.stdout, done.stderr) == ("", told)
    assert list(tmp_path.iterdir()) == []


def test_a_module_of_its_own_that_is_missing_is_no_extra() -> None:
    trap = IMPORT.format(name="tablezoo.batch").replace(
        "raise KeyboardInterrupt", "raise ModuleNotFoundError('x', name='tablezoo.batch')"
    )
    done = run("agents.evaluate", COMMANDS["agents.evaluate"], trap)
    assert done.returncode == 1
    assert "ModuleNotFoundError" in done.stderr
    assert "extra" not in done.stderr


def test_a_place_is_checked_with_its_options_name(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "dead").symlink_to(tmp_path / "nowhere")
    for good in (tmp_path / "new", tmp_path / "a" / "b" / "c", Path("new"), Path("a/b")):
        check_place("--out", good)
    for bad in ("file/run", "file/a/b", "dead/run"):
        with pytest.raises(ValueError, match=rf"^--out {tmp_path / bad}: {tmp_path}/\w+ is no folder$"):
            check_place("--out", tmp_path / bad)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_place_that_may_not_be_written_to(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(ValueError, match=f"^--out {tmp_path / 'run'}: nothing can be written in {tmp_path}$"):
        check_place("--out", tmp_path / "run")
    tmp_path.chmod(0o700)
