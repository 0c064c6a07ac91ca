"""pgx: many steps of ``vmap(auto_reset(step, init))`` in one compiled loop, the choice of the actions in it.

On several cores the batch is split, a core a device, by ``pmap``: XLA's own threads within one device gain less.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pgx
from pgx.bridge_bidding import BridgeBidding
from pgx.experimental import auto_reset

DISTRIBUTIONS = ("pgx", "jax", "jaxlib", "numpy")

_GAMES = {
    "connect_four": "connect_four",
    "leduc": "leduc_holdem",
    "backgammon": "backgammon",
    "sparrow_mahjong": "sparrow_mahjong",
}

#: Decisions in a bout: some ten to some hundred milliseconds, in one call of compiled code.
_BOUT = {"bridge_bidding": 8192, "backgammon": 8192, "sparrow_mahjong": 8192}
_USUAL_BOUT = 65536

#: Deals in the table of bridge hands; pgx's own come in parts of as many.
_DEALS = 100_000


def make(game: str, size: int) -> LoopCase:
    env = _bridge() if game == "bridge_bidding" else pgx.make(_GAMES[game])
    return LoopCase(env, size, max(1, _BOUT.get(game, _USUAL_BOUT) // size))


class LoopCase:
    """A batch of games whose state stays on the devices, ``steps`` steps a bout."""

    def __init__(self, env: Any, size: int, steps: int) -> None:
        cores = jax.device_count()
        devices = cores if size % cores == 0 else 1
        spread = jax.pmap if devices > 1 else lambda function, **given: jax.jit(jax.vmap(function), **given)
        begin, advance = _functions(env, size // devices, steps)
        self._advance = spread(advance, donate_argnums=0)
        self._carry = spread(begin)(jax.random.split(jax.random.PRNGKey(0), devices))
        self._decisions = size * steps
        observation = self._carry[0].observation
        self.observation = f"{'x'.join(map(str, observation.shape[2:]))} {observation.dtype}"
        self.actions = env.num_actions
        self.play()
        if not np.asarray(self._carry[2]).all():
            raise RuntimeError("the observations add up to nothing: were they made at all?")

    def play(self) -> int:
        self._carry = jax.block_until_ready(self._advance(self._carry))
        return self._decisions


def _functions(env: Any, size: int, steps: int) -> tuple[Any, Any]:
    """Return what makes one device's games from a key, and what plays ``steps`` steps of them."""
    step = jax.vmap(auto_reset(env.step, env.init))

    def begin(key: Any) -> Any:
        return jax.vmap(env.init)(jax.random.split(key, size)), key, jnp.uint32(0)

    def play_one(_: Any, carry: Any) -> Any:
        state, key, seen = carry
        key, choosing, dealing = jax.random.split(key, 3)
        actions = draw_legal(choosing, state.legal_action_mask)
        state = step(state, actions, jax.random.split(dealing, size))
        # Every observation is added up: what nobody reads, the compiler leaves out.
        return state, key, seen + state.observation.astype(jnp.uint32).sum(dtype=jnp.uint32)

    def advance(carry: Any) -> Any:
        return jax.lax.fori_loop(0, steps, play_one, carry)

    return begin, advance


def draw_legal(key: Any, masks: Any) -> Any:
    """Return actions uniform over the legal ones: one random number a game, where pgx's ``act_randomly`` takes one an
    action and is slower.
    """
    counts = jnp.cumsum(masks, axis=1)
    drawn = jnp.floor(jax.random.uniform(key, (masks.shape[0],)) * counts[:, -1]).astype(jnp.int32)
    return jnp.argmax(counts > drawn[:, None], axis=1)


def _bridge() -> Any:
    """Return bridge bidding over random deals with made-up double-dummy tricks.

    pgx's own table is a download of some 300 MB; what the tricks are changes the rewards, not the speed.
    """
    rng = np.random.default_rng(0)
    owners = rng.permuted(np.tile(np.repeat(np.arange(4), 13), (_DEALS, 1)), axis=1)
    keys = owners.reshape(_DEALS, 4, 13) @ 4 ** np.arange(12, -1, -1)
    values = rng.integers(0, 14, (_DEALS, 4, 5)) @ 16 ** np.arange(4, -1, -1)
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "table.npy"
        np.save(table, np.stack([keys, values]).astype(np.int32))
        return BridgeBidding(str(table))
