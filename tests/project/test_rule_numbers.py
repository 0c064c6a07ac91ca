"""Every rule has a test that sets up its situation, and the rules document names it."""

from __future__ import annotations

import re

import pytest

from docs.generate import GAMES
from docs.rule_tests import ROOT, citing_tests, fill_tests, rule_numbers

RULES = {game: ROOT / f"{game}_env" / "RULES.md" for game in GAMES}
LETTER = {"mustang": "M", "stabletimes": "S", "fable": "F"}
NUMBERS = {"mustang": range(1, 30), "stabletimes": [*range(1, 23), *range(30, 36)], "fable": range(1, 29)}


@pytest.fixture(params=list(GAMES))
def game(request):
    return request.param


def test_every_rule_has_a_test(game):
    numbers = rule_numbers(RULES[game].read_text(encoding="utf-8"))
    cited = citing_tests(ROOT / "tests" / game)
    without = [number for number in numbers if number not in cited]
    assert not without, f'rules without a test: {", ".join(without)}; mark one with @pytest.mark.rule("{without[0]}")'


def test_every_test_cites_a_rule_that_there_is(game):
    numbers = rule_numbers(RULES[game].read_text(encoding="utf-8"))
    cited = citing_tests(ROOT / "tests" / game)
    assert sorted(set(cited) - set(numbers)) == []


def test_the_rules_are_numbered_without_a_gap(game):
    numbers = rule_numbers(RULES[game].read_text(encoding="utf-8"))
    assert len(numbers) == len(set(numbers))
    whole = [number for number in numbers if number[-1].isdigit()]
    assert sorted(whole, key=lambda number: int(number[1:])) == [f"{LETTER[game]}{i}" for i in NUMBERS[game]]


def test_the_code_cites_rules_that_there_are(game):
    numbers = set(rule_numbers(RULES[game].read_text(encoding="utf-8")))
    source = "\n".join(file.read_text(encoding="utf-8") for file in (ROOT / f"{game}_env").glob("*.py"))
    cited = set(re.findall(rf"\b{LETTER[game]}\d+[a-z]?\b", source))
    assert cited
    assert sorted(cited - numbers) == []


def test_the_tests_named_exist(game):
    text = RULES[game].read_text(encoding="utf-8")
    assert text == fill_tests(text, citing_tests(ROOT / "tests" / game)), "run `make docs`"


def test_markers_are_read_from_functions_and_classes(tmp_path):
    source = """
    import pytest

    @pytest.mark.rule("M1", "M2a")
    @pytest.mark.parametrize("n", [1])
    def test_one(n): ...

    @pytest.mark.rule("M3")
    class TestTwo:
        def test_inner(self): ...

        @pytest.mark.rule("M1")
        def test_other(self): ...

    def test_without(): ...
    """
    lines = [line[4:] for line in source.splitlines()]
    (tmp_path / "test_it.py").write_text("\n".join(lines))
    assert citing_tests(tmp_path) == {
        "M1": ["test_it.py::test_one", "test_it.py::TestTwo::test_other"],
        "M2a": ["test_it.py::test_one"],
        "M3": ["test_it.py::TestTwo::test_inner", "test_it.py::TestTwo::test_other"],
    }


def test_the_last_cell_of_a_rules_row_is_filled():
    page = "| Rule | What | Test |\n|---|---|---|\n| M1 | two to five | old |\n| M2 | cards | |\ntext"
    filled = fill_tests(page, {"M1": ["a.py::test_a", "a.py::test_a"], "M2": [f"a.py::test_{i}" for i in range(5)]})
    assert "| M1 | two to five | `a.py::test_a` |" in filled
    assert "| M2 | cards | `a.py::test_0`, `a.py::test_1`, `a.py::test_2` and 2 more |" in filled
    assert filled.startswith("| Rule | What | Test |\n|---|---|---|\n")
    assert filled.endswith("\ntext")
