"""Checks of a game at play: what is asked, what is legal, how it ends, what it pays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tablezoo.batch import Batch
from tablezoo.errors import IllegalActionError
from tablezoo.game import RUNNING, TRUNCATED
from tablezoo.rewards import REWARDS
from tablezoo.testing.case import Case, RandomPlay, differing, fields, outputs, seats_of
from tablezoo.testing.report import Skipped


def bounds(case: Case) -> None:
    """Shapes, dtypes and the layout's highest values hold, for every seat and at the end too."""
    n, game = case.games, case.game
    wanted: dict[str, tuple[type, tuple[int, ...]]] = {
        "seat": (np.int8, (n,)),
        "observation": (np.uint8, (n, game.observation_size)),
        "action_mask": (np.bool_, (n, game.num_actions)),
        "rewards": (np.float32, (n, game.max_players)),
        "terminated": (np.bool_, (n,)),
        "truncated": (np.bool_, (n,)),
        "scores": (np.int32, (n, game.max_players)),
        "ranks": (np.int8, (n, game.max_players)),
        "winners": (np.bool_, (n, game.max_players)),
    }
    for decision, batch in case.sampled():
        for name, (dtype, shape) in wanted.items():
            array = getattr(batch, name)
            if array.dtype != dtype or array.shape != shape:
                case.fail(f"{name} is {array.dtype} {array.shape}, expected {np.dtype(dtype)} {shape}", None, decision)
        state = batch.state()
        if state.dtype != np.float32 or state.shape[0] != n or not np.isfinite(state).all():
            case.fail(f"state() is {state.dtype} {state.shape}, or not finite", None, decision)
        for back in range(game.max_players):
            _compare_with_highest(case, decision, batch, (batch.num_players - 1 - back).clip(0))


def _compare_with_highest(case: Case, decision: int, batch: Batch, seats: Any) -> None:
    layout = case.game.observation_layout
    seen = batch.observe(seats)
    for lane, entry in np.argwhere(seen > layout.high)[:1]:
        part, index = layout.part_of(int(entry))
        value, high = seen[lane, entry], layout.high[entry]
        case.fail(f"{part.name}{list(index)} is {value} for seat {seats[lane]}, at most {high}", int(lane), decision)


def asked(case: Case) -> None:
    """A seat that plays is asked, and only when it has a choice; nobody once the game is over."""
    for decision, batch in case.played():
        over = batch.states["ended"] != 0
        choices = batch.action_mask.sum(axis=1)
        for lane in np.flatnonzero(over & ((batch.seat != -1) | (choices > 0) | batch.observation.any(axis=1)))[:1]:
            case.fail("the game is over, but a seat is asked, sees or may do something", int(lane), decision)
        absent = ~over & ((batch.seat < 0) | (batch.seat >= batch.num_players))
        for lane in np.flatnonzero(absent)[:1]:
            case.fail(f"seat {batch.seat[lane]} is asked, of {batch.num_players[lane]}", int(lane), decision)
        for lane in np.flatnonzero(~over & (choices < 2))[:1]:
            case.fail(f"seat {batch.seat[lane]} is asked, with {choices[lane]} legal actions", int(lane), decision)
        if case.enough:
            return


def mask_agrees(case: Case) -> None:
    """The mask is what the author's independent ``legal`` says."""
    legal = case.legal
    if legal is None:
        raise Skipped("no legal= was given")
    for decision, batch in case.sampled():
        for lane in range(batch.num_games):
            wanted = legal(batch.states[lane], case.content_of(batch, lane)) if batch.seat[lane] >= 0 else set()
            mask = {int(i) for i in np.flatnonzero(batch.action_mask[lane])}
            for wrong, words in ((mask - wanted, "the mask allows"), (wanted - mask, "the mask forbids")):
                if wrong:
                    named = ", ".join(f"{i} ({case.game.action_label(i)})" for i in sorted(wrong)[:3])
                    case.fail(f"{words} {named}; legal= does not", lane, decision)


