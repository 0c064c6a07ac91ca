"""Bad input, the same for all faces: each kind has its error and its words, and leaves everything as it was."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import gymnasium
import numpy as np
import pytest

from mustang_env import GAME
from tablezoo import Batch, IllegalActionError, OptionError, OptionValueError, keywords
from tablezoo.aec import AECEnv
from tablezoo.gym import SeatEnv, SeatVectorEnv
from tablezoo.seats import SeatGames

torch = pytest.importorskip("torch")
pytest.importorskip("stable_baselines3")

from tablezoo.sb3 import SeatVecEnv  # noqa: E402

N = GAME.num_actions


class Face(NamedTuple):
    """How a test makes a face, and finds the batch in it."""

    make: Callable[..., Any]
    batch: Callable[[Any], Batch]
    single: bool


FACES = {
    "aec": Face(lambda **settings: AECEnv(GAME, **settings), lambda env: env._batch, True),
    "gym": Face(lambda **settings: SeatEnv(GAME, **settings), lambda env: env.games.batch, True),
    "vector": Face(lambda **settings: SeatVectorEnv(GAME, **settings), lambda env: env.games.batch, False),
    "sb3": Face(lambda **settings: SeatVecEnv(GAME, **settings), lambda env: env.games.batch, False),
    "batch": Face(lambda **settings: Batch(GAME, **settings), lambda batch: batch, False),
}
SINGLE = [name for name, face in FACES.items() if face.single]
MANY = [name for name, face in FACES.items() if not face.single]


def dealt(name: str, count: int = 1, **settings: Any) -> Any:
    """Return a face whose games are dealt from seed 0."""
    if name not in SINGLE:
        settings["num_games" if name == "batch" else "num_envs"] = count
    env = FACES[name].make(seed=0, **settings)
    if name != "batch":
        env.reset()
    return env


def everything(name: str, env: Any) -> list[bytes]:
    """All bytes that a step would change: records, outputs, opponents' streams, and what the faces keep beside."""
    batch = FACES[name].batch(env)
    arrays = [batch.states, batch.final_states, batch.observation, batch.action_mask, batch.seat, batch.rewards]
    arrays += [batch.terminated, batch.truncated, batch.scores, batch.ranks, batch.winners]
    if hasattr(env, "games"):
        arrays += [env.games.seat, env.games._streams, env.games._codes, env.games._owed]
    beside = [getattr(env, kept, None) for kept in ("agent_selection", "agents", "rewards", "infos", "_running")]
    return [array.tobytes() for array in arrays] + [repr(beside).encode()]


def refused(name: str, env: Any, action: Any, error: type[Exception], words: str) -> None:
    before = everything(name, env)
    with pytest.raises(error, match=words):
        env.step(action)
    assert everything(name, env) == before


def legal(name: str, env: Any) -> int:
    return int(FACES[name].batch(env).action_mask[0].argmax())


# --- player counts ----------------------------------------------------------------------------------------------------

RANGE = "Mustang takes 2 to 5"


@pytest.mark.parametrize("name", FACES)
@pytest.mark.parametrize(
    ("count", "error", "words"),
    [
        (0, ValueError, f"num_players 0 is out of range; {RANGE}"),
        (1, ValueError, f"num_players 1 is out of range; {RANGE}"),
        (6, ValueError, f"num_players 6 is out of range; {RANGE}"),
        (-2, ValueError, f"num_players -2 is out of range; {RANGE}"),
        (258, ValueError, f"num_players 258 is out of range; {RANGE}"),
        (2.0, TypeError, f"num_players 2.0 is no integer; {RANGE}"),
        (np.float32(2), TypeError, f"num_players np.float32(2.0) is no integer; {RANGE}"),
        (True, TypeError, f"num_players True is no integer; {RANGE}"),
        (np.True_, TypeError, f"num_players np.True_ is no integer; {RANGE}"),
        ("2", TypeError, f"num_players '2' is no integer; {RANGE}"),
    ],
    ids=repr,
)
def test_wrong_player_counts(name, count, error, words):
    with pytest.raises(error, match=re.escape(words)):
        FACES[name].make(num_players=count)


