"""Which act is possible at which stage, and what it sets: of bots and services alike."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from campaigns.calendar import Dates
from campaigns.reasons import ReasonNeeded
from campaigns.stages import NotThatStage, admitted, drafted, frozen, sent_back, submitted
from participants.limits import REASON_LIMIT

NOW = datetime(2026, 5, 12, 12, tzinfo=UTC)
EARLIER = NOW - timedelta(hours=3)
NO_DATES = Dates()


@dataclass
class System:
    registered_at: datetime | None = EARLIER
    draft_since: datetime | None = None
    submitted_at: datetime | None = None
    returned_because: str = ""
    green_at: datetime | None = None
    admitted_at: datetime | None = None
    frozen_at: datetime | None = None
    withdrawn_at: datetime | None = None
    withdrawn_because: str = ""


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