def action_keys(case: Case) -> None:
    """The legal actions of one position have different keys: a search would take two of one key for one."""
    key_of = case.game.kernels.action_key
    if key_of is None:  # an action's index is its key
        return
    for decision, batch in case.sampled():
        for lane in np.flatnonzero(batch.seat >= 0):
            s, c = batch.states[lane], case.content_of(batch, int(lane))
            seen: dict[int, int] = {}
            for action in np.flatnonzero(batch.action_mask[lane]).tolist():
                other = seen.setdefault(int(key_of(s, c, action)), action)
                if other != action:
                    named = " and ".join(f"{i} ({case.game.action_label(i)})" for i in (other, action))
                    case.fail(f"the legal actions {named} have one action_key", int(lane), decision)
                    return


def every_action(case: Case) -> None:
    """Each legal action can be played: it changes the game, keeps its cards, and somebody can go on."""
    for decision, batch in case.sampled():
        for lane in np.flatnonzero(batch.seat >= 0):
            legal = np.flatnonzero(batch.action_mask[lane])
            tried = batch.clone(np.repeat(lane, legal.size))
            before = fields(tried.states)
            tried.step(legal)
            after = fields(tried.states)
            turns = tried.states["turn"] - before["turn"]
            stuck = (tried.seat >= 0) & (tried.action_mask.sum(axis=1) < 2)
            for i, action in enumerate(legal):
                named = f"action {action} ({case.game.action_label(int(action))})"
                if not any((after[name][i] != before[name][i]).any() for name in after):
                    case.fail(f"{named} changes nothing", int(lane), decision)
                if turns[i] < 0 or stuck[i]:
                    case.fail(f"{named} leads to a decision without a choice, or back in turns", int(lane), decision)
                if case.conserved is not None:
                    content = case.content_of(tried, i)
                    kept = case.conserved(batch.states[lane], content)
                    now = case.conserved(tried.states[i], content)
                    if now != kept:
                        case.fail(f"{named} does not conserve: {kept} before, {now} after", int(lane), decision)


def illegal_refused(case: Case) -> None:
    """Every index outside the mask is refused, and nothing has changed."""
    case = case.smaller(games=2, samples=4)
    for decision, batch in case.sampled():
        before = fields(batch.states) | outputs(batch)
        for lane in np.flatnonzero(batch.seat >= 0):
            for action in np.flatnonzero(~batch.action_mask[lane]):
                try:
                    batch.step(np.array([action]), games=[lane])
                except IllegalActionError:
                    continue
                case.fail(f"action {action} is not in the mask, but was played", int(lane), decision)
                return
        changed = differing(before, fields(batch.states) | outputs(batch))
        if changed:
            case.fail(f"refused actions have changed {changed}", None, decision)


def conserved(case: Case) -> None:
    """What the author's ``conserved`` counts is the same from first to last."""
    if case.conserved is None:
        raise Skipped("no conserved= was given")
    first: list[Any] = []
    for decision, batch in case.sampled():
        now = [case.conserved(batch.states[lane], case.content_of(batch, lane)) for lane in range(batch.num_games)]
        first = first or now
        for lane in range(batch.num_games):
            if now[lane] != first[lane]:
                case.fail(f"{first[lane]} at first, now {now[lane]}", lane, decision)
                return


def end(case: Case) -> None:
    """A game ends once, by the rules or by the turn limit, in one step; then nothing moves and nothing is paid."""
    running = np.ones(case.games, np.bool_)
    turns = np.zeros(case.games, np.int32)
    limit = None
    for decision, batch in case.played():
        limit = batch.states["max_turns"]
        over = batch.states["ended"] != 0
        if decision == 0:
            running = ~over
            continue
        flags = batch.terminated.astype(int) + batch.truncated
        for lane in np.flatnonzero(flags != (running & over))[:1]:
            case.fail("a game's end is not flagged in its step, once", int(lane), decision)
        for lane in np.flatnonzero(batch.rewards.any(axis=1) & (flags == 0))[:1]:
            case.fail("a game pays before its end, or after", int(lane), decision)
        for lane in np.flatnonzero(~over & (batch.states["turn"] >= limit))[:1]:
            case.fail(f"turn {batch.states['turn'][lane]} of at most {limit[lane]} is over, the game is not", int(lane))
        for lane in np.flatnonzero(batch.truncated & (batch.states["turn"] < limit))[:1]:
            case.fail(f"cut in turn {batch.states['turn'][lane]}, before {limit[lane]}", int(lane), decision)
        for lane in np.flatnonzero(batch.states["turn"] < turns)[:1]:
            case.fail("turns went back", int(lane), decision)
        turns = batch.states["turn"].copy()
        running = ~over
        if case.enough:
            return
    before = fields(batch.states)
    batch.step(np.zeros(case.games, np.int64))
    changed = differing(before, fields(batch.states))
    if changed or batch.rewards.any() or batch.terminated.any() or batch.truncated.any():
        case.fail(f"games that are over still move or pay: {changed or 'rewards or flags'}")


