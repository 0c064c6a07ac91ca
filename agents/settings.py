"""What a training run is made of; one place for its defaults, and for what it refuses."""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from tablezoo.content import load_sets
from tablezoo.keywords import integer_of, one_of
from tablezoo.options import options_of_words, parse_options
from tablezoo.registration import find_game
from tablezoo.rewards import REWARDS

from .checkpoints import CheckpointError
from .players import check_players, span_of

#: How ``opponent`` begins where a pool is listed, and where a run plays against its own past.
POOL, SELF = "pool:", "self"

COUNT, SEED, THREADS = (1, 2**31 - 1), (0, 2**63 - 1), (1, 1024)
#: An interval needs two deals.
DEALS = (2, 2**31 - 1)
#: As many as a checkpoint's name has room for.
_STEPS = (1, 10**10 - 1)

_INTEGERS = {
    "steps": _STEPS,
    "seed": SEED,
    "envs": COUNT,
    "threads": THREADS,
    "n_steps": COUNT,
    "batch_size": (2, 2**31 - 1),  # advantages are divided by their spread: one alone has none
    "n_epochs": COUNT,
    "eval_every": _STEPS,
    "eval_deals": DEALS,
    "final_deals": DEALS,
    "checkpoint_every": _STEPS,
    "snapshot_every": _STEPS,
    "snapshots": COUNT,
}
_NUMBERS: dict[str, tuple[str, Callable[[float], bool]]] = {
    "lr": ("above 0", lambda value: 0 < value < math.inf),
    "lr_end": ("of 0 or more", lambda value: 0 <= value < math.inf),
    "gamma": ("from 0 to 1", lambda value: 0 <= value <= 1),
    "gae_lambda": ("from 0 to 1", lambda value: 0 <= value <= 1),
    "ent_coef": ("of 0 or more", lambda value: 0 <= value < math.inf),
    "clip_range": ("above 0", lambda value: 0 < value < math.inf),
    "reward_scale": ("above 0", lambda value: 0 < value < math.inf),
    "win_bonus": ("of 0 or more", lambda value: 0 <= value < math.inf),
}


#: The networks, and the game that one is for: ``mlp`` has the layers of ``net``, ``horses`` is
#: :class:`agents.horses.network.StableNetwork`.
NETWORKS: dict[str, str | None] = {"mlp": None, "horses": "stabletimes"}

#: What a game changes of the defaults. Scores are scaled by 300 points in Stable Times, by 100 in Mustang, by 20 in
#: Fable.
_OF_GAME: dict[str, dict[str, Any]] = {
    "stabletimes": {
        "network": "horses",
        "reward": "lead_delta",
        "reward_scale": 60.0,
        "win_bonus": 4.0,
        "n_steps": 32,
        "batch_size": 1024,
        "n_epochs": 2,
        "lr": 3e-3,
        "gae_lambda": 0.9,
    },
    "fable": {"reward": "lead_delta", "win_bonus": 1.0},
}


def defaults_of(game: str) -> dict[str, Any]:
    """Return what a game changes of the defaults of :class:`Settings`."""
    return dict(_OF_GAME.get(game, {}))


