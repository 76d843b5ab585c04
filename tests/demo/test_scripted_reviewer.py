"""How scripted reviewers score a sheet of any rubric."""

import random

from demo.rehearsal import Habit, quality_of, scores_on

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
