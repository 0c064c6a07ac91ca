"""Version 0, as in ``from fable_env import fable_v0``."""

from fable_env import GAME, env, raw_env

__all__ = ["GAME", "env", "raw_env"]
