"""Hidden cards are dealt anew in little time where somebody can pay a price that hands as they come never pay."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from tablezoo import Batch
from tests.fable.table import CARDS, LOCATIONS, Table, text_of

COPIES = 6
EVERYWHERE = range(1, LOCATIONS + 1)


def dealt(table: Table, seat: int) -> Batch:
    """Games that look the same to a seat; the seat asked has a choice in each."""
    copies = table.batch.determinize(seat, 7, np.zeros(COPIES, np.int64))
    assert (copies.observe(seat) == table.batch.observe(seat)).all()
    assert (copies.action_mask.sum(axis=1) > 1).all()
    assert (copies.states["hand"].sum(axis=2) == copies.states["hand_size"]).all()
    assert (copies.states["hand_size"] == table.record["hand_size"]).all()
    assert (copies.states["mix_stack"].sum(axis=1) == table.record["mix_stack"].sum()).all()
    return copies


def hands(copies: Batch, seat: int) -> list[str]:
    return [text_of(hand, CARDS) for hand in copies.states["hand"][:, seat]]


TWELVE = "B " * 12
PRICES: list[tuple[str, list[str], dict[str, Any]]] = [
    ("=12", ["G C", TWELVE], {}),
    ("=12", ["G C", "B " * 11 + "G P S BC"], {}),
    ("=12", ["B C", "C " * 9, "G G"], {"tokens": {1: "C wild wild"}}),
    ("BBBBBBCCCCCC", ["G G", "B " * 6 + "C " * 5, "G P S"], {"tokens": {1: "C"}}),
    ("SSSSSSSSSSSS", ["G C", "S " * 12, "P P"], {"fruits": "", "discards": "B B B B C C C C"}),
]


@pytest.mark.rule("F11", "F11a")
@pytest.mark.parametrize(("price", "held", "situation"), PRICES, ids=lambda value: str(value)[:24])
def test_who_is_asked_whether_to_buy_can_buy(price: str, held: list[str], situation: dict[str, Any]) -> None:
    table = Table(held, None, dict.fromkeys(EVERYWHERE, price), mover=1, **situation).do("#1")
    assert (table.seat, table.legal) == (1, {"use", "buy"})
    copies = dealt(table, 0)
    assert copies.action_mask[:, 25].all()


@pytest.mark.rule("F11a")
def test_not_the_hand_itself_is_dealt() -> None:
    """A copy is a guess: any type may be the one of twelve equal fruits."""
    table = Table(["G C", TWELVE], None, dict.fromkeys(EVERYWHERE, "=12"), mover=1).do("#1")
    found = Counter(hands(table.batch.determinize(0, 3, np.zeros(40, np.int64)), 1))
    assert len(found) == 3
    assert min(found.values()) > 3


@pytest.mark.rule("F11a")
def test_who_is_asked_for_the_rest_of_a_payment_can_complete_it() -> None:
    table = Table(["G C", TWELVE + "S S BC"], None, dict.fromkeys(EVERYWHERE, "BBBBBBBBBBS*"), mover=1)
    table.do("#1", "buy")
    assert table.seat == 1
    assert table.legal < {*CARDS}
    dealt(table, 0)


@pytest.mark.rule("F9", "F11a")
def test_who_is_asked_what_to_order_can_pay_two() -> None:
    """Two different dear prices, paid from one hand or the other."""
    prices = {**dict.fromkeys(EVERYWHERE, "S" * 12), 2: "B" * 7, 3: "C" * 7}
    table = Table(["G G", "B " * 8 + "C " * 8], {1: "order 1"}, prices, mover=1).do("#1")
    assert (table.seat, table.legal) == (1, {"#2", "#3"})
    dealt(table, 0)


@pytest.mark.rule("F10b")
def test_what_no_deal_can_bring_about_is_told() -> None:
    """Records can be written by hand: here no pineapple is left that could have been laid aside for one."""
    table = Table(["B C", "P G"], {1: "trade P 1"}, mover=1, fruits="", mixes="").do("#1")
    assert (table.seat, table.legal) == (0, {"B", "C"})
    table.batch.determinize(0, 1)
    table.record["aside"][1] = 0
    with pytest.raises(RuntimeError, match="1000000 deals contradict what all have seen: no play leads here"):
        table.batch.determinize(0, 1)
