"""Version 0, as in ``from mustang_env import mustang_v0``."""

from mustang_env import GAME, env, raw_env

__all__ = ["GAME", "env", "raw_env"]
