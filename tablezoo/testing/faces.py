"""Checks of the faces: what PettingZoo, Gymnasium and Stable-Baselines3 themselves test, and what they leave out."""

from __future__ import annotations

import contextlib
import importlib
import io
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from tablezoo.errors import IllegalActionError
from tablezoo.testing.case import Case, RandomPlay
from tablezoo.testing.report import Skipped


def _count(case: Case) -> int:
    """Return the player count of the case's first game."""
    return case.players if isinstance(case.players, int) else case.players[0]


def _aec(case: Case, **settings: Any) -> Any:
    """Return the PettingZoo face of the case's first game."""
    from tablezoo.aec import AECEnv

    content = {} if case.content is None else {"content": case.content}
    return AECEnv(case.game, num_players=_count(case), **content, **case.options, **settings)


def _gymnasium(case: Case, **settings: Any) -> Any:
    """Return the Gymnasium face, with random opponents."""
    from tablezoo.gym import SeatEnv

    content = {} if case.content is None else {"content": case.content}
    return SeatEnv(case.game, num_players=_count(case), **content, **case.options, **settings)


def _tests_of_pettingzoo() -> Any:
    """Import PettingZoo's tests, which where pygame is installed import its games in a way that it warns of itself."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The old environment creation API", DeprecationWarning)
        return importlib.import_module("pettingzoo.test")


def pettingzoo_api(case: Case) -> None:
    """PettingZoo's ``api_test`` passes, with no warning but those it gives for every observation with a mask."""
    tests = _tests_of_pettingzoo()
    with _strict():
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be")
        tests.api_test(_aec(case), num_cycles=300)


def pettingzoo_seed(case: Case) -> None:
    """PettingZoo's ``seed_test`` passes."""
    tests = _tests_of_pettingzoo()
    with _strict():
        tests.seed_test(lambda: _aec(case), num_cycles=200)


def pettingzoo_render(case: Case) -> None:
    """PettingZoo's ``render_test`` passes."""
    tests = _tests_of_pettingzoo()
    with _strict():
        tests.render_test(lambda **settings: _aec(case, **settings))


def pettingzoo_pays(case: Case) -> None:
    """The PettingZoo loop sees the batch's games: same views, masks and seats; each seat's rewards add up to the
    batch's, all seats end in one step, with Python bools."""
    env, batch = _aec(case, obs="raw"), case.batch(num_games=1)
    env.reset(seed=case.seed)
    play = RandomPlay(batch, case.seed)
    paid = dict.fromkeys(env.possible_agents, 0.0)
    decision = 0
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        paid[agent] += reward
        flags = {*map(type, env.terminations.values()), *map(type, env.truncations.values())}
        if flags != {bool}:
            case.fail(f"flags are of types {sorted(flag.__name__ for flag in flags)}", 0, decision)
            return
        if terminated or truncated:
            if batch.seat[0] >= 0 or {*env.terminations.values()} != {bool(batch.terminated[0])}:
                case.fail("seats do not all end when the batch's game does", 0, decision)
                return
            env.step(None)
            continue
        same = (
            env.possible_agents.index(agent) == batch.seat[0]
            and np.array_equal(seen["observation"], batch.observation[0])
            and np.array_equal(seen["action_mask"], batch.action_mask[0])
        )
        if not same:
            case.fail("agent, observation or mask are not the batch's", 0, decision)
            return
        action = play.actions()
        env.step(int(action[0]))
        batch.step(action)
        decision += 1
    wanted = batch.rewards[0, : len(paid)]
    if not np.allclose(list(paid.values()), wanted, atol=1e-5):
        case.fail(f"seats are paid {list(paid.values())}, the batch pays {wanted.tolist()}", 0, decision)


