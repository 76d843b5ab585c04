"""Draft, checked, admitted, frozen, withdrawn: which stage holds, which act is possible at it, and what it is called; of bots and services alike."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest
from django.utils.html import strip_tags
from django.utils.translation import override

from campaigns.calendar import Dates
from campaigns.reasons import ReasonNeeded
from campaigns.stages import (
    NotThatStage,
    admitted,
    drafted,
    frozen,
    frozen_since,
    has_fresh_report,
    sent_back,
    stage_of,
    submitted,
    way_of,
)
from participants.limits import REASON_LIMIT

NOW = datetime(2026, 5, 12, 12, tzinfo=UTC)
EARLIER = NOW - timedelta(hours=3)
NO_DATES = Dates()
DATES = Dates(time_zone="UTC", frozen_at=NOW + timedelta(hours=1))


def h(hours):
    return NOW + timedelta(hours=hours)


@dataclass
class System:
    registered_at: datetime | None = None
    draft_since: datetime | None = None
    submitted_at: datetime | None = None
    returned_because: str = ""
    green_at: datetime | None = None
    admitted_at: datetime | None = None
    frozen_at: datetime | None = None
    withdrawn_at: datetime | None = None
    withdrawn_because: str = ""


@pytest.fixture(autouse=True)
def in_english():
    with override("en"):
        yield


@pytest.mark.parametrize(
    ("bot", "frozen_at", "stage", "since"),
    [
        (System(), None, "admitted", None),
        (System(registered_at=h(-9)), None, "admitted", h(-9)),
        (System(registered_at=h(-9), admitted_at=h(-3)), None, "admitted", h(-3)),
        (System(draft_since=h(-5)), None, "draft", h(-5)),
        (System(draft_since=h(-5), green_at=h(-2)), None, "checked", h(-2)),
        (System(green_at=h(-2), admitted_at=h(-1)), None, "admitted", h(-1)),
        (System(admitted_at=h(-3)), h(-1), "frozen", h(-1)),
        (System(admitted_at=h(-3)), h(1), "admitted", h(-3)),
        (System(admitted_at=h(-3), frozen_at=h(-2)), h(1), "frozen", h(-2)),
        (System(draft_since=h(-5)), h(-1), "draft", h(-5)),
        (System(admitted_at=h(-3), withdrawn_at=h(-1)), h(-2), "withdrawn", h(-1)),
    ],
)
def test_the_furthest_stage_holds(bot, frozen_at, stage, since):
    reached = stage_of(bot, Dates(frozen_at=frozen_at), NOW)
    assert (reached.stage, reached.since) == (stage, since)


def test_the_second_of_the_freeze_is_still_open():
    assert frozen_since(System(), Dates(frozen_at=NOW), NOW) is None
    assert frozen_since(System(), Dates(frozen_at=NOW), NOW + timedelta(seconds=1)) == NOW


@pytest.mark.parametrize(
    ("green_at", "hours", "is_fresh"),
    [(None, 0, True), (None, 24, False), (h(-24), 24, True), (h(-25), 24, False), (h(-1), 24, True)],
)
def test_a_report_is_fresh_for_as_many_hours_as_are_demanded(green_at, hours, is_fresh):
    assert has_fresh_report(System(green_at=green_at), hours, NOW) is is_fresh


DRAFT = System(draft_since=EARLIER)
SUBMITTED = System(draft_since=EARLIER, submitted_at=EARLIER)
ADMITTED = System(admitted_at=EARLIER)
FROZEN = System(admitted_at=EARLIER, frozen_at=EARLIER)
WITHDRAWN = System(draft_since=EARLIER, withdrawn_at=EARLIER)


def code_of(act, *given):
    with pytest.raises(NotThatStage) as refused:
        act(*given)
    return refused.value.code


def test_a_draft_is_submitted_once():
    assert submitted(DRAFT, NOW) == {"submitted_at": NOW}
    assert [code_of(submitted, one, NOW) for one in (SUBMITTED, ADMITTED, WITHDRAWN)] == [
        "submitted", "not_a_draft", "withdrawn",
    ]  # fmt: skip


def test_a_draft_is_admitted_with_the_report_that_is_demanded():
    assert admitted(SUBMITTED, 0, "who", NOW) == {
        "draft_since": None, "submitted_at": None, "returned_because": "", "admitted_at": NOW, "admitted_by": "who",
    }  # fmt: skip
    assert code_of(admitted, SUBMITTED, 24, "who", NOW) == "not_green"
    green = System(draft_since=EARLIER, green_at=EARLIER)
    assert admitted(green, 24, "who", NOW)["admitted_at"] == NOW
    assert code_of(admitted, green, 2, "who", NOW) == "not_green"
    assert [code_of(admitted, one, 0, "who", NOW) for one in (ADMITTED, WITHDRAWN)] == ["not_a_draft", "withdrawn"]


def test_what_is_sent_back_is_a_draft_with_a_reason_also_after_the_freeze():
    assert sent_back(FROZEN, " It answers in English. ", NOW) == {
        **drafted(NOW), "returned_because": "It answers in English.",
    }  # fmt: skip
    assert drafted(NOW) == {
        "draft_since": NOW, "submitted_at": None, "admitted_at": None, "admitted_by": None, "frozen_at": None,
    }  # fmt: skip
    for said in ("  ", "x" * (REASON_LIMIT + 1)):
        with pytest.raises(ReasonNeeded):
            sent_back(ADMITTED, said, NOW)
    assert code_of(sent_back, WITHDRAWN, "x", NOW) == "withdrawn"


def test_only_what_is_admitted_is_frozen():
    assert frozen(ADMITTED, NO_DATES, NOW) == {"frozen_at": NOW}
    assert [code_of(frozen, one, NO_DATES, NOW) for one in (DRAFT, FROZEN, WITHDRAWN)] == [
        "a_draft",
        "frozen",
        "withdrawn",
    ]
    assert code_of(frozen, ADMITTED, Dates(frozen_at=EARLIER), NOW) == "frozen"


@pytest.mark.parametrize(
    ("system", "key", "who", "next_"),
    [
        (System(draft_since=h(-3)), "draft", "the team", "Check it until the report is green, then submit it."),
        (System(draft_since=h(-3), green_at=h(-2)), "checked", "the team", "Submit it: an organizer admits it then."),
        (System(draft_since=h(-3), submitted_at=h(-1)), "draft", "the organizers", "An organizer admits it or sends it back."),
        (System(admitted_at=h(-3)), "admitted", "", "It takes part. Its address may change until the freeze."),
        (System(frozen_at=h(-3)), "frozen", "", "It takes part. Address, protocol and options stay as they are; the secret may change."),
        (System(withdrawn_at=h(-3)), "withdrawn", "", "It no longer takes part. Only an organizer can take it back."),
    ],
)  # fmt: skip
def test_each_stage_says_what_is_next_and_who_acts(system, key, who, next_):
    way = way_of(system, DATES, NOW)
    assert (way.key, way.who, way.next) == (key, who, next_)


def test_the_reason_is_that_of_the_stage():
    sent_back = System(draft_since=h(-3), returned_because="It answers in English.")
    gone = System(withdrawn_at=h(-3), withdrawn_because="It is no more.", returned_because="It answers in English.")
    assert way_of(sent_back, DATES, NOW).because == "It answers in English."
    assert way_of(gone, DATES, NOW).because == "It is no more."
    assert way_of(System(admitted_at=h(-3), returned_because="old"), DATES, NOW).because == ""


def test_the_steps_say_since_when_or_what_leads_there():
    steps = way_of(System(registered_at=h(-5), draft_since=h(-5), green_at=h(-2)), DATES, NOW).steps
    assert [(step.word, step.is_reached, step.is_now) for step in steps] == [
        ("draft", True, False), ("checked", True, True), ("admitted", False, False), ("frozen", False, False),
    ]  # fmt: skip
    assert [strip_tags(step.note) for step in steps] == [
        "2026-05-12 07:00 (UTC+00:00)",
        "2026-05-12 10:00 (UTC+00:00)",
        "by an organizer",
        "2026-05-12 13:00 (UTC+00:00)",
    ]


def test_without_a_freeze_date_an_organizer_freezes():
    way = way_of(System(admitted_at=h(-3)), Dates(), NOW)
    assert way.steps[-1].note == "by an organizer"
    assert (way.who, way.next) == ("", "It takes part. Its address may change until an organizer freezes it.")


def test_stages_of_a_bot_that_a_file_entered_say_so():
    steps = way_of(System(), DATES, NOW).steps
    assert [step.note for step in steps[:3]] == [
        "with the campaign's file",
        "by a green conformance report",
        "with the campaign's file",
    ]


def test_a_withdrawn_bot_still_says_what_it_had_been():
    was_frozen = System(registered_at=h(-9), admitted_at=h(-5), frozen_at=h(-3), withdrawn_at=h(-1))
    draft = System(registered_at=h(-9), draft_since=h(-9), withdrawn_at=h(-1))
    steps = {step.key: (step.is_reached, strip_tags(step.note)) for step in way_of(was_frozen, DATES, NOW).steps}
    assert steps["admitted"] == (True, "2026-05-12 07:00 (UTC+00:00)")
    assert steps["frozen"] == (True, "2026-05-12 09:00 (UTC+00:00)")
    assert steps["checked"] == (False, "")
    steps = {step.key: (step.is_reached, strip_tags(step.note)) for step in way_of(draft, DATES, NOW).steps}
    assert (steps["admitted"], steps["frozen"]) == ((False, ""), (False, ""))


@pytest.mark.parametrize(
    ("system", "actor"),
    [(System(draft_since=h(-3)), "team"), (System(frozen_at=h(-3), withdrawn_at=h(-1)), "nobody")],
)
def test_programs_read_who_acts_as_one_word(system, actor):
    assert way_of(system, DATES, NOW).actor == actor
