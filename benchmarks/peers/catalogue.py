"""What is measured: the libraries, the games that each has, and the variant of each that it plays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

_HERE = Path(__file__).parent

#: Games that several libraries have: by and large the same game, so that ratios tell something.
SHARED = ("connect_four", "leduc")

TITLES = {
    "connect_four": "Connect Four",
    "leduc": "Leduc Hold'em",
    "mustang": "Mustang",
    "stabletimes": "Stable Times",
    "fable": "Fable",
    "bridge_bidding": "bridge bidding",
    "sparrow_mahjong": "sparrow mahjong",
    "backgammon": "backgammon",
    "gin_rummy": "gin rummy",
    "hanabi": "Hanabi",
    "mahjong": "mahjong",
    "uno": "Uno",
    "triple_triad": "Triple Triad",
    "go": "Go",
}


@dataclass(frozen=True)
class Peer:
    """A library.

    Attributes:
        name: as it is asked for, and as the file with its pins is called.
        title: as it is shown.
        library: the distribution whose version is shown, and the file that plays it.
        games: each game, with the variant that is played.
        batched: whether it plays batches; else one game at a time.
        threaded: whether it plays on as many cores as it is given; else on one.
        build: environment variables for its installation, as its documentation has them.
    """

    name: str
    title: str
    library: str
    games: Mapping[str, str]
    batched: bool = False
    threaded: bool = False
    build: Mapping[str, str] = field(default_factory=dict)

    @property
    def worker(self) -> Path:
        return _HERE / "workers" / f"with_{self.library}.py"

    @property
    def pins(self) -> Path:
        return _HERE / "requirements" / f"{self.name}.txt"


_SOUTHEY = "6 cards, antes of 1, raises of 2 and 4, two a round, no fold while there is nothing to call"
_BLINDS = "6 cards, blinds of 1 and 2, raises of 2 and 4, two a round, a fold at any time"

TABLEZOO = Peer(
    name="tablezoo",
    title="tablezoo",
    library="tablezoo",
    batched=True,
    threaded=True,
    games={
        "connect_four": "6 x 7",
        "leduc": f"{_SOUTHEY}; the betting is in the observation",
        "mustang": "2 players",
        "stabletimes": "2 players",
        "fable": "2 players, first games",
    },
)

PEERS = (
    Peer(
        name="pgx",
        title="pgx (CPU)",
        library="pgx",
        batched=True,
        threaded=True,
        games={
            "connect_four": "6 x 7",
            "leduc": f"{_SOUTHEY}; a random seat begins; cards and chips are in the observation, the betting is not",
            "bridge_bidding": "4 players, the bidding alone; made-up double-dummy tricks",
            "sparrow_mahjong": "3 players, a small mahjong",
            "backgammon": "2 players, a decision a die",
        },
    ),
    Peer(
        name="open_spiel",
        title="OpenSpiel (Python)",
        library="open_spiel",
        games={
            "connect_four": "6 x 7, three planes",
            "leduc": f"{_SOUTHEY}; cards and pot are in the observation, the betting is not",
            "gin_rummy": "2 players",
            "hanabi": "2 players, 5 colours, as the defaults have it",
        },
    ),
    Peer(
        name="pettingzoo",
        title="PettingZoo",
        library="pettingzoo",
        games={
            "connect_four": "6 x 7",
            "leduc": f"RLCard's: {_BLINDS}",
            "hanabi": "OpenSpiel's through Shimmy, 2 players, 5 colours",
        },
    ),
    Peer(
        name="pettingzoo_1_26",
        title="PettingZoo",
        library="pettingzoo",
        games={"gin_rummy": "RLCard's, 2 players; PettingZoo 1.27 no longer has it"},
    ),
    Peer(
        name="rlcard",
        title="RLCard",
        library="rlcard",
        games={
            "leduc": f"{_BLINDS}; cards and chips are in the observation",
            "mahjong": "4 players",
            "uno": "2 players",
        },
    ),
    Peer(
        name="pufferlib",
        title="PufferLib",
        library="pufferlib",
        batched=True,
        # Without its trainer, which would bring in torch and a score of other packages.
        build={"NO_TRAIN": "1"},
        games={
            "triple_triad": "against a random bot that moves within the step; choosing a card and placing it are two",
            "go": "7 x 7, against a greedy bot that moves within the step",
        },
    ),
)
