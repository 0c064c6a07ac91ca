"""A person at a table with policies: what is shown, what may be typed, what is taken back."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tablezoo.batch import Batch
from tablezoo.policies import Policy, Views
from tablezoo.rng import OPPONENTS, seed_streams
from tablezoo.telling import Step, notes_of, told_since

from ..replay import Replay
from .showing import content_of, result_lines
from .taking_back import shows_nothing
from .terminal import ask, choices_at, entries, heading, matching, meanwhile, menu, picture, say

HELP = """\
  a number         choose what has that number
  words            show the choices that have all these words; nothing is chosen
  table, or t      show the table and all choices again
  undo, or u       take back your last decision, while nobody else has decided and you have
                   seen nothing new
  help, or h       this, and what the signs on the table mean
  quit, or q       leave the game, as Ctrl-D and Ctrl-C do; it is kept as far as it was played"""
_DIGITS = 9


class Leaves(Exception):  # noqa: N818  # no error
    """The person leaves the table."""


class AtTable:
    """One game of a person against policies; its file is written after each decision, whole.

    Args:
        replay: the game; table: where it begins, as ``replay.deal()`` returns it.
        seat: the person's.
        policies: who plays each of the other seats.
        path: of the file.
    """

    def __init__(self, replay: Replay, table: Batch, seat: int, policies: Mapping[int, Policy], path: Path) -> None:
        self.replay = replay
        self.table = table
        self.seat = seat
        self.policies = policies
        self.path = path
        self._streams = seed_streams(replay.seed, 1, OPPONENTS)
        self._steps: list[Step] = []  # since the person's last decision, that one included
        self._earlier: list[tuple[Batch, list[Step]]] = []  # what undo goes back to, the last one last
        self._decided = 0  # by the person: how often others were asked, nobody at the table sees

    def play(self) -> None:
        """Play to the end.

        Raises:
            Leaves: the person has left before.
            IllegalActionError: a policy has chosen what is not legal.
            OSError: the file cannot be written.
        """
        self.replay.write(self.path)
        self._welcome()
        while self.table.seat[0] >= 0:
            if self.table.seat[0] == self.seat:
                self._decide()
            else:
                self._let_play(int(self.table.seat[0]))
        say("", heading("the end"), *self._told(), *picture(self.table, self.seat))
        say(*result_lines(self.table, self.replay.seats), "")

    def _welcome(self) -> None:
        others = [f"player_{seat}: {who}" for seat, who in enumerate(self.replay.seats) if seat != self.seat]
        say(
            f"{self.replay.game.title}, seed {self.replay.seed}. You are player_{self.seat}.",
            *([f"Against you: {', '.join(others)}."] if others else []),
            f"The game is kept in {self.path}. Type help for what you may type.",
        )

    # --- decisions ----------------------------------------------------------------------------------------------------

    def _let_play(self, seat: int) -> None:
        with meanwhile("the others decide ..."):
            action = int(self.policies[seat].act(Views(self.table, [0], self._streams))[0])
        self._step(action)
        self._earlier.clear()

    def _step(self, action: int) -> None:
        before = self.table.states[0].copy()
        self.table.step([action])
        self.replay.add(action, self.table)
        self.replay.write(self.path)
        self._steps.append((before, action, self.table.states[0].copy()))

    def _decide(self) -> None:
        """Ask the person until something is chosen, or taken back."""
        self._show()
        choices = choices_at(self.table)
        action = self._choose(choices)
        if action is None:
            self._undo()
            return
        before, steps = self.table.clone(), self._steps
        self._steps = []
        self._step(action)
        self._decided += 1
        if shows_nothing(before, action, self.table):
            self._earlier.append((before, steps))
        else:
            self._earlier.clear()

    def _undo(self) -> None:
        self.table, self._steps = self._earlier.pop()
        self.replay.take_back()
        self._decided -= 1
        self.replay.write(self.path)
        say("Taken back.")

    # --- what is typed ------------------------------------------------------------------------------------------------

    def _choose(self, choices: Mapping[int, str]) -> int | None:
        """Return the action chosen; None: the last one is to be taken back."""
        while True:
            line = self._line(len(choices))
            command = line.lower()
            if command in ("quit", "q", "exit"):
                raise Leaves
            if command in ("undo", "u"):
                if self._earlier:
                    return None
                say("There is nothing to take back: it showed you something new, or others have decided since.")
            elif command in ("help", "h", "?"):
                say(*HELP.splitlines(), *notes_of(self.table.game, self.table.states[0], content_of(self.table)))
            elif command in ("table", "t"):
                self._show(whole=True)
            elif line.isdecimal():
                number = int(line) if len(line) <= _DIGITS else 0
                if 1 <= number <= len(choices):
                    return list(choices)[number - 1]
                say(f"There is no choice {line[:20]}; expected 1 to {len(choices)}.")
            else:
                self._find(choices, line)

    def _line(self, number: int) -> str:
        try:
            return ask(f"1 to {number}, or help> ")
        except EOFError:
            raise Leaves from None

    def _find(self, choices: Mapping[int, str], line: str) -> None:
        found = matching(choices, line)
        if not line:
            say(f"Nothing chosen yet; expected a number from 1 to {len(choices)}, or help.")
        elif found:
            say(*entries(found), "Type the number of one to choose it.")
        else:
            say(f"No choice has {line[:40]!r}, nothing has moved; expected a number from 1 to {len(choices)}, or help.")

    # --- what is shown ------------------------------------------------------------------------------------------------

    def _show(self, whole: bool = False) -> None:
        """Print what happened, the table and the choices; after a decision that showed nothing, no table."""
        told, lines = self._told(), picture(self.table, self.seat)
        if self._earlier and not whole:
            say("", *told, lines[-1])
        else:
            since = ["Since your last decision:", *(f"  {line}" for line in told), ""] if told else []
            say("", heading(f"your decision {self._decided + 1}"), *since, *lines)
        say(*menu(self.table.game, choices_at(self.table)))

    def _told(self) -> list[str]:
        return told_since(self.table.game, self._steps, self.seat, content_of(self.table))
