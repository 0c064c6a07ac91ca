"""What a run of the conformance suite found."""

from __future__ import annotations

from dataclasses import dataclass, field


class Skipped(Exception):  # noqa: N818 - no error: the check is left out
    """Raised within a check that cannot be made here; the words say why."""


@dataclass(frozen=True)
class Failure:
    """One thing that a check found wrong, and where.

    Attributes:
        check: the check's name.
        message: what was wrong.
        case: the player counts and options that were played.
        lane, seed, decision: the lane, the seed that plays it alone, the decisions played before; None if it is not
            about one game.
    """

    check: str
    message: str
    case: str = ""
    lane: int | None = None
    seed: int | None = None
    decision: int | None = None

    def __str__(self) -> str:
        named = [("lane", self.lane), ("seed", self.seed), ("decision", self.decision)]
        where = ", ".join([self.case, *(f"{name} {value}" for name, value in named if value is not None)])
        return f"{self.check}: {self.message} [{where.strip(', ')}]"


@dataclass
class Report:
    """The outcome of each check.

    Attributes:
        passed: how many cases each check passed in, by name.
        failures: everything found wrong, in the order found.
        skipped: why a check was not made, by name.
    """

    game: str
    passed: dict[str, int] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)

    @property
    def failed(self) -> list[str]:
        """The names of the checks that found something, each once."""
        return list(dict.fromkeys(failure.check for failure in self.failures))

    def __str__(self) -> str:
        lines = [f"{self.game}: {len(self.failed)} checks failed, {len(self.passed)} passed"]
        lines += [f"  FAILED  {failure}" for failure in self.failures]
        lines += [f"  skipped {name}: {reason}" for name, reason in self.skipped.items()]
        lines += [f"  passed  {name} ({cases} cases)" for name, cases in self.passed.items() if name not in self.failed]
        return "\n".join(lines)


class ConformanceError(AssertionError):
    """A game that does not keep what the engine and its users rely on.

    Attributes:
        report: everything that was checked and found.
    """

    def __init__(self, report: Report) -> None:
        super().__init__(str(report))
        self.report = report
