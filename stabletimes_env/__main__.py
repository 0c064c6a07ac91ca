"""``python -m stabletimes_env check my_cards.toml``: is a content set right, and what does it say?"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from stabletimes_env.reader import FORMAT
from stabletimes_env.sets import DISCIPLINES, NO_DISCIPLINE, NUM_BOARDS, NUM_HORSES, NUM_TYPES, PREFERENCES
from stabletimes_env.words import (
    board_name,
    discipline_name,
    horse_name,
    preference_words,
    side_words,
    type_name,
)
from tablezoo.content import ContentSet
from tablezoo.content_command import columns, run


def main(arguments: Sequence[str] | None = None) -> int:
    return run(arguments, "stabletimes_env", "Stable Times", FORMAT, _told)


def _told(content: ContentSet) -> list[str]:
    record = content.record[0]
    return [*_horses(record), "", *_boards(record), *_counts(record)]


def _horses(record: Any) -> list[str]:
    rows = [
        (
            horse_name(record, horse),
            type_name(record, int(record["type"][horse])),
            discipline_name(int(record["discipline"][horse])),
            preference_words(record, horse),
        )
        for horse in range(NUM_HORSES)
    ]
    return columns([("horse", "type", "discipline", "preference"), *rows])


def _boards(record: Any) -> list[str]:
    rows = [
        (
            board_name(record, board),
            type_name(record, int(record["board_type"][board])),
            side_words(record, board, upgraded=False),
            side_words(record, board, upgraded=True),
        )
        for board in range(NUM_BOARDS)
    ]
    return columns([("board", "type", "basic", "upgraded"), *rows])


def _counts(record: Any) -> list[str]:
    kinds = _counted(record["preference"], [(kind, name) for kind, name in enumerate(PREFERENCES)])
    disciplines = [(i, discipline_name(i)) for i in (*range(len(DISCIPLINES)), NO_DISCIPLINE)]
    rows = [
        ("types", _counted(record["type"], [(i, type_name(record, i)) for i in range(NUM_TYPES + 1)])),
        ("disciplines", _counted(record["discipline"], disciplines)),
        ("preferences", kinds),
    ]
    return ["", *columns(rows)]


def _counted(codes: Any, names: Iterable[tuple[int, str]]) -> str:
    counts = Counter(int(code) for code in codes)
    return ", ".join(f"{counts[code]} {name}" for code, name in names if counts[code])


if __name__ == "__main__":
    sys.exit(main())
