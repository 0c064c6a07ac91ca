"""The digest of a case, made in a process of its own: ``python -m tablezoo.testing.playthrough '<JSON>'``."""

from __future__ import annotations

import json
import sys
from typing import Any

from tablezoo.game import load_game
from tablezoo.testing.case import Case
from tablezoo.testing.digest import digest


def main(arguments: dict[str, Any]) -> None:
    """Print the digest as JSON."""
    players = arguments["players"]
    case = Case(
        game=load_game(arguments["ref"]),
        players=tuple(players) if isinstance(players, list) else players,
        options=arguments["options"],
        games=arguments["games"],
        seed=arguments["seed"],
        content=arguments["content"],
    )
    print(json.dumps(digest(case, arguments["decisions"])))


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