@pytest.mark.parametrize("name", FACES)
def test_no_player_count_at_all(name):
    error, words = (
        (TypeError, r"num_players \[\] is no integer") if name in SINGLE else (ValueError, "num_players is empty")
    )
    with pytest.raises(error, match=f"{words}; {RANGE}"):
        FACES[name].make(num_players=[])


@pytest.mark.parametrize("name", MANY)
@pytest.mark.parametrize(
    ("counts", "error", "words"),
    [
        ([2, 6], ValueError, "num_players 6 is out of range"),
        ([2, True], TypeError, "num_players True is no integer"),
        ([2, 3.0], TypeError, "num_players 3.0 is no integer"),
        ((2, "3"), TypeError, "num_players '3' is no integer"),
        ([2, None], TypeError, "num_players None is no integer"),
    ],
    ids=repr,
)
def test_wrong_player_counts_in_a_sequence(name, counts, error, words):
    with pytest.raises(error, match=f"{words}; {RANGE}"):
        FACES[name].make(num_players=counts)


# --- options ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FACES)
@pytest.mark.parametrize(
    ("option", "meant"),
    [
        ("max_turn", "max_turns"),
        ("maxturns", "max_turns"),
        ("event", "events"),
        ("rewards", "reward"),
        ("start_seats", "start_seat"),
        ("ilegal", "illegal"),
        ("player", None),
        ("num_player", "num_players"),
        ("seeds", "seed"),
    ],
)
def test_unknown_options(name, option, meant):
    with pytest.raises(OptionError, match=f"unknown option '{option}' of Mustang; ") as raised:
        FACES[name].make(**{option: 1})
    words = str(raised.value)
    assert f"did you mean {meant!r}?" in words if meant else "did you mean" in words or "known: " in words


def test_an_unknown_option_like_none_is_answered_with_all():
    for name, own in {"aec": "render_seat", "gym": "opponents", "vector": "threads", "sb3": "opponents"}.items():
        with pytest.raises(OptionError, match="unknown option 'zzzz' of Mustang; known: ") as raised:
            FACES[name].make(zzzz=1)
        for known in ("events", "max_turns", "start_seat", "reward", "illegal", "seed", own):
            assert re.search(rf"\b{known}\b", str(raised.value))
        assert "content" not in str(raised.value)  # Mustang has none


MAKES: dict[str, Callable[..., Any]] = {
    "aec": AECEnv, "gym": SeatEnv, "vector": SeatVectorEnv, "sb3": SeatVecEnv, "batch": Batch
}  # fmt: skip


def takers_of(name: str) -> list[Callable[..., Any]]:
    """What takes a face's keywords."""
    return [MAKES[name], *([SeatGames] if name in ("gym", "vector") else [])]


@pytest.mark.parametrize("name", FACES)
@pytest.mark.parametrize("keyword", keywords.FACES)
def test_a_keyword_of_another_face_is_told_with_who_takes_it(name, keyword):
    own = {parameter for taker in takers_of(name) for parameter in inspect.signature(taker).parameters}
    if keyword in own - ({"num_games"} if name != "batch" else set()):
        return
    words = f"unknown option '{keyword}' of Mustang here; it is a keyword of {keywords.FACES[keyword]}"
    with pytest.raises(OptionError, match=f"^{words}$"):
        FACES[name].make(**{keyword: 3})


@pytest.mark.parametrize(
    ("option", "near"), [("threats", "threads"), ("treads", "threads"), ("illgal", "illegal"), ("torque", None)]
)
def test_only_near_names_are_meant(option, near):
    with pytest.raises(OptionError) as raised:
        Batch(GAME, **{option: 2})
    assert f"did you mean {near!r}" in str(raised.value) if near else "; known: " in str(raised.value)


@pytest.mark.parametrize("name", FACES)
@pytest.mark.parametrize("keyword", ["reward", "illegal"])
@pytest.mark.parametrize("value", [["win"], ("lose",), 3, None, np.array(["win"])], ids=repr)
def test_a_word_is_expected(name, keyword, value):
    if keyword == "reward" and value is None:
        return
    with pytest.raises(
        OptionValueError, match=rf"^{keyword}=.* is unknown; known: .*; expected one of these words, got "
    ):
        FACES[name].make(**{keyword: value})


