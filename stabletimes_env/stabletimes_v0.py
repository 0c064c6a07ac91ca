"""Version 0, as in ``from stabletimes_env import stabletimes_v0``."""

from stabletimes_env import GAME, env, raw_env

__all__ = ["GAME", "env", "raw_env"]
