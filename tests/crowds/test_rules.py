"""Pay, links, drawing and attention items, worked out by hand."""

import random
from datetime import timedelta
from decimal import Decimal

import pytest

from crowds.door_rules import cells_for, item_of, n_wrong
from crowds.payment import Terms, amount_of, median_time, per_hour, reached_per_hour, share_of
from crowds.platforms import (
    PREVIEW,
    BrokenLink,
    Names,
    Outcome,
    Outside,
    Platform,
    PreviewOnly,
    outside_of,
    query_for,
    return_address,
)

TERMS = Terms(Decimal("5.00"), Decimal("1.50"), Decimal("0.40"))
PROLIFIC = Names("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")
WORKERS = Names("workerId", "hitId", "assignmentId")


@pytest.mark.parametrize(
    ("done", "more", "amount"),
    [
        (3, {}, "5.00"),
        (4, {}, "5.00"),
        (1, {}, "1.67"),
        (0, {}, "0.00"),
        (3, {"has_bonus": True}, "6.50"),
        (1, {"is_screened_out": True}, "0.40"),
        (3, {"is_screened_out": True}, "5.00"),
        (3, {"is_rejected": True, "has_bonus": True}, "0.00"),
    ],
)
def test_what_is_owed(done, more, amount):
    assert str(amount_of(TERMS, n_done=done, n_needed=3, **more)) == amount


def test_pay_per_hour_expected_and_reached():
    assert per_hour(Decimal(5), 20) == Decimal("15.00")
    middle = median_time([timedelta(minutes=12), timedelta(minutes=40), timedelta(minutes=30)])
    assert middle == timedelta(minutes=30)
    assert reached_per_hour(Decimal(5), middle) == Decimal("10.00")
    assert reached_per_hour(Decimal(5), median_time([])) is None
    assert share_of(1, 4) == Decimal("0.25")


def test_a_link_names_its_person_or_is_broken():
    assert outside_of({"PROLIFIC_PID": "a1", "SESSION_ID": "s"}, PROLIFIC, Platform.PROLIFIC) == Outside("a1", "", "s")
    for query in (
        {},
        {"PROLIFIC_PID": ""},
        {"PROLIFIC_PID": "a b"},
        {"PROLIFIC_PID": "x" * 121},
        {"PROLIFIC_PID": "用户"},
    ):
        with pytest.raises(BrokenLink):
            outside_of(query, PROLIFIC, Platform.PROLIFIC)
    with pytest.raises(PreviewOnly):
        outside_of({"assignmentId": PREVIEW}, WORKERS, Platform.MTURK)


def test_mechanical_turk_takes_its_form_at_its_own_addresses_only():
    query = {"workerId": "W", "assignmentId": "A", "turkSubmitTo": "https://www.mturk.com"}
    assert outside_of(query, WORKERS, Platform.MTURK).submit_to == "https://www.mturk.com"
    for other in ("https://www.mturk.com.evil.example", "http://www.mturk.com", "javascript:1"):
        assert outside_of({**query, "turkSubmitTo": other}, WORKERS, Platform.MTURK).submit_to == ""


def test_a_return_address_leads_to_the_stored_host_whatever_is_filled_in():
    template = "https://app.example.org/done?cc={code}&p={participant}&o={outcome}"
    told = {"outside": Outside("a/../@evil.example?"), "outcome": Outcome.COMPLETED, "code": "C 1"}
    there = return_address(template, "app.example.org", **told)
    assert there == "https://app.example.org/done?cc=C%201&p=a%2F..%2F%40evil.example%3F&o=completed"
    assert return_address(template, "other.example.org", **told) == ""
    assert return_address(template, "app.example.org", **told | {"code": ""}) == ""


def test_the_link_has_the_placeholders_of_its_platform():
    assert query_for(PROLIFIC, Platform.PROLIFIC).startswith("PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID=")
    assert query_for(Names("u"), Platform.GENERIC) == "u=…"


def test_who_comes_gets_the_cells_that_others_have_least_and_meets_each_system_once():
    taken = {(1, 10): 5, (2, 10): 1, (3, 10): 1}
    drawn = cells_for([1, 2, 3], [10, 20], taken, 3, random.Random(1))
    assert {entry for entry, _ in drawn} == {1, 2, 3}
    assert {scenario for _, scenario in drawn} == {20}
    assert len(cells_for([1], [10], {}, 3, random.Random(1))) == 3
    assert cells_for([], [10], {}, 3, random.Random(1)) == []


def test_many_who_come_one_after_the_other_fill_all_cells_evenly():
    taken: dict = {}
    for number in range(60):
        for cell in cells_for([1, 2, 3, 4], [10, 20, 30], taken, 4, random.Random(number)):
            taken[cell] = taken.get(cell, 0) + 1
    assert set(taken.values()) == {20}


def test_attention_items_count_what_is_wrong_or_missing():
    stored = {
        "question": {"zh": "q", "en": "q"},
        "right": {"zh": "r", "en": "r"},
        "wrong": [{"zh": "a", "en": "a"}, {"zh": "b", "en": "b"}],
    }
    item = item_of(stored)
    assert item.answers[item.right] == stored["right"]
    assert sorted(answer["en"] for answer in item.answers) == ["a", "b", "r"]
    assert n_wrong([stored, stored], [item.right, (item.right + 1) % 3]) == 1
    assert n_wrong([stored, stored], [item.right]) == 1
    assert n_wrong([stored], [None]) == 1
