"""Every Python block in the README and the docs runs by itself; every command there is one that exists."""

from __future__ import annotations

import functools
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PYTHON = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
SHELL = re.compile(r"^```bash\n(.*?)^```", re.DOTALL | re.MULTILINE)
MODULE = re.compile(r"python -m ((?:benchmarks|agents|docs)[\w.]*)([^#\n]*)")
LINK = re.compile(r"\]\(([^)#\s:]+)(?:#[^)]*)?\)")


def _blocks(pattern):
    return [
        pytest.param(match[1], id=f"{page.name}-{1 + page.read_text().count(chr(10), 0, match.start())}")
        for page in PAGES
        for match in pattern.finditer(page.read_text(encoding="utf-8"))
    ]


@pytest.mark.parametrize("code", _blocks(PYTHON))
def test_python_block_runs(code, tmp_path):
    script = tmp_path / "snippet.py"
    script.write_text(f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{code}", encoding="utf-8")
    run = subprocess.run([sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "Warning" not in run.stderr


@functools.cache
def _help_of(module):
    run = subprocess.run(
        [sys.executable, "-m", module, "--help"], cwd=ROOT, capture_output=True, text=True, check=True, timeout=300
    )
    return run.stdout


@pytest.mark.parametrize("block", _blocks(SHELL))
def test_commands_have_the_flags_they_are_given(block):
    for module, arguments in MODULE.findall(block):
        flags = re.findall(r"--[a-z][a-z-]*", arguments)
        missing = [flag for flag in flags if not re.search(rf"{flag}\b", _help_of(module))]
        assert not missing, f"python -m {module} has no {missing}"


@pytest.mark.parametrize("block", _blocks(SHELL))
def test_make_targets_exist(block):
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert set(re.findall(r"^make ([a-z-]+)", block, re.MULTILINE)) <= set(targets)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    targets = LINK.findall(page.read_text(encoding="utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []
