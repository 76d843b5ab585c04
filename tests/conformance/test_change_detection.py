"""A changed bot is told from one that only varies."""

import pytest

from conformance.change_detection import changed_questions, is_changed, likeness, plain

SAME = ["您好，请问要订什么？"] * 3
VARYING = [
    "您好，我可以帮您订机票和酒店。",
    "您好呀，我能帮您订酒店和机票。",
    "您好，我可以为您订机票、酒店。",
]


@pytest.mark.parametrize(
    ("then", "now", "changed"),
    [
        (SAME, SAME, False),
        (SAME, ["您好，请问要订什么？", "别的", "别的"], False),
        (SAME, ["您好，请问您要订什么？"] * 3, True),
        (["现在是10:31，晴，23度。"] * 3, ["现在是 9:05，晴，8度。"] * 3, False),
        (VARYING, ["您好，我能为您订机票和酒店。", "您好，我可以帮您订酒店。", "您好呀，我可以订机票。"], False),
        (VARYING, ["I only speak English, sorry.", "Please say that in English.", "What do you mean?"], True),
        (VARYING, ["今天天气不错", "要不要听一首歌", "我们聊点别的吧"], True),
    ],
)
def test_a_question_is_answered_otherwise(then, now, changed):
    assert is_changed(then, now) is changed


def test_one_question_alone_is_no_change_of_the_bot():
    other = ["完全不同"] * 3
    assert changed_questions([SAME] * 5, [other, SAME, SAME, SAME, SAME]) == []
    assert changed_questions([SAME] * 5, [other, SAME, other, SAME, SAME]) == [0, 2]


def test_questions_that_were_not_answered_show_nothing():
    assert changed_questions([SAME, [], SAME], [SAME, ["x"], []]) == []
    assert changed_questions([], []) == []


def test_likeness_is_that_of_shared_pairs():
    assert likeness("abc", "abd") == pytest.approx(1 / 3)
    assert likeness("", "") == 1.0
    assert plain("A 12 b\n3") == "a#b#"
