"""The transcript of a review page in rows, worked out from a sheet by hand."""

from django.utils import translation

from dialogues.turn_policy import TurnPolicy
from reviews.review_page import context_rows, review_page
from tests.reviews.test_score_rows import NUGGET, SATISFACTION


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
