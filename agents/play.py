"""A person plays in the terminal: ``python -m agents.play GAME --opponents greedy``."""

from __future__ import annotations

if __name__ == "__main__":
    from .command_line import start

    start("play")

import argparse
from collections.abc import Sequence
from itertools import count
from pathlib import Path

from tablezoo.errors import IllegalActionError
from tablezoo.game import Game
from tablezoo.keywords import integer_of
from tablezoo.options import options_of_words
from tablezoo.registration import find_game
from tablezoo.rng import checked_seed, fresh_seed

from .command_line import PACKAGE, check_place, tell
from .opponents import parse_agent
from .playing.at_table import AtTable, Leaves
from .playing.terminal import prepare, say
from .replay import PERSON, Replay


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; see ``--help``."""
    chosen = _parser().parse_args(arguments)
    try:
        game = find_game(chosen.game)
        players = max(len(chosen.opponents) + 1, game.min_players) if chosen.players is None else chosen.players
        game.players(players, 1)
        integer_of("--seat", chosen.seat, 0, players - 1)
        words = _words_of_seats(chosen.opponents, players, chosen.seat)
        policies = {seat: parse_agent(word, game) for seat, word in enumerate(words) if seat != chosen.seat}
        seed = fresh_seed() % 2**31 if chosen.seed is None else checked_seed(chosen.seed)
        options = options_of_words(chosen.option)
        if chosen.out is not None:
            check_place("--out", chosen.out)
        replay = Replay.of(game, players, seed=seed, seats=words, content=chosen.content, **options)
        table = replay.deal()
        path = _new_file(game, chosen.out)
    except (ValueError, TypeError, OSError) as error:
        return tell(error)
    return _play(AtTable(replay, table, chosen.seat, policies, path))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m agents.play",
        description="Play a game yourself, in the terminal. It is kept as a replay, however it ends.",
        epilog="example: python -m agents.play mustang --opponents greedy random",
    )
    parser.add_argument("game", help="the game, as in mustang")
    parser.add_argument(
        "--opponents",
        nargs="*",
        default=[],
        metavar="AGENT",
        help="a name (random, greedy) or a path, clockwise from your seat; the last one takes all seats left "
        "(default: greedy, and in Stable Times solo)",
    )
    parser.add_argument("--players", type=int, help="seats (default: opponents and you, or the fewest of the game)")
    parser.add_argument("--seat", type=int, default=0, help="yours, from 0 (default: 0)")
    parser.add_argument("--seed", type=int, help="of the deal and of the opponents' draws (default: a new one)")
    parser.add_argument("--content", help="the content set: a name, or the path of a .toml file")
    parser.add_argument("--option", nargs="+", default=[], metavar="NAME=VALUE", help="the game's options")
    parser.add_argument(
        "--out", type=Path, metavar="FILE.json", help="where the game is kept (default: play-GAME-1.json, or the next)"
    )
    return parser


def _words_of_seats(opponents: Sequence[str], players: int, seat: int) -> list[str]:
    """Return who sits where: the opponents clockwise from the person's seat, the last one in all seats left."""
    if len(opponents) > players - 1:
        raise ValueError(f"{len(opponents)} opponents for {players} players, of whom you are one")
    listed = list(opponents) or ["greedy"]
    listed += [listed[-1]] * (players - 1 - len(listed))
    return [PERSON if one == seat else listed[(one - seat) % players - 1] for one in range(players)]


def _new_file(game: Game, out: Path | None) -> Path:
    """Make the file of a game, empty: nobody else's is ever overwritten.

    Raises:
        ValueError: ``out`` is there already.
        OSError: nothing can be written there.
    """
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        try:
            out.touch(exist_ok=False)
        except FileExistsError:
            raise ValueError(f"--out {out} is there already; name another file, no game is overwritten") from None
        return out
    for number in count(1):
        path = Path(f"play-{game.name}-{number}.json")
        try:
            path.touch(exist_ok=False)
        except FileExistsError:
            continue
        return path
    raise AssertionError("unreachable: some number is free")


def _play(at_table: AtTable) -> int:
    """Play, and say where the game is kept, however it ends."""
    prepare()
    try:
        at_table.play()
    except Leaves:
        say("", *_kept(at_table))
    except KeyboardInterrupt:
        at_table.replay.write(at_table.path)  # it may have fallen into the middle of a decision, or of writing one
        say("", *_kept(at_table))
        raise
    except BrokenPipeError:  # nobody reads on
        raise
    except IllegalActionError as error:
        return tell(f"an opponent did what it may not: {error}; the game so far is in {at_table.path}")
    except OSError as error:
        return tell(f"{error}; {at_table.path} holds the game up to then")
    else:
        say(*_kept(at_table))
    return 0


def _kept(at_table: AtTable) -> list[str]:
    decisions = len(at_table.replay.moves)
    return [
        f"The game is kept in {at_table.path} ({decisions} decisions). To see it again:",
        f"  python -m {PACKAGE}.replay {at_table.path}",
    ]
