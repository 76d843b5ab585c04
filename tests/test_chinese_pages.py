"""A Chinese page of a failed check or of failures says what happened in Chinese."""

import pytest
from django.utils import timezone, translation

from conformance.actions import ask_check, claim_check, end_check
from conformance.probes.outcomes import NO_ANSWER
from conformance.results import Result, Verdict
from conformance.system_kinds import BOTS
from dialogues.actions import record_failure
from participants import failure_sentences as sentences
from participants.failures import BotFailure, FailureKind
from reading.findings import Finding, sentence
from tests.dialogues.test_actions import Talk
from tests.english_words import english_in
from tests.world import client_of

pytestmark = pytest.mark.django_db
LATE = sentence(sentences.NO_ANSWER_IN_TIME, seconds="30")


def chinese(person):
    type(person).objects.update(language="zh-hans")
    return client_of(person)


@pytest.fixture
def check(campaign):
    entry = campaign.entries.get()
    ask_check(BOTS, system=entry, by=None, at=timezone.now())
    check = claim_check(BOTS, worker="w", at=timezone.now())
    values = {"failure": "timeout_first_byte", "detail": LATE}
    found = [
        Result("status", Verdict.FAIL, Finding("", "%(detail)s", {"detail": LATE}), "curl x", 3),
        Result("long_dialogue", Verdict.FAIL, Finding("", NO_ANSWER, values), "curl x", 3),
        Result(
            "schema",
            Verdict.FAIL,
            Finding(
                "", "%(detail)s", {"detail": Finding("text", "must be a text, not %(kind)s", {"kind": "a number"})}
            ),
            "",
            1,
        ),
    ]
    end_check(BOTS, check=check, worker="w", results=found, at=timezone.now())
    return check


@pytest.fixture
def failed(dialogue, admission):
    talk = Talk(dialogue, admission)
    for detail in (
        LATE,
        Finding("body", "has neither text nor texts"),
        Finding("text", "must be a text, not %(kind)s", {"kind": "a number"}),
    ):
        asked = talk.retry(1) if talk.heard else talk.send("k1", "几点？")
        failure = BotFailure(FailureKind.TIMEOUT_FIRST_BYTE, detail)
        talk.noted(record_failure(asked=getattr(asked, "asked", asked), failure=failure, at=timezone.now()))
    return dialogue


def test_a_failed_check_is_said_in_chinese(check, participant):
    page = chinese(participant).get(f"/campaigns/small/checks/{check.pk}/").content.decode()
    assert english_in(page) == []
    with translation.override("zh-hans"):
        assert "秒" in page


def test_a_teams_own_failures_are_said_in_chinese(failed, campaign, participant):
    address = f"/campaigns/small/team/bots/{campaign.entries.get().pk}/"
    said = english_in(chinese(participant).get(address).content.decode())
    # The names of a mapping's placeholders stand in the form of the address.
    assert [one for one in said if "占位符" not in one] == []


@pytest.mark.parametrize("place", ["failures/", "dialogues/{}/"])
def test_the_organizers_failures_are_said_in_chinese(failed, organizer, place):
    page = chinese(organizer).get(f"/campaigns/small/{place.format(failed.pk)}").content.decode()
    assert english_in(page) == []


def test_the_look_at_a_page_sees_an_english_sentence_and_leaves_out_what_was_received():
    assert english_in("<main><p>No answer began.</p><pre>No answer began.</pre></main>") == ["No answer began."]
    assert english_in('<main><p lang="en">No answer began.</p><br><p>系统 Huace 中 HTTP 502</p></main>') == []
