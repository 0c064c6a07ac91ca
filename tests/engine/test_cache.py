"""Machine code is never stale, never another game's, and a second process starts from the disk."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

from tablezoo.compiling import UNCOMPILED
from tablezoo.game import kernel
from tablezoo.specialise import digest_of, loops_of
from tests.engine import tiny
from tests.engine.helpers import ROOT, run_python

pytestmark = pytest.mark.skipif(UNCOMPILED, reason="nothing is compiled")

#: Plays the games named and prints what their tables hold, and how many files the cache has.
PROGRAM = """
import json, os, pathlib, sys
sys.path.insert(0, {folder!r})
import numpy as np
from tablezoo import Batch
import toygame
found = {{}}
for name in {games!r}:
    batch = Batch(getattr(toygame, name), 8, num_players=3, seed=0, autoreset=False)
    rng = np.random.default_rng(0)
    while (batch.seat >= 0).any():
        batch.step([rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in batch.action_mask])
    found[name] = [batch.states["table"].sum(axis=0).tolist(), batch.scores.tolist()]
print(json.dumps(found))
"""

INIT = """
import dataclasses
from tablezoo.game import kernel
from toygame import rules

GAME = dataclasses.replace(rules.make_game(cached=True), ref="toygame:GAME", package="toygame")

@kernel
def score(s, c, keys):
    for seat in range(int(s.num_players)):
        keys[seat, 0] = 1 + rules.points(s, seat)

OTHER = dataclasses.replace(GAME, ref="toygame:OTHER", kernels=dataclasses.replace(GAME.kernels, score=score))
"""


@pytest.fixture
def toygame(tmp_path):
    """The tiny game as a package of its own, with one of its helpers in a file of its own."""
    source = (ROOT / "tests" / "engine" / "tiny.py").read_text(encoding="utf-8")
    head, _, rest = source.partition("@kernel\ndef draw(s, seat):\n")
    body, _, tail = rest.partition("\n\n\n@kernel\n")
    package = tmp_path / "toygame"
    package.mkdir()
    (package / "__init__.py").write_text(INIT)
    helper = f"from tablezoo.game import kernel\n\n\n@kernel\ndef draw(s, seat):\n{body}\n"
    (package / "helpers.py").write_text(helper)
    head = head.replace("from tablezoo.rng", "from toygame.helpers import draw\nfrom tablezoo.rng")
    (package / "rules.py").write_text(f"{head}@kernel\n{tail}")
    return package


def results(package: Path, *games: str) -> dict[str, object]:
    program = PROGRAM.format(folder=str(package.parent), games=games)
    printed = run_python(program, NUMBA_CACHE_DIR=str(package.parent / "cache"), PYTHONDONTWRITEBYTECODE="1")
    found: dict[str, object] = json.loads(printed)
    return found


def cache_files(package: Path) -> set[str]:
    return {str(file.name) for file in (package.parent / "cache").rglob("*.nb*")}


def test_an_edited_helper_in_another_file_is_compiled_anew(toygame):
    helper = toygame / "helpers.py"
    original = helper.read_text()
    first = results(toygame, "GAME")
    compiled = cache_files(toygame)
    assert compiled
    assert results(toygame, "GAME") == first
    assert cache_files(toygame) == compiled  # the warm start compiled nothing

    edited = original.replace("if s.deck_size > 0:", "if s.deck_size > 1:")
    assert edited != original
    helper.write_text(edited)
    assert results(toygame, "GAME") != first
    assert cache_files(toygame) > compiled

    helper.write_text(original)
    compiled = cache_files(toygame)
    assert results(toygame, "GAME") == first
    assert cache_files(toygame) == compiled


def test_two_games_that_share_all_but_one_kernel(toygame):
    """In two processes with one cache, and in one process: each scores by its own kernel."""
    alone = {**results(toygame, "GAME"), **results(toygame, "OTHER")}
    (tables, scores), (other_tables, other_scores) = alone["GAME"], alone["OTHER"]
    assert tables == other_tables
    played = np.array([1, 1, 1, 0])
    assert np.array_equal(np.array(other_scores), np.array(scores) + played)
    compiled = cache_files(toygame)
    assert results(toygame, "OTHER", "GAME") == alone
    assert cache_files(toygame) == compiled


def test_two_games_in_this_process_have_their_own_loops():
    @kernel
    def score(s, c, keys):
        keys[0, 0] = 7

    other = dataclasses.replace(tiny.GAME, kernels=dataclasses.replace(tiny.GAME.kernels, score=score))
    assert loops_of(other) is not loops_of(tiny.GAME)
    assert loops_of(tiny.GAME) is loops_of(tiny.GAME)


# --- loops that are no game's own -----------------------------------------------------------------------------------

COUNTING = """
from counting.helpers import worth
from tablezoo.specialise import cached_loop

