"""What a review page shows, worked out from a sheet by hand: rubric rows, keys of labels, the panel's marks, the transcript."""

from django.utils import translation

from dialogues.turn_policy import TurnPolicy
from reviews.review_page import (
    PanelMark,
    RowPoint,
    RubricRow,
    context_rows,
    judged_rows,
    label_sets,
    labels_of,
    review_page,
    rubric_rows,
)

SATISFACTION = {
    "key": "satisfaction", "letter": "Sa", "name": "Satisfaction", "question": "", "kind": "scale", "scope": "dialogue",
    "required": True, "evidence_below": 0, "places": [""],
    "points": [{"score": score, "key": "", "label": str(score), "speaker": ""} for score in (-1, 0, 1)],
}  # fmt: skip


NUGGET = {
    "key": "nugget", "letter": "N", "name": "Nugget", "question": "", "kind": "label", "scope": "turn", "required": True,
    "evidence_below": None, "places": ["@1.tester", "@1.bot", "@2.tester"],
    "points": [
        {"score": 0, "key": "CNUG0", "label": "trigger", "speaker": "tester"},
        {"score": 1, "key": "CNaN", "label": "none", "speaker": "tester"},
        {"score": 2, "key": "HNUG", "label": "regular", "speaker": "bot"},
    ],
}  # fmt: skip


def sheet(*criteria, subtasks=(), asks_for_verdicts=True):
    return {"criteria": list(criteria), "subtasks": list(subtasks), "asks_for_verdicts": asks_for_verdicts}


def flight(index, status="finished"):
    return {
        "index": index,
        "kind": "flight",
        "status": status,
        "turns_used": 0 if status == "pending" else 3,
        "turn_cap": 5,
    }


def test_verdicts_come_first_and_a_score_stands_in_the_column_of_its_value():
    with translation.override("en"):
        first, second = rubric_rows(sheet(SATISFACTION, subtasks=[flight(1)]))
    assert (first.letter, first.verdict, first.name) == ("C", 1, "1 Flight")
    assert [(point.digit, point.column) for point in first.points] == [(1, 1), (0, 2)]
    assert [(point.value, point.shown, point.column) for point in second.points] == [
        ("1", "1", 1),
        ("0", "0", 2),
        ("-1", "−1", 3),
    ]
    assert (second.rating, second.evidence_below, second.n_columns) == ("satisfaction", 0, 3)


def test_a_part_that_never_began_cannot_be_finished():
    begun, pending = rubric_rows(sheet(subtasks=[flight(1), flight(2, "pending")]))
    assert [point.is_possible for point in begun.points] == [True, True]
    assert [(point.digit, point.is_possible) for point in pending.points] == [(1, False), (0, True)]


def test_a_criterion_of_parts_has_a_row_per_part():
    of_parts = SATISFACTION | {"scope": "subtask", "places": ["#1", "#2"]}
    rows = rubric_rows(sheet(of_parts, subtasks=[flight(1), flight(2)], asks_for_verdicts=False))
    with translation.override("en"):
        assert [row.rating for row in rows] == ["satisfaction#1", "satisfaction#2"]
    assert all(not row.verdict for row in rows)


def test_labels_of_a_dialogue_are_chosen_by_their_numbers():
    outcome = NUGGET | {"scope": "dialogue", "places": [""]}
    (row,) = rubric_rows(sheet(outcome))
    assert [(point.value, point.digit, point.column) for point in row.points] == [
        ("CNUG0", 0, 1),
        ("CNaN", 1, 2),
        ("HNUG", 2, 3),
    ]


def test_turn_labels_take_the_upper_row_for_the_tester_and_the_middle_row_for_the_system():
    sets = label_sets(sheet(SATISFACTION, NUGGET))
    assert [one.rating for one in sets] == ["nugget@1.tester", "nugget@1.bot", "nugget@2.tester"]
    assert [(label.value, label.shortcut) for label in sets[0].labels] == [("CNUG0", "q"), ("CNaN", "w")]
    assert [(label.value, label.shortcut) for label in sets[1].labels] == [("HNUG", "a")]
    assert sets[2].labels == sets[0].labels


def test_no_key_is_given_twice_and_labels_beyond_the_keyboard_have_none():
    many = [{"score": n, "key": f"L{n}", "label": str(n), "speaker": ""} for n in range(14)]
    sets = label_sets(sheet(NUGGET | {"points": many, "places": ["@1.tester", "@1.bot"]}))
    keys = [label.shortcut for one in sets for label in one.labels]
    given = [key for key in keys if key]
    assert len(given) == len(set(given)) == 21
    assert keys.count("") == 7
    assert not set(given) & set("cejkn")


SCALE = [RowPoint(str(score), score, str(score), "", column) for column, score in enumerate((1, 0, -1), start=1)]


ROW = RubricRow("Sa", "Satisfaction", SCALE, 3, rating="satisfaction")


