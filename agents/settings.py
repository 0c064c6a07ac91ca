"""What a training run is made of; one place for its defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from .checkpoints import CheckpointError


@dataclass(frozen=True)
class Settings:
    """All that decides a run. Kept as ``settings.json`` in its folder."""

    game: str
    players: int = 2
    opponent: str = "greedy"
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
    net: tuple[int, ...] = (128, 128)
    reward: str = "margin"
    reward_scale: float = 20.0
    eval_every: int = 500_000
    eval_deals: int = 200
    final_deals: int = 1000
    checkpoint_every: int = 500_000
    device: str = "cpu"

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "net": list(self.net)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Settings:
        """Return the settings that ``to_json`` wrote.

        Raises:
            CheckpointError: keys that are missing or unknown, as in another version's file.
        """
        known = {field.name for field in fields(cls)}
        if set(data) != known:
            odd = sorted(set(data) ^ known)
            raise CheckpointError(f"settings.json does not fit this version: {', '.join(odd)} missing or unknown")
        return replace(cls(**data), net=tuple(data["net"]))
