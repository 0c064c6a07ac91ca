"""Which tests set up the situation of which rule: read from ``@pytest.mark.rule("M8a")``, without running anything."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

#: The first cell of a row in a rules document: a rule's number alone.
_ROW = re.compile(r"^\| *([A-Z]\d+[a-z]?) *\|")
_SHOWN = 3


def rule_numbers(text: str) -> list[str]:
    """Return the numbers of the rules that a rules document's tables list, in order."""
    return [match[1] for line in text.splitlines() if (match := _ROW.match(line))]


def citing_tests(folder: Path) -> dict[str, list[str]]:
    """Return for each number cited the tests that cite it: ``test_rules.py::test_name``, and then others."""
    found: dict[str, list[str]] = {}
    files = sorted(folder.rglob("test_*.py"), key=lambda file: (not file.name.startswith("test_rules"), file))
    for file in files:
        tree = ast.parse(file.read_text(encoding="utf-8"), str(file))
        for name, numbers in _cited(tree.body, "", []):
            for number in numbers:
                found.setdefault(number, []).append(f"{file.relative_to(folder)}::{name}")
    return found


def fill_tests(text: str, tests: dict[str, list[str]]) -> str:
    """Return a rules document with the last cell of each rule's row naming the tests that cite the rule."""
    return "\n".join(_fill_row(line, tests) for line in text.split("\n"))


def _fill_row(line: str, tests: dict[str, list[str]]) -> str:
    match = _ROW.match(line)
    if match is None:
        return line
    names = list(dict.fromkeys(tests.get(match[1], [])))
    shown = ", ".join(f"`{name}`" for name in names[:_SHOWN])
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    row = line.rstrip().removesuffix("|").rpartition("|")[0]
    return f"{row}| {shown}{more} |"


def _cited(body: list[ast.stmt], prefix: str, inherited: list[str]) -> Iterator[tuple[str, list[str]]]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            marked = [number for decorator in node.decorator_list for number in _numbers(decorator)]
            yield from _cited(node.body, f"{prefix}{node.name}::", inherited + marked)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith("test"):
            marked = [number for decorator in node.decorator_list for number in _numbers(decorator)]
            yield f"{prefix}{node.name}", inherited + marked


def _numbers(decorator: ast.expr) -> list[str]:
    """Return the numbers in ``pytest.mark.rule("M8", "M8a")``."""
    if not isinstance(decorator, ast.Call) or not isinstance(decorator.func, ast.Attribute):
        return []
    if decorator.func.attr != "rule":
        return []
    return [argument.value for argument in decorator.args if _is_text(argument)]  # type: ignore[attr-defined]


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