VERDICT = RubricRow("C", "1 Flight", SCALE[:2], 3, verdict=1)


CONTENTS = [
    {"ratings": {"satisfaction": 1, "nugget@1.bot": "HNUG"}, "verdicts": {"1": True}},
    {"ratings": {"satisfaction": -1}, "verdicts": {"1": True}},
    {"ratings": {"satisfaction": 1, "nugget@1.bot": "HNaN"}, "verdicts": {}},
]


def test_each_mark_stands_in_the_column_of_its_value():
    verdict, row = judged_rows([VERDICT, ROW], CONTENTS, ["satisfaction"])
    assert verdict.marks == [PanelMark(1, [1, 2], "1")]
    assert row.marks == [PanelMark(1, [1, 3], "1"), PanelMark(3, [2], "-1")]
    assert (verdict.is_disputed, row.is_disputed) == (False, True)


def test_a_dispute_marks_the_row_of_its_part_alone():
    first, second = (RubricRow("Sa", "Satisfaction", SCALE, 3, rating=f"satisfaction#{n}") for n in (1, 2))
    judged = judged_rows([VERDICT, first, second], [], ["satisfaction#1"])
    assert [row.is_disputed for row in judged] == [False, True, False]


def test_labels_name_who_gave_them():
    assert labels_of(CONTENTS, ["nugget@1.bot", "nugget@2.bot"]) == {
        "nugget@1.bot": [(1, "HNUG"), (3, "HNaN")],
        "nugget@2.bot": [],
    }


def turn(number, subtask, text="a", texts=("b",), **named):
    return {"number": number, "subtask": subtask, "text": text, "texts": list(texts), "failed": not texts} | named


def part(index, kind, status, turns_used):
    return {"index": index, "kind": kind, "status": status, "turns_used": turns_used, "turn_cap": 20}


SHEET = {
    "alias": "K7",
    "scenario": {
        "title": "", "instructions": "", "items": [], "facts": {"flight": {"from": "成都", "to": "北京"}, "note": "x"},
    },
    "context": {"kb": "text", "rows": [{"price": 300}]},
    "turns": [turn(1, 1), turn(2, 1, texts=()), turn(3, 2, latency_ms=1240)],
    "subtasks": [part(1, "flight", "finished", 2), part(2, "hotel", "given_up", 1), part(3, "train", "pending", 0)],
    "criteria": [SATISFACTION, NUGGET],
    "asks_for_verdicts": True,
}  # fmt: skip


EXCHANGES = TurnPolicy()


def english(sheet, policy=EXCHANGES):
    with translation.override("en"):
        return review_page(sheet, policy)


def test_turns_stand_under_the_rule_of_their_part_and_an_empty_part_has_its_rule_too():
    parts = english(SHEET).parts
    assert [[row.number for row in one.turns] for one in parts] == [[1, 2], [3], []]
    assert [one.rule.closed for one in parts] == ["finished · 2 turns", "given up · 1 turn", "not started"]
    assert parts[0].rule.line == "成都→北京"


def test_turns_are_counted_as_the_campaign_counts_them():
    page = english(SHEET | {"turns": [turn(0, 1, text=""), *SHEET["turns"]]}, TurnPolicy(per_exchange=2, opening=1))
    assert [one.rule.closed for one in page.parts] == ["finished · 5 turns", "given up · 2 turns", "not started"]
    assert [(one.rule.turns_used, one.rule.turn_cap) for one in page.parts] == [(5, 41), (2, 40), (0, 40)]
    assert page.n_turns == 7


def test_an_imported_dialogue_without_parts_has_turns_alone():
    (only,) = english(SHEET | {"subtasks": []}).parts[:1]
    assert only.rule is None
    assert [row.number for row in only.turns] == [1, 2]


def test_labels_stand_with_their_turn_and_are_counted():
    page = english(SHEET)
    first, second = page.parts[0].turns
    assert [one.rating for one in first.label_sets] == ["nugget@1.tester", "nugget@1.bot"]
    assert [one.rating for one in second.label_sets] == ["nugget@2.tester"]
    assert page.n_labels == 3


def test_a_latency_is_shown_only_where_the_sheet_has_one():
    page = english(SHEET)
    assert [row.latency for one in page.parts for row in one.turns] == ["", "", "1.2"]


def test_every_rating_and_verdict_has_a_name_for_a_conflict():
    names = english(SHEET).names
    assert names["verdict 1"] == "C 1 Flight"
    assert names["satisfaction"] == "Sa Satisfaction"
    assert names["nugget@1.bot"] == "N · 1 · system"


def test_what_the_system_was_given_is_shown_as_text_or_json():
    with translation.override("en"):
        assert context_rows(SHEET) == [("Knowledge base", "text"), ("rows", '[{"price": 300}]')]
    assert context_rows(SHEET | {"context": None}) == []
