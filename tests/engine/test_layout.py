"""Named parts of flat vectors."""

from __future__ import annotations

import numpy as np
import pytest

from tablezoo.layout import Layout, Part
from tests.engine.tiny import GAME

LAYOUT = Layout(
    [
        Part("seats", 3, 1, "who plays"),
        Part("cards", (2, 3), [1, 2, 4], "by suit", labels=lambda suit, value: f"card {suit}/{value}"),
        Part("deck", 1, 49, "left"),
    ]
)


def test_parts_have_their_places():
    assert LAYOUT.size == 10
    assert [LAYOUT.offset(name) for name in ("seats", "cards", "deck")] == [0, 3, 9]
    assert LAYOUT.slice("cards") == slice(3, 9)
    assert LAYOUT.high.tolist() == [1, 1, 1, 1, 2, 4, 1, 2, 4, 49]
    assert LAYOUT.high.dtype == np.uint8
    assert not LAYOUT.high.flags.writeable


def test_a_view_has_the_parts_shape_and_is_no_copy():
    array = np.arange(40).reshape(2, 2, 10)
    view = LAYOUT.view(array, "cards")
    assert view.shape == (2, 2, 2, 3)
    assert view[1, 0].tolist() == [[23, 24, 25], [26, 27, 28]]
    assert np.shares_memory(view, array)


def test_every_index_has_a_part_and_a_label():
    assert LAYOUT.part_of(0)[0].name == "seats"
    part, index = LAYOUT.part_of(7)
    assert (part.name, index) == ("cards", (1, 1))
    assert [LAYOUT.label(i) for i in (1, 7, 9)] == ["seats[1]", "card 1/1", "deck"]
    for wrong in (-1, 10):
        with pytest.raises(IndexError, match="the layout has 10 entries"):
            LAYOUT.part_of(wrong)


def test_scaling_divides_by_the_highest():
    raw = np.array([[1, 0, 1, 1, 1, 2, 0, 2, 4, 7]], np.uint8)
    scaled = LAYOUT.scale(raw)
    assert scaled.dtype == np.float32
    assert np.allclose(scaled, [[1, 0, 1, 1, 0.5, 0.5, 0, 1, 1, 1 / 7]])
    assert LAYOUT.scale(LAYOUT.high[None]).max() == 1


def test_unknown_and_double_names():
    with pytest.raises(KeyError, match="did you mean 'cards'"):
        LAYOUT.offset("card")
    with pytest.raises(ValueError, match="'a' twice"):
        Layout([Part("a", 1), Part("a", 2)])


def test_the_table_has_a_row_a_part():
    rows = LAYOUT.table().splitlines()
    assert len(rows) == 5
    assert rows[3] == "| cards | 3 | 8 | 2 x 3 | 1 to 4 | by suit |"


@pytest.mark.parametrize("index", ["0", 1.0, None, True, [0]])
def test_an_index_that_is_no_integer(index):
    with pytest.raises(TypeError, match=r"^index .* is of type \w+; expected 0 to 7$"):
        GAME.action_label(index)
    assert GAME.action_label(np.int8(6)) == "dare"
