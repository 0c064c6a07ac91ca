"""What the network for Stable Times is made of, in both of its forms: torch's that trains, NumPy's that plays."""

from __future__ import annotations

from stabletimes_env.sets import HORSE_FEATURES, NUM_AISLES, NUM_TYPES, STALLS
from stabletimes_env.state import FROM_DECK, NEIGHBOURS, NUM_FIELDS, OTHER_FIELD, SOURCES

from .counting import CHOICES, LAYOUT, PAIRS

HORSE_PARTS = ("hand", "shown", "fields", "stables")
REST = LAYOUT.offset("boards")
"""From here on the observation holds no horses."""
HORSE, AISLE, TABLE, HEAD = 32, 64, 192, 64
"""Widths: of what is made of a horse, of an aisle, of the table; of the heads' hidden layer."""
NEEDS = 4
CHOICE = HORSE + 3 * NUM_AISLES + NEEDS
"""Told of a horse to choose: what is made of it, its points and those it brings in each own aisle, where it fits, what
the stable needs of it."""
IN_AISLE = STALLS * HORSE + NUM_TYPES + NUM_AISLES
AROUND = (
    (LAYOUT.size - REST)
    + CHOICES * CHOICE
    + NUM_AISLES * AISLE
    + (NUM_FIELDS + 2 * NEIGHBOURS) * HORSE
    + NEIGHBOURS * 2 * NUM_AISLES
    + 1
)
"""Told of the table."""
HEADS = {
    "exchange": {"horse": CHOICE, "taken": CHOICE, "table": TABLE},
    "cover": {"horse": CHOICE, "covered": CHOICE, "table": TABLE},
    "place": {"horse": CHOICE, "aisle": AISLE, "gain": 3, "table": TABLE},
    "discard": {"horse": CHOICE, "covered": CHOICE, "table": TABLE},
}
"""Each head's parts and their widths."""
TAKEN = [NUM_FIELDS if source == FROM_DECK else int(row[source]) for row in OTHER_FIELD for source in range(SOURCES)]
"""What a swap takes, by the field put on and the source: the top of a field, or, as the last, the deck's."""
FIRSTS, SECONDS = (list(horses) for horses in zip(*PAIRS, strict=True))


def shapes() -> dict[str, tuple[int, ...]]:
    """Return the shape of each array of weights, by its name in a policy's state."""
    linear = {
        "horse.0": (HORSE, HORSE_FEATURES),
        "aisle.0": (AISLE, IN_AISLE),
        "table.0": (TABLE, AROUND),
        "table.2": (TABLE, TABLE),
        "stop": (1, TABLE),
    }
    for head, parts in HEADS.items():
        linear |= {f"{head}.parts.{part}": (HEAD, width) for part, width in parts.items()}
        linear[f"{head}.out"] = (1, HEAD)
    made: dict[str, tuple[int, ...]] = {"deck": (CHOICE,), "points": ()}
    for name, (out, seen) in linear.items():
        made |= {f"{name}.weight": (out, seen), f"{name}.bias": (out,)}
    prefixed = {f"mlp_extractor.{name}": shape for name, shape in made.items()}
    return {**prefixed, "value_net.weight": (1, TABLE), "value_net.bias": (1,)}
