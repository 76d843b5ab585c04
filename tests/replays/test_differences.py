import random

import pytest

from replays.differences import Piece, distance, is_same, marked, words_of
from tests.linear_time import assert_linear


def texts(pieces):
    return [(one.part, one.text) for one in pieces]


def test_words_join_to_the_text():
    text = "票价 ￥1,280，Fly  to_上海\n好的 é😀"
    assert "".join(words_of(text)) == text
    assert words_of("订2张ok") == ["订", "2", "张", "ok"]


def test_changed_words_are_marked_on_both_sides():
    found = marked("the flight leaves at nine", "the train leaves at ten")
    assert texts(found.old) == [("same", "the "), ("changed", "flight"), ("same", " leaves at "), ("changed", "nine")]
    assert texts(found.new) == [("same", "the "), ("changed", "train"), ("same", " leaves at "), ("changed", "ten")]


def test_chinese_is_marked_by_character():
    found = marked("已为您预订北京到上海的机票", "已为您预订北京到广州的机票")
    assert texts(found.old) == [("same", "已为您预订北京到"), ("changed", "上海"), ("same", "的机票")]
    assert texts(found.new) == [("same", "已为您预订北京到"), ("changed", "广州"), ("same", "的机票")]


def test_a_sentence_that_moved_is_marked_once():
    found = marked("alpha beta gamma delta epsilon", "epsilon alpha beta gamma delta")
    assert "".join(one.text for one in found.old if one.part == "same").split() == ["alpha", "beta", "gamma", "delta"]


@pytest.mark.parametrize(("old", "new"), [("", ""), ("", "hello"), ("hello", ""), ("same", "same"), ("甲乙", "丙丁")])
def test_ends_are_whole(old, new):
    found = marked(old, new)
    assert "".join(one.text for one in found.old) == old
    assert "".join(one.text for one in found.new) == new
    assert {one.part for one in found.old} <= ({"same"} if old == new else {"changed"})


def test_the_same_words_stand_in_both_whatever_the_texts():
    chance = random.Random(4)
    for _ in range(300):
        old, new = ("".join(chance.choices("ab cd甲乙。", k=chance.randrange(30))) for _ in range(2))
        found = marked(old, new)
        assert "".join(one.text for one in found.old) == old
        assert "".join(one.text for one in found.new) == new
        shared = ["".join(one.text for one in side if one.part == "same") for side in (found.old, found.new)]
        assert shared[0] == shared[1]


def test_what_is_too_long_is_shown_without_marks():
    found = marked("a b c d", "a b c e", most_words=5)
    assert found.old == [Piece("changed", "a b c d")]


def test_marking_takes_as_long_as_the_texts_are():
    chance = random.Random(1)

    def hard(n):
        return "".join(chance.choices("甲乙丙丁戊", k=n)), "".join(chance.choices("甲乙丙丁戊", k=n))

    assert_linear(lambda pair: marked(*pair, most_words=10**9), hard, sizes=(10_000, 20_000, 40_000))


def test_distance_is_one_minus_dice_over_neighbours():
    # Neighbours of "a b": (-, a) (a, b) (b, -); of "a c": (-, a) (a, c) (c, -). One of 3 + 3 is shared twice over.
    assert distance(["a b"], ["a c"]) == pytest.approx(1 - 2 / 6)
    assert distance(["a b"], ["A  b"]) == 0
    assert distance([""], [" "]) == 0
    assert distance([""], ["a"]) == 1


def test_numbers_part_answers_and_are_no_drift():
    assert not is_same(["train G7"], ["train G9"])
    assert distance(["train G7"], ["train G9"]) == 0


def test_bubbles_and_spaces_part_nothing():
    assert is_same(["你好", "请问"], ["你好 请问"])