@pytest.mark.parametrize("name", FACES)
@pytest.mark.parametrize("game", ["mustang", None, object()])
def test_what_is_no_game(name, game):
    with pytest.raises(TypeError, match=r"^game is .*; expected a Game, as a game package holds in GAME"):
        MAKES[name](game)


# --- what reset takes -------------------------------------------------------------------------------------------------


def reset_with(name: str, env: Any, options: Any) -> None:
    if name == "sb3":
        env.set_options(options)
        env.reset()
    else:
        env.reset(options=options)


@pytest.mark.parametrize("name", FACES)
def test_a_face_s_own_keywords_in_reset_options(name):
    env = dealt(name)
    before = everything(name, env)
    taken = keywords.keywords_of(*takers_of(name))
    assert {"num_players", "reward", "illegal", "content"} <= taken
    for keyword in taken:
        fixed = (
            "the seed is an argument of its own" if keyword == "seed" else "it is fixed when the environment is made"
        )
        with pytest.raises(OptionError, match=f"^'{keyword}' in reset\\(options=\\): {fixed}"):
            reset_with(name, env, {"max_turns": 5, keyword: 2})
        if name == "sb3":
            env._reset_options()
        assert everything(name, env) == before
    reset_with(name, env, {"max_turns": 5, "options": 1})
    assert (FACES[name].batch(env).states["max_turns"] == 5).all()


@pytest.mark.parametrize("name", [name for name in FACES if name != "sb3"])
@pytest.mark.parametrize("options", [3, "max_turns", ["max_turns"], [("max_turns", 3)]])
def test_reset_options_that_are_no_mapping(name, options):
    env = dealt(name)
    before = everything(name, env)
    with pytest.raises(TypeError, match=r"^options is .*; expected a mapping from the game's options to values"):
        env.reset(options=options)
    assert everything(name, env) == before


@pytest.mark.parametrize("name", FACES)
@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"max_turns": 0}, "option 'max_turns' with 2 players: expected an integer from 1"),
        ({"max_turns": -5}, "option 'max_turns' with 2 players: expected an integer from 1"),
        ({"max_turns": 2**31}, "option 'max_turns' with 2 players: expected an integer from 1"),
        ({"max_turns": 2.0}, "option 'max_turns' with 2 players: expected an integer from 1"),
        ({"max_turns": True}, "option 'max_turns' with 2 players: expected an integer .* got True"),
        ({"max_turns": "9"}, "option 'max_turns' with 2 players: expected an integer .* got '9'"),
        ({"max_turns": None}, "option 'max_turns' with 2 players: expected an integer .* got None"),
        ({"start_seat": 2}, "option 'start_seat' with 2 players: expected an integer from 0 to 1, got 2"),
        ({"start_seat": -1}, "option 'start_seat' with 2 players: expected an integer from 0 to 1, got -1"),
        ({"start_seat": False}, "option 'start_seat' with 2 players: expected an integer from 0 to 1, got False"),
        ({"events": 3}, "option 'events' with 2 players: expected event names, or a mapping .* got 3"),
        ({"events": "delivery"}, "option 'events' with 2 players: expected event names, or a mapping"),
        ({"events": ["deliverry"]}, "option 'events' with 2 players: .*'deliverry'"),
        ({"events": []}, "option 'events' with 2 players: .*12"),
        (
            {"events": {"delivery": 13}},
            "option 'events' with 2 players: event 'delivery': expected an integer from 0 to 12, got 13",
        ),
        ({"events": {"delivery": True}}, "'events' with 2 players: event 'delivery': expected an integer .* got True"),
    ],
    ids=str,
)
def test_wrong_option_values(name, settings, words):
    with pytest.raises(OptionValueError, match=words):
        FACES[name].make(**settings)


