"""Each stage in words: since when, why, what is next and who acts."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest
from django.utils.html import strip_tags
from django.utils.translation import override

from campaigns.calendar import Dates
from campaigns.stages import way_of

NOW = datetime(2026, 5, 12, 12, tzinfo=UTC)
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
    ("system", "key", "who", "next_"),
    [
        (System(draft_since=h(-3)), "draft", "the team", "Check it until the report is green, then submit it."),
        (System(draft_since=h(-3), green_at=h(-2)), "checked", "the team", "Submit it: an organizer admits it then."),
        (System(draft_since=h(-3), submitted_at=h(-1)), "draft", "the organizers", "An organizer admits it or sends it back."),
        (System(admitted_at=h(-3)), "admitted", "the platform", "Its address may change until the freeze."),
        (System(frozen_at=h(-3)), "frozen", "the team", "Address, protocol and options stay as they are; the secret may change."),
        (System(withdrawn_at=h(-3)), "withdrawn", "the organizers", "It no longer takes part. Only an organizer can take it back."),
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
    assert way.who == "the organizers"


def test_a_withdrawn_bot_still_says_what_it_had_been():
    frozen = System(registered_at=h(-9), admitted_at=h(-5), frozen_at=h(-3), withdrawn_at=h(-1))
    draft = System(registered_at=h(-9), draft_since=h(-9), withdrawn_at=h(-1))
    steps = {step.key: (step.is_reached, strip_tags(step.note)) for step in way_of(frozen, DATES, NOW).steps}
    assert steps["admitted"] == (True, "2026-05-12 07:00 (UTC+00:00)")
    assert steps["frozen"] == (True, "2026-05-12 09:00 (UTC+00:00)")
    assert steps["checked"] == (False, "")
    steps = {step.key: (step.is_reached, strip_tags(step.note)) for step in way_of(draft, DATES, NOW).steps}
    assert (steps["admitted"], steps["frozen"]) == ((False, ""), (False, ""))


@pytest.mark.parametrize(
    ("system", "actor"),
    [(System(draft_since=h(-3)), "team"), (System(frozen_at=h(-3), withdrawn_at=h(-1)), "organizers")],
)
def test_programs_read_who_acts_as_one_word(system, actor):
    assert way_of(system, DATES, NOW).actor == actor