@dataclass(frozen=True)
class Settings:
    """All that decides a run. Kept as ``settings.json`` in its folder.

    Raises:
        ValueError: values that no run can have; the message lists them all. Names and paths of opponents are looked up
            by :func:`agents.opponents.parse_opponents` alone.
    """

    game: str
    players: tuple[int, ...] = (2,)
    opponent: str = "greedy"
    exploit: bool = False
    start: str = ""
    steps: int = 5_000_000
    seed: int = 0
    envs: int = 256
    threads: int = 2
    n_steps: int = 64
    batch_size: int = 2048
    n_epochs: int = 4
    lr: float = 1e-3
    lr_end: float = 1e-4
    gamma: float = 0.999
    gae_lambda: float = 0.85
    ent_coef: float = 0.001
    clip_range: float = 0.2
    network: str = "mlp"
    net: tuple[int, ...] = (128, 128)
    reward: str = "margin"
    reward_scale: float = 20.0
    win_bonus: float = 0.0
    content: tuple[str, ...] = ()
    option: tuple[str, ...] = ()
    eval_every: int = 500_000
    eval_deals: int = 200
    final_deals: int = 1000
    checkpoint_every: int = 500_000
    snapshot_every: int = 250_000
    snapshots: int = 8
    device: str = "cpu"

    def __post_init__(self) -> None:
        checks: list[Callable[[], Any]] = [
            lambda: check_players(self.players, find_game(_text("game", self.game))),
            lambda: _text("opponent", self.opponent),
            self._check_exploit,
            self._check_start,
            self._check_envs,
            *(lambda n=name: integer_of(n, getattr(self, n), *_INTEGERS[n]) for name in _INTEGERS),
            self._check_batch_size,
            *(lambda n=name: check_number(n, getattr(self, n), *_NUMBERS[n]) for name in _NUMBERS),
            self._check_network,
            lambda: _check_layers("net", self.net),
            lambda: _check_content(self.content),
            self._check_options,
            lambda: one_of("reward", self.reward, REWARDS),
            lambda: _check_device(_text("device", self.device)),
        ]
        refuse_all(checks)

    def to_json(self) -> dict[str, Any]:
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any], path: Path | str = "settings.json") -> Settings:
        """Return the settings that ``to_json`` wrote, into the file ``path``.

        Raises:
            CheckpointError: keys that are missing or unknown, as in another version's file, or values that do not fit.
        """
        known = {field.name for field in fields(cls)}
        missing, unknown = sorted(known - set(data)), sorted(set(data) - known)
        if missing or unknown:
            odd = [
                f"{kind}: {', '.join(names)}" for kind, names in (("missing", missing), ("unknown", unknown)) if names
            ]
            raise CheckpointError(f"{path} does not fit this version; {'; '.join(odd)}")
        try:
            return cls(**{name: _from_json(value) for name, value in data.items()})
        except ValueError as error:
            raise CheckpointError(f"{path}: {error}") from error

    def _check_network(self) -> None:
        one_of("network", self.network, list(NETWORKS))
        if NETWORKS[self.network] not in (None, self.game):
            raise ValueError(f"network: {self.network!r} is for {NETWORKS[self.network]}, the game is {self.game!r}")

    @property
    def dealt(self) -> dict[str, Any]:
        """The content sets and the game's options, as ``Batch`` takes them."""
        return {"content": self.content or None, **self.options}

    @property
    def plays_itself(self) -> bool:
        """Whether the opponents are the run's own snapshots, beside others."""
        return self.opponent.partition(":")[0] == SELF

    def _check_exploit(self) -> None:
        if type(self.exploit) is not bool:
            raise TypeError(f"exploit: expected true or false, got {self.exploit!r}")
        if self.exploit and (self.plays_itself or self.opponent.startswith(POOL) or "," in self.opponent):
            raise ValueError(f"exploit: expected one opponent that stays as it is, got {self.opponent!r}")
        if self.players == (1,) and (self.plays_itself or self.exploit):
            raise ValueError("players 1: there is no opponent to play against")

    def _check_start(self) -> None:
        if not isinstance(self.start, str):
            raise TypeError(f"start: expected the name or path of a network, or nothing, got {self.start!r}")

    @property
    def rollout(self) -> int:
        """The steps between two updates, of which a run plays whole ones."""
        return self.envs * self.n_steps

    def played(self, trained: int = 0) -> int:
        """Return how many steps there will be in the end, where ``trained`` are there already."""
        return trained + -(-max(self.steps - trained, 0) // self.rollout) * self.rollout

    @property
    def options(self) -> dict[str, Any]:
        """The game's options that ``option`` names, each as ``NAME=VALUE``."""
        return options_of_words(self.option)

    def _check_options(self) -> None:
        try:
            game = find_game(_text("game", self.game))
            check_players(self.players, game)
        except (TypeError, ValueError):
            return  # told already
        for source in self.content or (None,):
            content = load_sets(game.content, source)[0].record[0]
            for count in self.players:
                parse_options(game.all_options, self.options, count, content)

    def _check_envs(self) -> None:
        if type(self.envs) is int and isinstance(self.players, tuple) and 0 < self.envs < len(self.players):
            raise ValueError(
                f"envs: expected {len(self.players)} or more, one for each number of players, got {self.envs}"
            )

    def _check_batch_size(self) -> None:
        sizes = (self.envs, self.n_steps, self.batch_size)
        if not all(type(size) is int and size > 0 for size in sizes):
            return  # told already
        rollout = self.envs * self.n_steps
        if rollout % self.batch_size:
            sizes_told = f"envs x n_steps = {self.envs} x {self.n_steps} = {rollout}"
            raise ValueError(f"batch_size: expected a divisor of {sizes_told}, got {self.batch_size}")


def command_of(settings: Mapping[str, Any]) -> str:
    """Return the command that starts a run with these settings, as its ``settings.json`` has them.

    What a game's defaults say already is left out, but for who plays, for how long and from which seed.
    """
    defaults = {field.name: field.default for field in fields(Settings)} | defaults_of(settings["game"])
    always = ("players", "opponent", "steps", "seed")
    words = ["python", "-m", "agents.train", settings["game"]]
    for name, value in settings.items():
        if name != "game" and (name in always or _from_json(value) != defaults[name]):
            listed = value if isinstance(value, (list, tuple)) else [value]
            listed = [span_of(listed)] if name == "players" else [] if name == "exploit" else listed
            words += [f"--{name.replace('_', '-')}", *map(str, listed)]
    return shlex.join(words)


def refuse_all(checks: Iterable[Callable[[], Any]]) -> None:
    """Raise one ValueError with what all the checks complain of."""
    faults: list[str] = []
    for check in checks:
        try:
            check()
        except (TypeError, ValueError) as error:
            faults.append(str(error))
    if faults:
        raise ValueError("; ".join(faults))


def _from_json(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise TypeError(f"{name}: expected a word, got {value!r}")
    return value


def check_number(name: str, value: Any, words: str, fits: Callable[[float], bool]) -> None:
    """Raise ValueError for what is no number that fits; ``words`` say which do."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not (number and fits(value)):
        raise ValueError(f"{name}: expected a number {words}, got {value!r}")


def _check_layers(name: str, sizes: Any) -> None:
    if not isinstance(sizes, tuple) or not sizes:
        raise TypeError(f"{name}: expected the sizes of one layer or more, got {sizes!r}")
    for size in sizes:
        integer_of(name, size, *COUNT)


def _check_content(sources: Any) -> None:
    if not isinstance(sources, tuple):
        raise TypeError(f"content: expected names or paths of content sets, got {sources!r}")
    for source in sources:
        _text("content", source)


def _check_device(device: str) -> None:
    import torch  # here alone: evaluations and tournaments need none
    from stable_baselines3.common.utils import get_device

    # SB3 takes the CPU for a GPU that is not there, and says nothing.
    wanted = get_device(device) if device == "auto" else device
    try:
        torch.zeros(1, device=wanted).item()
    except Exception as error:  # each kind of device fails in its own way
        here = "cpu, cuda" if torch.cuda.is_available() else "cpu (torch finds no GPU here)"
        raise ValueError(f"device: expected auto, {here} or what else torch has, got {device!r}") from error