@pytest.mark.parametrize("name", FACES)
@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"reward": "winn"}, "reward='winn' is unknown; did you mean 'win'"),
        ({"reward": "gold"}, "reward='gold' is unknown; known: lead_delta, margin, rank, score, score_delta, win, "),
        ({"reward": 1}, "reward=1 is unknown; known: "),
        ({"illegal": "loose"}, "illegal='loose' is unknown; did you mean 'lose'"),
        ({"illegal": None}, "illegal=None is unknown"),
        ({"obs": "floats"}, "obs='floats' is unknown; did you mean 'float'"),
        ({"obs": np.float32}, "obs=<class 'numpy.float32'> is unknown"),
        ({"render_mode": "rgb_array"}, "render_mode='rgb_array' is unknown; known: ansi"),
        ({"render_mode": "ANSI"}, "render_mode='ANSI' is unknown"),
    ],
    ids=str,
)
def test_unknown_words(name, settings, words):
    keyword = next(iter(settings))
    if (keyword, name) in {("render_mode", "sb3"), ("render_mode", "batch"), ("obs", "batch")}:
        with pytest.raises(OptionError, match=f"unknown option '{keyword}' of Mustang"):
            FACES[name].make(**settings)
        return
    with pytest.raises(OptionValueError, match=words):
        FACES[name].make(**settings)


@pytest.mark.parametrize("name", FACES)
@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"max_turn": 3}, OptionError, "unknown option 'max_turn' in reset.*did you mean 'max_turns'"),
        ({"event": 3}, OptionError, "unknown option 'event' in reset.*did you mean 'events'"),
        ({"max_turns": 0}, OptionValueError, "option 'max_turns' with 2 players: expected an integer from 1"),
        ({"start_seat": True}, OptionValueError, "option 'start_seat' with 2 players: expected an integer"),
    ],
)
def test_a_reset_with_wrong_options_leaves_the_game_in_progress(name, options, error, words):
    env = dealt(name)
    reset = env.reset
    if name == "sb3":
        env.seed(1)
        env.set_options(options)
    else:
        reset = functools.partial(env.reset, seed=1, options=options)
    before = everything(name, env)
    with pytest.raises(error, match=words):
        reset()
    assert everything(name, env) == before


@pytest.mark.parametrize("name", FACES)
@pytest.mark.parametrize(("seed", "error"), [(-1, ValueError), (1.5, TypeError), (True, TypeError), ("1", TypeError)])
def test_wrong_seeds(name, seed, error):
    with pytest.raises(error, match=f"seed {seed!r} is .*; expected an integer of 0 or more, or None"):
        FACES[name].make(seed=seed)


# --- actions ----------------------------------------------------------------------------------------------------------

WRONG = [
    (True, TypeError, "True is of type bool; expected one integer from 0 to 168"),
    (np.True_, TypeError, "np.True_ .*; expected one integer from 0 to 168"),
    (torch.tensor(True), TypeError, r"tensor\(True\) has dtype torch.bool; expected one integer"),
    (np.array(True), TypeError, "has dtype bool; expected one integer"),
    (torch.tensor([3]), TypeError, r"tensor\(\[3\]\) has shape \(1,\); expected one integer .*, without a dimension"),
    (1.0, TypeError, "1.0 is of type float; expected one integer"),
    (np.float32(1), TypeError, r"float32\(1.0\) has dtype float32; expected one integer"),
    (np.float64("nan"), TypeError, "has dtype float64; expected one integer|of type float64"),
    (torch.tensor(1.0), TypeError, "has dtype torch.float32; expected one integer"),
    (1j, TypeError, "of type complex"),
    ("3", TypeError, "'3' is of type str; expected one integer"),
    (np.str_("3"), TypeError, "expected one integer"),
    (b"3", TypeError, "of type bytes"),
    ([3], TypeError, r"\[3\] is of type list; expected one integer"),
    ((3,), TypeError, "of type tuple"),
    ({3}, TypeError, "of type set"),
    (np.array([3]), TypeError, r"has shape \(1,\); expected one integer .*, without a dimension"),
    (np.array([[3]]), TypeError, r"has shape \(1, 1\)"),
    (np.array([], int), TypeError, r"has shape \(0,\)"),
    (np.array(3, object), TypeError, "has dtype object"),
    (object, TypeError, "of type type"),
    (-1, IllegalActionError, "action -1 is out of range: expected an integer from 0 to 168"),
    (N, IllegalActionError, "action 169 is out of range: expected an integer from 0 to 168"),
    (2**70, IllegalActionError, "is out of range: expected an integer from 0 to 168"),
    (np.int8(-1), IllegalActionError, "action -1 is out of range"),
    (np.uint8(N), IllegalActionError, "action 169 is out of range"),
    (np.uint64(2**64 - 1), IllegalActionError, "is out of range"),
    (np.array(-1), IllegalActionError, "action -1 is out of range"),
    (torch.tensor(-1), IllegalActionError, "action -1 is out of range"),
    (torch.tensor(N), IllegalActionError, "action 169 is out of range"),
]


