"""What a game says to a person at the table, beside its picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tablezoo.game import Game

#: A decision: the record before it, the action, the record after it and after all that followed unasked.
Step = tuple[Any, int, Any]


@dataclass(frozen=True)
class Telling:
    """A game's words for people; its picture is ``Game.describe``.

    Attributes:
        choice: ``choice(record, content, action)`` returns a legal action as the seat asked reads it there, with the
            cards that it moves.
        since: ``since(steps, seat, content)`` returns lines: what ``seat`` could see happen in consecutive steps, its
            own and others'. Nothing hidden is told, nor whether a seat was asked or had one choice only.
        notes: ``notes(record, content)`` returns lines that explain the signs in the picture; None if it has none.
    """

    choice: Callable[[Any, Any, int], str]
    since: Callable[[Sequence[Step], int, Any], list[str]]
    notes: Callable[[Any, Any], list[str]] | None = None


def choice_words(game: Game, record: Any, content: Any, action: int) -> str:
    """Return a legal action in the words of the position, or its label where the game has no others."""
    return game.action_label(action) if game.telling is None else game.telling.choice(record, content, action)


def told_since(game: Game, steps: Sequence[Step], seat: int, content: Any) -> list[str]:
    """Return what ``seat`` could see happen in consecutive steps; of a game that does not tell, only who decided."""
    if game.telling is not None:
        return game.telling.since(steps, seat, content)
    others = [int(before["seat"]) for before, _, _ in steps if before["seat"] != seat]
    return [f"player_{other} decided; this game does not tell what." for other in dict.fromkeys(others)]


def notes_of(game: Game, record: Any, content: Any) -> list[str]:
    """Return what explains the signs in a position's picture."""
    return [] if game.telling is None or game.telling.notes is None else game.telling.notes(record, content)
