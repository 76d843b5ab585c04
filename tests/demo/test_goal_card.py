"""The scripted tester: answers what is asked from the card, confirms, and gives up on a bot that gets nowhere."""

import pytest

from demo.goal_card import PATIENCE, CardReader, Close, Impressions, Say, fits, impressions_of, is_booked, scores_of

FACTS = {
    "hotel": {"city": "成都", "place": "春熙路", "budget": 400, "nights": 2},
    "train": {"from": "上海", "time": "上午"},
}


@pytest.fixture
def reader():
    begun = CardReader("帮我订酒店", ["hotel", "train"], FACTS)
    assert begun.next("") == Say("帮我订酒店")
    return begun


@pytest.mark.parametrize(
    ("heard", "step"),
    [
        ("请问您住哪个城市？", Say("成都")), ("预算是多少？", Say("不超过 400 元")), ("住几晚？", Say("2 晚")),
        ("找到云栖酒店，确认预订吗？", Say("好的，确认")), ("预订成功！", Close(True)), ("嗯？", Say("我要订酒店")),
        ("抱歉，没有合适的", Say("请帮我订酒店")),
    ],
)  # fmt: skip
def test_each_question_is_answered_from_the_card(reader, heard, step):
    assert reader.next(heard) == step


def test_patience_ends(reader):
    for _ in range(PATIENCE - 1):
        assert isinstance(reader.next("无法办理"), Say)
    assert reader.next("无法办理") == Close(False)


def test_the_next_subtask_begins_with_an_answer_or_with_what_is_wanted(reader):
    reader.move_to(1)
    assert reader.next("请问从哪个城市出发？") == Say("上海")
    reader.move_to(1)
    assert reader.next("好的") == Say("我还要订火车票")


def test_a_booking_counts_only_if_it_is_what_the_card_asked_for():
    row = {"city": "成都", "place": "春熙路", "price": 400}
    assert is_booked("hotel", FACTS["hotel"], [{"kind": "hotel", "row": row}])
    assert not is_booked("hotel", FACTS["hotel"], [{"kind": "train", "row": row}])
    assert not fits("hotel", FACTS["hotel"], row | {"price": 401})
    flight = {"from": "上海", "to": "北京", "class": "经济舱", "time": "上午"}
    assert fits("flight", flight, flight | {"depart": "11:59"})
    assert not fits("flight", flight, flight | {"depart": "12:00"})


SMP2018 = {"satisfaction": (-2, -1, 0, 1, 2), "fluency": (-1, 0, 1), "guidance": (0, 1)}


@pytest.mark.parametrize(
    ("n_finished", "n_subtasks", "n_turns", "n_repeats", "scores"),
    [
        (1, 1, 8, 0, [2, 1, 1]), (1, 1, 9, 1, [1, 0, 1]), (1, 2, 20, 3, [0, -1, 1]),
        (0, 1, 4, 0, [-1, 1, 1]), (0, 1, 13, 0, [-2, 1, 0]), (2, 2, 30, 3, [1, -1, 1]),
    ],
)  # fmt: skip
def test_scores_follow_what_was_booked_and_how_long_it_took(n_finished, n_subtasks, n_turns, n_repeats, scores):
    impressions = impressions_of(n_finished, n_subtasks, n_turns, n_repeats)
    assert scores_of(impressions, SMP2018) == dict(zip(SMP2018, scores, strict=True))


def test_the_criteria_of_any_rubric_are_scored_on_their_own_scales():
    scales = {"success": (1, 2, 3, 4, 5), "errors": (2, 1, 0), "coherency": (0, 1), "further": (0, 10)}
    assert scores_of(Impressions(outcome=0.75, freshness=1.0, progress=0.0), scales) == {
        "success": 4, "errors": 0, "coherency": 0, "further": 10,
    }  # fmt: skip