@pytest.mark.parametrize("name", SINGLE)
@pytest.mark.parametrize("illegal", ["error", "lose"])
@pytest.mark.parametrize(("action", "error", "words"), WRONG, ids=[repr(row[0]) for row in WRONG])
def test_what_is_no_action(name, illegal, action, error, words):
    refused(name, dealt(name, illegal=illegal), action, error, words)


TWO = r"expected integers of shape \(2,\)"
WRONG_OF_TWO = [
    ([True, True], TypeError, f"actions have dtype bool; {TWO}"),
    (np.array([True, True]), TypeError, f"actions have dtype bool; {TWO}"),
    (torch.tensor([True, True]), TypeError, f"actions have dtype bool; {TWO}"),
    (True, TypeError, "actions have dtype bool"),
    ([True, 3], TypeError, "bool"),
    ([3, np.True_], TypeError, "bool"),
    ([1.0, 1.0], TypeError, f"actions have dtype float64; {TWO}"),
    ([1, 1.0], TypeError, f"actions have dtype float64; {TWO}"),
    (np.ones(2, np.float32), TypeError, f"actions have dtype float32; {TWO}"),
    (torch.ones(2), TypeError, f"actions have dtype float32; {TWO}"),
    (["3", "3"], TypeError, f"actions have dtype <U1; {TWO}"),
    ("33", TypeError, "actions have dtype <U2"),
    ([None, None], TypeError, "actions have dtype object"),
    (None, TypeError, "actions have dtype object"),
    ([2**70, 3], TypeError, "actions have dtype object"),
    ([], TypeError, "actions have dtype float64"),
    (3, TypeError, r"actions have shape \(\); expected \(2,\), one for each game stepped"),
    ([3], TypeError, r"actions have shape \(1,\); expected \(2,\)"),
    ([3, 3, 3], TypeError, r"actions have shape \(3,\); expected \(2,\)"),
    (torch.tensor([3]), TypeError, r"actions have shape \(1,\); expected \(2,\)"),
    (np.full((2, 1), 3), TypeError, r"actions have shape \(2, 1\); expected \(2,\)"),
    (np.full((1, 2), 3), TypeError, r"actions have shape \(1, 2\); expected \(2,\)"),
    ([[3], [3, 3]], TypeError, "actions"),
    ([-1, -1], IllegalActionError, "game 0: action -1 is out of range 0 to 168, asked of seat"),
    ([N, N], IllegalActionError, "game 0: action 169 is out of range 0 to 168, asked of seat"),
    (np.full(2, -1, np.int8), IllegalActionError, "game 0: action -1 is out of range"),
    (np.full(2, 2**64 - 1, np.uint64), IllegalActionError, "game 0: action .* is out of range"),
    (torch.tensor([N, N]), IllegalActionError, "game 0: action 169 is out of range"),
]


@pytest.mark.parametrize("name", MANY)
@pytest.mark.parametrize("illegal", ["error", "lose"])
@pytest.mark.parametrize(("actions", "error", "words"), WRONG_OF_TWO, ids=[repr(row[0]) for row in WRONG_OF_TWO])
def test_what_are_no_actions(name, illegal, actions, error, words):
    refused(name, dealt(name, 2, illegal=illegal), actions, error, words)


@pytest.mark.parametrize("name", MANY)
@pytest.mark.parametrize("lane", [0, 2])
def test_one_wrong_action_moves_no_lane(name, lane):
    env = dealt(name, 3)
    mask = FACES[name].batch(env).action_mask
    for wrong, what in ((-1, "out of range"), (N, "out of range"), (int((~mask[lane]).argmax()), "illegal for seat")):
        actions = mask.argmax(axis=1)
        actions[lane] = wrong
        refused(name, env, actions, IllegalActionError, f"game {lane}: action {wrong} .*{what}")