def truncation(case: Case) -> None:
    """``max_turns`` cuts a game: by standing, told apart from an end by the rules."""
    for most in (1, 3):
        for decision, batch in case.played(max_turns=most):
            turn, ended = batch.states["turn"], batch.states["ended"]
            wrong = (turn > most) | ((turn == most) & (ended == RUNNING)) | ((turn < most) & (ended == TRUNCATED))
            for lane in np.flatnonzero(wrong)[:1]:
                case.fail(f"max_turns={most}, but turn {turn[lane]} has ended={ended[lane]}", int(lane), decision)
                return


def rewards(case: Case) -> None:
    """In every reward mode seats are paid as the standing says, and the sum is right."""
    for mode in REWARDS:
        paid = np.zeros((case.games, case.game.max_players))
        first = np.zeros(paid.shape)
        for decision, batch in case.played(reward=mode):
            if decision == 0:
                first = batch.states["last_scores"].astype(float)
            paid += batch.rewards
        low, high = case.game.score_range
        for lane in range(case.games):
            players = int(batch.num_players[lane])
            problem = _wrong_pay(mode, paid[lane], first[lane], batch, lane, (low, high), players)
            if problem:
                case.fail(f"reward={mode!r} {problem}; scores {batch.scores[lane, :players].tolist()}", lane)
            if case.enough:
                return


def _wrong_pay(
    mode: str, paid: Any, first: Any, batch: Batch, lane: int, score_range: tuple[int, int], players: int
) -> str:
    """Return what is wrong with the rewards of a whole game; empty if nothing is."""
    low, high = score_range
    scores, winners, ranks = batch.scores[lane, :players], batch.winners[lane], batch.ranks[lane, :players]
    if paid[players:].any() or winners[players:].any() or batch.scores[lane, players:].any():
        return f"pays or counts seats that do not play: {paid.tolist()}"
    paid, won = paid[:players], winners[:players]
    if ranks.min() != 0 or (won != (ranks == 0)).any() or (scores[ranks == 0] < scores.max()).any():
        return f"ranks {ranks.tolist()}, winners {won.tolist()}"
    if (scores < low).any() or (scores > high).any():
        return f"is scaled by {low} to {high}"
    if players == 1:
        wanted = {"win": won.astype(float), "score": (scores - low) / (high - low)}
    else:
        shares = np.where(won, 1 / won.sum(), -1 / max(players - won.sum(), 1)) * (not won.all())
        places = np.array([(ranks < rank).sum() + ((ranks == rank).sum() - 1) / 2 for rank in ranks])
        wanted = {
            "zero_sum": shares,
            "win": won / won.sum(),
            "rank": 1 - 2 * places / (players - 1),
            "margin": (scores - scores.mean()) / (high - low),
            "score": (scores - low) / (high - low),
        }
    changes = (scores - first[:players]) / (high - low)
    wanted["score_delta"] = changes
    wanted["lead_delta"] = changes - (changes.sum() - changes) / max(players - 1, 1)
    if mode in wanted and not np.allclose(paid, wanted[mode], atol=1e-5):
        return f"pays {paid.round(4).tolist()}, expected {wanted[mode].round(4).tolist()}"
    if (mode in ("zero_sum", "rank", "margin") or (mode == "lead_delta" and players > 1)) and abs(paid.sum()) > 1e-5:
        return f"sums to {paid.sum()}"
    return ""


