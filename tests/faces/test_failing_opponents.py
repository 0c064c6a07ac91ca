"""An opponent that raises within a step or a reset: its error passes, and nothing goes on before a reset."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest

from mustang_env import GAME
from tablezoo.gym import SeatEnv, SeatVectorEnv
from tablezoo.seats import SeatGames
from tests.faces.helpers import Told

pytest.importorskip("stable_baselines3")

from tablezoo.sb3 import SeatVecEnv

FACES = {
    "games": lambda **settings: SeatGames(GAME, 3, **settings),
    "gym": lambda **settings: SeatEnv(GAME, **settings),
    "vector": lambda **settings: SeatVectorEnv(GAME, 3, **settings),
    "sb3": lambda **settings: SeatVecEnv(GAME, 3, **settings),
}


class Failing(Told):
    """Plays at random until it is told to fail."""

    def __init__(self, error: type[BaseException] = ZeroDivisionError) -> None:
        super().__init__(self.fail, "failing")
        self.error, self.fails = error, False

    def fail(self, views):
        if self.fails:
            raise self.error
        return views.random_actions()


def batch_of(env):
    return env.batch if isinstance(env, SeatGames) else env.games.batch


def actions(name, env):
    chosen = batch_of(env).action_mask.argmax(axis=1)
    return int(chosen[0]) if name == "gym" else chosen


def play_on(name, env):
    for _ in range(1000):
        env.step(actions(name, env))


def until_it_fails(name, env, opponent, error):
    opponent.fails = True
    with pytest.raises(error):
        play_on(name, env)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ZeroDivisionError, r"an opponent failed in the last step; call reset\(\)"),
        (KeyboardInterrupt, r"the last step was interrupted; call reset\(\)"),
    ],
)
@pytest.mark.parametrize("name", FACES)
def test_nothing_goes_on_before_a_reset(name, error, words):
    opponent = Failing(error)
    env = FACES[name](opponents=opponent, seed=0)
    env.reset()
    until_it_fails(name, env, opponent, error)
    opponent.fails = False
    before = batch_of(env).states.tobytes()
    calls = [lambda: env.step(actions(name, env))]
    if name != "games":
        calls.append(env.action_masks)
    if name in ("gym", "vector"):
        calls.append(env.render)
    for call in calls:
        with pytest.raises(gymnasium.error.ResetNeeded, match=words):
            call()
    assert batch_of(env).states.tobytes() == before
    env.reset()
    for _ in range(5):
        env.step(actions(name, env))


@pytest.mark.parametrize("name", FACES)
def test_a_reset_that_fails_is_told_too(name):
    opponent = Failing()
    env = FACES[name](opponents=opponent, seed=0, seat=1, start_seat=0)
    env.reset()
    opponent.fails = True
    with pytest.raises(ZeroDivisionError):
        env.reset()
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"an opponent failed in the last reset; call reset\(\)"):
        env.step(actions(name, env))
    opponent.fails = False
    env.reset()
    env.step(actions(name, env))


def test_what_is_refused_before_anything_moves_is_no_failure():
    env = SeatGames(GAME, 2, opponents=Failing(), seed=0)
    for wrong in (np.zeros(3, int), np.full(2, 999)):
        with pytest.raises((TypeError, ValueError), match=r"actions have shape|out of range"):
            env.step(wrong)
    with pytest.raises(TypeError, match="max_turns"):
        env.reset(options={"max_turns": 0})
    env.step(actions("games", env))
