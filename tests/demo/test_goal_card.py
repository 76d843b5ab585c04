"""The scripted tester: answers what is asked from the card, confirms, and gives up on a bot that gets nowhere."""

import random
from dataclasses import astuple

import pytest

from demo.goal_card import PATIENCE, CardReader, Close, Impressions, Say, fits, impressions_of, is_booked, scores_of
from demo.rehearsal import CARELESS, SEVERE, Conversation, Habit, habits_of, quality_of, scores_on, things_to_say
from tests.demo.simulated_panel import campaign_of, margins_of, panel_scores, sheets_of

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


TURNS = [
    {"number": 1, "text": "你好", "texts": ["这是一个足够长的回答，里面有内容。"]},
    {"number": 2, "text": "还有吗", "texts": ["嗯。"]},
]
SCALE = {
    "key": "coherence", "kind": "scale", "places": [""], "evidence_below": 2,
    "points": [{"score": score, "key": "", "speaker": ""} for score in (0, 1, 2, 3, 4)],
}  # fmt: skip
LABELS = {
    "key": "nugget", "kind": "label", "places": ["@1.tester", "@1.bot"], "evidence_below": None,
    "points": [
        {"score": 0, "key": "C0", "speaker": "tester"}, {"score": 1, "key": "C", "speaker": "tester"},
        {"score": 2, "key": "H0", "speaker": "bot"}, {"score": 3, "key": "H", "speaker": "bot"},
    ],
}  # fmt: skip
SHEET = {"turns": TURNS, "criteria": [SCALE, LABELS]}


class Attentive(random.Random):
    """Never slips."""

    def random(self):
        return 1.0


def test_quality_is_how_far_the_bot_kept_from_repeating_itself():
    assert quality_of(SHEET) == 1.0
    assert quality_of({"turns": [TURNS[0], TURNS[0]]}) == 0.0
    assert quality_of({"turns": [TURNS[0], TURNS[0], TURNS[1]]}) == 0.5
    assert quality_of({"turns": []}) == 0.0


def test_a_score_is_that_far_up_the_scale_less_the_severity_with_evidence_where_it_is_low():
    assert scores_on(SHEET, Habit(), Attentive())["ratings"]["coherence"] == 4
    severe = scores_on(SHEET, Habit(severity=3), Attentive())
    assert (severe["ratings"]["coherence"], severe["evidence"]) == (1, {"coherence": 2})
    assert scores_on(SHEET, Habit(severity=9), Attentive())["ratings"]["coherence"] == 0


def test_the_worst_point_is_left_to_the_severe_where_the_scale_has_a_middle():
    always_the_same = {"turns": [TURNS[0], TURNS[0]], "criteria": [SCALE]}
    assert scores_on(always_the_same, Habit(), Attentive())["ratings"]["coherence"] == 1
    assert scores_on(always_the_same, Habit(severity=1), Attentive())["ratings"]["coherence"] == 0
    yes_or_no = {**always_the_same, "criteria": [{**SCALE, "points": SCALE["points"][:2]}]}
    assert scores_on(yes_or_no, Habit(), Attentive())["ratings"]["coherence"] == 0


def test_labels_are_those_of_the_speaker():
    ratings = scores_on(SHEET, Habit(), Attentive())["ratings"]
    assert (ratings["nugget@1.tester"], ratings["nugget@1.bot"]) == ("C0", "H0")
    careless = [scores_on(SHEET, Habit(is_careless=True), random.Random(seed))["ratings"] for seed in range(40)]
    assert {one["nugget@1.bot"] for one in careless} == {"H0", "H"}
    assert {one["coherence"] for one in careless} == {0, 1, 2, 3, 4}


def test_a_conversation_opens_uses_every_item_once_and_ends():
    talk = Conversation("开场", ("信息一", "信息二"))
    assert [talk.next(""), talk.next("好"), talk.next("好")] == [Say("开场"), Say("信息一"), Say("信息二")]
    assert talk.next("好") == Close(True)


def test_every_part_takes_three_turns_at_least():
    talk = Conversation("开场", ())
    first = [talk.next("") for _ in range(4)]
    assert first[0] == Say("开场")
    assert [isinstance(step, Say) for step in first] == [True, True, True, False]
    talk.move_to(1)
    second = [talk.next("") for _ in range(4)]
    assert [isinstance(step, Say) for step in second] == [True, True, True, False]


def test_a_scenario_without_items_has_the_wishes_of_its_goals_said():
    facts = {"flight": {"from": "北京", "budget": 500}, "flights": [{"number": "HC1"}], "hotel": {"nights": 3}}
    assert things_to_say((), facts) == ["北京", "500", "3"]
    assert things_to_say(("信息",), facts) == ["信息"]


def test_the_first_of_a_panel_is_severe_and_the_last_careless():
    assert habits_of(["a", "b", "c"]) == {"a": SEVERE, "b": Habit(), "c": CARELESS}
    assert habits_of(["a", "b"]) == {"a": Habit(), "b": Habit()}


@pytest.mark.parametrize("preset", ["smp2018", "seretod2022", "msde"])
def test_severity_and_carelessness_show_whoever_is_drawn_for_what(preset):
    spec = campaign_of(preset)
    sheets = sheets_of(spec)
    for seed in range(8):
        assert min(astuple(margins_of(panel_scores(spec, sheets, seed)))) > 0.05, seed