@cached_loop
def total(values, out):
    \"\"\"Sum what values are worth.\"\"\"
    for i in range(len(values)):
        out[0] += worth(values[i])
"""

HELPERS = """
from tablezoo.compiling import kernel

@kernel
def worth(value):
    return 2 * value
"""

COUNT = """
import sys
sys.path.insert(0, {folder!r})
import numpy as np
from counting import total
out = np.zeros(1)
total(np.arange(4.0), out)
print(out[0], total.__doc__)
"""


def test_a_loop_of_its_own_is_cached_and_never_stale(tmp_path):
    package = tmp_path / "counting"
    package.mkdir()
    (package / "__init__.py").write_text(COUNTING)

    def counted(factor):
        (package / "helpers.py").write_text(HELPERS.replace("2 *", f"{factor} *"))
        settings = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
        return run_python(COUNT.format(folder=str(tmp_path)), **settings)

    assert counted(2).split()[0] == "12.0"
    compiled = cache_files(package)
    assert compiled
    assert counted(2).strip() == "12.0 Sum what values are worth."
    assert cache_files(package) == compiled
    assert counted(3).split()[0] == "18.0"
    assert cache_files(package) > compiled


# --- the digest ----------------------------------------------------------------------------------------------------

TABLE = np.array([1, 2, 3])
NUMBER = 4


def _helper(x):
    return x + NUMBER


def _kernel(x):
    return _helper(x) + TABLE[0] + len("word")


def test_the_digest_tells_everything_that_can_be_reached(monkeypatch):
    first = digest_of([_kernel])
    assert first is not None
    assert digest_of([_kernel]) == first
    for name, value in {
        "NUMBER": 5,
        "TABLE": np.array([1, 2, 4]),
        "_helper": lambda x: x - NUMBER,
        "len": lambda x: 3,
    }.items():
        with monkeypatch.context() as patch:
            patch.setitem(globals(), name, value)
            assert digest_of([_kernel]) not in (first, None), name
    with monkeypatch.context() as patch:
        patch.setitem(globals(), "TABLE", TABLE.astype(np.int32))
        assert digest_of([_kernel]) != first
    assert digest_of([_kernel]) == first


def test_numbas_flags_are_in_the_digest(monkeypatch):
    first = digest_of([_kernel])
    monkeypatch.setattr("tablezoo.specialise.BOUNDSCHECK", True)
    assert digest_of([_kernel]) != first


def test_what_cannot_be_told_is_not_cached(monkeypatch):
    def closing(number):
        def inner(x):
            return x + number

        return inner

    assert digest_of([closing(3)]) is None
    monkeypatch.setitem(globals(), "NUMBER", [1, 2])
    assert digest_of([_kernel]) is None


def test_a_games_digest_does_not_depend_on_the_process():
    code = "from tablezoo.specialise import digest_of; from tests.engine import tiny; import tablezoo.loops as loops\n"
    code += "print(digest_of([*tiny.GAME.kernels.named().values()]))"
    here = digest_of([*tiny.GAME.kernels.named().values()])
    assert {run_python(code, PYTHONHASHSEED=seed).strip() for seed in ("0", "1")} == {here}