def looking(case: Case) -> None:
    """Observing, drawing the table, saying what is legal and scoring leave every record as it was."""
    dense = case.sampled(reward="score_delta")
    for decision, batch in case.sampled(reward="win"):
        before = fields(batch.states)
        for name in _looks(batch):
            changed = differing(before, fields(batch.states))
            if changed:
                case.fail(f"{name}() changes {changed}", None, decision)
                return
        _, scored = next(dense)
        del before["last_scores"]
        changed = differing(before, fields(scored.states))
        if changed:
            case.fail(f"scoring after each decision changes {changed}", None, decision)
            return


def _looks(batch: Batch) -> Iterator[str]:
    """Look in each way there is, and yield its name."""
    for seat, lanes in seats_of(batch):
        batch.observe(seat, lanes)
    yield "observe"
    batch.refresh()
    yield "refresh"
    for lane in range(batch.num_games):
        batch.describe(lane)
    yield "describe"
    batch.state()
    yield "state"


def unmasked_play(case: Case) -> None:
    """With ``illegal="lose"`` any index may be played: every game ends, and the offender alone is worst off."""
    batch = case.batch(illegal="lose", autoreset=True)
    rng = np.random.default_rng(case.seed)
    ended = np.zeros(case.games, np.int64)
    for decision in range(2_000):
        actions = rng.integers(case.game.num_actions, size=case.games)
        legal = batch.action_mask[np.arange(case.games), actions]
        offenders = batch.seat.copy()
        batch.step(actions)
        ended += batch.terminated | batch.truncated
        for lane in np.flatnonzero(~legal):
            paid = batch.rewards[lane, : batch.num_players[lane]]
            lost = batch.terminated[lane] and batch.ranks[lane, offenders[lane]] == len(paid) - 1
            sums = batch.reward != "zero_sum" or abs(float(paid.sum())) < 1e-5
            if not (lost and sums and paid[offenders[lane]] == paid.min()):
                case.fail(f"illegal action {actions[lane]} does not lose: {paid.tolist()}", int(lane), decision)
                return
        if ended.min() >= 2:
            return
    case.fail("unmasked play does not end", int(ended.argmin()))


def streams(case: Case) -> None:
    """Each lane has a stream of its own, which no other lane's can be mistaken for."""
    for decision, batch in case.sampled(num_games=64):
        words = np.unique(batch.states["rng"], axis=0)
        if len(words) != batch.num_games:
            case.fail(f"{batch.num_games} lanes share {len(words)} streams", None, decision)
            return


def lane_equals_single(case: Case) -> None:
    """Lane i plays exactly what a single game seeded ``seed + i`` plays, autoreset included."""
    batch = case.batch(autoreset=True)
    play = RandomPlay(batch, case.seed)
    singles = []
    for lane in range(case.games):
        own = None if case.game.content is None else batch.contents[lane % len(batch.contents)]
        settings = {"num_players": int(batch.num_players[lane]), "seed": case.seed + lane, "content": own}
        single = case.batch(num_games=1, autoreset=True, **settings)
        singles.append((single, RandomPlay(single, case.seed + lane)))
    for decision in range(300):
        for lane, (single, _) in enumerate(singles):
            changed = differing(outputs(batch, [lane]), outputs(single))
            if changed:
                case.fail(f"{changed} differ from a single game's", lane, decision)
                return
        batch.step(play.actions())
        for single, play_alone in singles:
            single.step(play_alone.actions())


def threads(case: Case) -> None:
    """Batch size, thread count and the order of steps change nothing."""
    large = case.batch(num_games=300, threads=2, autoreset=True)
    small = case.batch(num_games=300, threads=1, autoreset=True)
    halves = case.batch(num_games=300, threads=1, autoreset=True)
    plays = [RandomPlay(batch, case.seed) for batch in (large, small, halves)]
    for decision in range(25):
        large.step(plays[0].actions())
        small.step(plays[1].actions())
        actions = plays[2].actions()
        for part in (np.arange(299, 99, -1), np.arange(100)):
            halves.step(actions[part], games=part)
        for other, words in ((small, "two threads"), (halves, "steps by parts")):
            changed = differing(outputs(large), outputs(other))
            if changed:
                case.fail(f"{words} change {changed}", None, decision + 1)
                return