def pettingzoo_refuses(case: Case) -> None:
    """The PettingZoo face refuses every action outside the mask, and the game stands as before."""
    env = _aec(case)
    env.reset(seed=case.seed)
    rng = np.random.default_rng(case.seed)
    for decision in range(6):
        seen, agent = env.last()[0], env.agent_selection
        if not seen["action_mask"].any():
            return
        for action in np.flatnonzero(seen["action_mask"] == 0):
            try:
                env.step(int(action))
            except IllegalActionError:
                continue
            case.fail(f"action {action} is not in the mask, but was played", 0, decision)
            return
        now = env.last()[0]
        if env.agent_selection != agent or any(not np.array_equal(seen[name], now[name]) for name in seen):
            case.fail("refused actions have changed what is seen", 0, decision)
            return
        env.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))


def pettingzoo_buffers(case: Case) -> None:
    """What leaves through the PettingZoo face is never overwritten."""
    env = _aec(case)
    env.reset(seed=case.seed)
    rng = np.random.default_rng(case.seed)
    kept: list[tuple[int, Any, Any]] = []
    for decision in range(40):
        if env.terminations[env.agent_selection] or env.truncations[env.agent_selection]:
            break
        for seen in [env.last()[0], *(env.observe(agent) for agent in env.agents)]:
            kept += [(decision, array, array.copy()) for array in seen.values()]
        env.step(int(rng.choice(np.flatnonzero(env.last()[0]["action_mask"]))))
    for decision, array, was in kept:
        if not np.array_equal(array, was):
            case.fail("an observation or mask was overwritten later", 0, decision)
            return


def gymnasium_checker(case: Case) -> None:
    """Gymnasium's ``check_env`` passes without a warning."""
    from gymnasium.utils.env_checker import check_env

    with _strict():
        check_env(_gymnasium(case, illegal="lose"), skip_render_check=True)


def sb3_checker(case: Case) -> None:
    """Stable-Baselines3's ``check_env`` passes, where it is installed."""
    checker = _sb3("stable_baselines3.common.env_checker")
    with _strict():
        checker.check_env(_gymnasium(case, illegal="lose"))


def sb3_lanes(case: Case) -> None:
    """Lane i of the vectorised environment is the Gymnasium environment seeded ``seed + i``; its arrays are copies."""
    content = {} if case.content is None else {"content": case.content}
    settings = {"num_players": case.players, "seed": case.seed, **content, **case.options}
    vector = _sb3("tablezoo.sb3").SeatVecEnv(case.game, 3, **settings)
    singles = [_gymnasium(case) for _ in range(3)]
    seen = [single.reset(seed=case.seed + lane)[0] for lane, single in enumerate(singles)]
    together = vector.reset()
    kept: list[tuple[Any, Any]] = []
    rng = np.random.default_rng(case.seed)
    for decision in range(80):
        masks = vector.env_method("action_masks")
        for lane, single in enumerate(singles):
            if not (np.array_equal(together[lane], seen[lane]) and np.array_equal(masks[lane], single.action_masks())):
                case.fail("observation or mask differ from the single environment's", lane, decision)
                return
        kept += [(array, array.copy()) for array in (together, masks)]
        actions = [int(rng.choice(np.flatnonzero(mask))) for mask in masks]
        together, rewards, dones, infos = vector.step(np.array(actions))
        kept += [(array, array.copy()) for array in (rewards, dones)]
        for lane, single in enumerate(singles):
            seen[lane], reward, terminated, truncated, _ = single.step(actions[lane])
            last = infos[lane].get("terminal_observation", together[lane])
            same = reward == rewards[lane] and dones[lane] == (terminated or truncated)
            if not (same and np.array_equal(seen[lane], last)):
                case.fail("reward, end or last observation differ from the single environment's", lane, decision)
                return
            if dones[lane]:
                seen[lane], _ = single.reset()
    if not all(np.array_equal(array, was) for array, was in kept):
        case.fail("an array that was handed out was overwritten later")


def _sb3(module: str) -> Any:
    """Return a module that needs Stable-Baselines3; skip the check if it is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise Skipped(f"stable-baselines3 is not installed: {error}") from error


@contextlib.contextmanager
def _strict() -> Iterator[None]:
    """Make every warning an error, and keep what the libraries' tests print to themselves."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("error")
        yield