@pytest.mark.parametrize("name", FACES)
def test_an_illegal_action_is_told_in_words(name):
    env = dealt(name)
    mask = FACES[name].batch(env).action_mask[0]
    action = int((~mask).argmax())
    words = f"action {action} ({GAME.action_label(action)}) is illegal for seat"
    allowed = int(mask.argmax())
    told = re.escape(words) + f".*legal: .*{allowed} " + re.escape(f"({GAME.action_label(allowed)})")
    refused(name, env, action if name in SINGLE else [action], IllegalActionError, told)


KINDS: list[Callable[[int], Any]] = [
    int, np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64, np.array, torch.tensor,
    lambda action: np.array(action, np.uint64),
    lambda action: torch.tensor(action, dtype=torch.uint8),
    lambda action: torch.tensor(action, dtype=torch.int32),
]  # fmt: skip


@pytest.mark.parametrize("name", SINGLE)
def test_integers_of_every_kind_are_actions(name):
    after = set()
    for kind in KINDS:
        env = dealt(name)
        env.step(kind(legal(name, env)))
        after.add(FACES[name].batch(env).states.tobytes())
    assert len(after) == 1
    assert after != {FACES[name].batch(dealt(name)).states.tobytes()}


@pytest.mark.parametrize("name", MANY)
def test_integers_of_every_kind_are_many_actions(name):
    after = set()
    for kind in KINDS:
        env = dealt(name, 2)
        actions = [int(action) for action in FACES[name].batch(env).action_mask.argmax(axis=1)]
        dtype = np.asarray(kind(0)).dtype
        for made in (np.array(actions, dtype), actions, tuple(actions), torch.tensor(actions)):
            again = dealt(name, 2)
            again.step(made)
            after.add(FACES[name].batch(again).states.tobytes())
    assert len(after) == 1


# --- steps at the wrong time ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "error", "action"),
    [
        ("aec", AttributeError, 0),
        ("aec", AttributeError, None),
        ("gym", gymnasium.error.ResetNeeded, 0),
        ("vector", gymnasium.error.ResetNeeded, [0]),
        ("sb3", gymnasium.error.ResetNeeded, [0]),
    ],
)
def test_a_step_before_reset(name, error, action):
    env = FACES[name].make(seed=0) if name in SINGLE else FACES[name].make(num_envs=1, seed=0)
    before = FACES[name].batch(env).states.tobytes()
    with pytest.raises(error, match=r"call reset\(\) first"):
        env.step(action)
    assert FACES[name].batch(env).states.tobytes() == before
    env.reset()
    env.step(legal(name, env) if name in SINGLE else [legal(name, env)])


def ended(name: str) -> Any:
    """Return a face whose game is over."""
    env = dealt(name, **({"autoreset": False} if name == "batch" else {}))
    batch = FACES[name].batch(env)
    rng = np.random.default_rng(0)
    while not (batch.terminated | batch.truncated)[0]:
        action = int(batch.random_actions(rng)[0])
        env.step(action if name in SINGLE else [action])
    return env


@pytest.mark.parametrize("action", [0, True, -1, N, "3", 1.0], ids=repr)
def test_an_action_after_the_end(action):
    words = re.escape(f"is over: its only valid action is None, got {action!r}")
    refused("aec", ended("aec"), action, ValueError, words)
    refused("gym", ended("gym"), action, gymnasium.error.ResetNeeded, r"call reset\(\) first")


def test_a_step_when_all_agents_are_gone():
    env = ended("aec")
    while env.agents:
        env.step(None)
    for action in (None, 0):
        refused("aec", env, action, ValueError, r"all agents are gone: call reset\(\)")


def test_a_batch_ignores_the_actions_of_games_that_are_over():
    batch = ended("batch")
    before = batch.states.tobytes(), batch.scores.tobytes()
    batch.step([0])
    assert (batch.states.tobytes(), batch.scores.tobytes()) == before
    assert not batch.rewards.any()
    refused("batch", batch, [True], TypeError, "dtype bool")
