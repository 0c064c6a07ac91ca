"""tablezoo: tabletop card games as fast, exact, reproducible multi-agent environments."""

from tablezoo.batch import Batch
from tablezoo.errors import ContentError, IllegalActionError, OptionError, OptionValueError, SaveError
from tablezoo.game import Game, Kernels
from tablezoo.layout import Layout, Part
from tablezoo.policies import GreedyPolicy, Policy, Pool, RandomPolicy, Views, make_policy
from tablezoo.registration import register_installed

__version__ = "0.1.0"

__all__ = [
    "Batch",
    "ContentError",
    "Game",
    "GreedyPolicy",
    "IllegalActionError",
    "Kernels",
    "Layout",
    "OptionError",
    "OptionValueError",
    "Part",
    "Policy",
    "Pool",
    "RandomPolicy",
    "SaveError",
    "Views",
    "make_policy",
]

register_installed()
