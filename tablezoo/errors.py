"""The errors that a user can meet, and the did-you-mean that goes with unknown names."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class IllegalActionError(ValueError):
    """An action that the rules do not allow now; nothing has moved."""


class OptionError(TypeError):
    """An unknown option, or a value that an option does not take."""


class OptionValueError(OptionError, ValueError):
    """A known option with a value that it does not take."""


class SaveError(ValueError):
    """A file that is not a save of this game, this version or at all."""


class ContentError(ValueError):
    """A content file with faults; the message lists all of them with their keys."""


def did_you_mean(name: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """Return ``"; did you mean 'x'?"`` for a near miss, else the list of what is known."""
    known = sorted(known)
    near = difflib.get_close_matches(name, known, n=1, cutoff=cutoff)
    if near:
        return f"; did you mean {near[0]!r}?"
    return f"; known: {', '.join(known)}" if known else ""
