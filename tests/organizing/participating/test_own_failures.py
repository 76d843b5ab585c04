"""A team's own failures come with their evidence, and with nothing of what the tester said."""

import pytest

from organizing.participating.own_failures import EVIDENCE_BYTES, failures_of
from participants.failures import FailureKind
from tests.testing_console.test_actions import Talk

pytestmark = pytest.mark.django_db
SAID = "帮我订一张从北京到上海的飞机票"


@pytest.fixture
def talk(dialogue, admission):
    return Talk(dialogue, admission)


def test_a_failure_has_kind_fault_status_and_the_bots_own_answer(campaign, talk):
    talk.fail(talk.send(text=SAID).asked, FailureKind.HTTP_5XX, status=500, evidence="Traceback …")
    (failure,) = failures_of(campaign.entries.get())
    assert (failure.kind, failure.fault, failure.status, failure.detail) == ("http_5xx", "bot", 500, "broken")
    assert (failure.answer, failure.n_bytes) == ("Traceback …", len("Traceback …".encode()))
    assert (failure.turn, failure.n_characters_sent) == (1, len(SAID))
    assert SAID not in str(failure)


def test_an_answer_is_cut_to_two_kilobytes_between_characters(campaign, talk):
    talk.fail(talk.send().asked, evidence="汉" * 1000)
    (failure,) = failures_of(campaign.entries.get())
    assert failure.answer == "汉" * (EVIDENCE_BYTES // 3)
    assert failure.n_bytes == 3000


def test_the_latest_comes_first_and_there_are_not_more_than_asked_for(campaign, talk):
    talk.fail(talk.send(key="1").asked, FailureKind.DNS)
    talk.fail(talk.retry(1), FailureKind.TLS)
    assert [failure.kind for failure in failures_of(campaign.entries.get())] == ["tls", "dns"]
    assert [failure.kind for failure in failures_of(campaign.entries.get(), limit=1)] == ["tls"]


def test_the_failures_of_another_bot_are_not_among_them(campaign, talk, other_entry):
    talk.fail(talk.send().asked)
    assert failures_of(other_entry) == []
