"""A team's own failures come with their evidence, and with nothing of what the tester said."""

import pytest

from organizing.participating.own_failures import EVIDENCE_BYTES, failures_of
from participants.failures import FailureKind
from testing_console.turn_taking import EndReason
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


def test_the_request_has_sizes_instead_of_words_and_no_secret(campaign, talk):
    entry = campaign.entries.get()
    entry.secret = "s3cret"
    entry.save()
    campaign.scenarios.update(context={"hidden": "云栖酒店"})
    talk.answer(talk.send(key="1", text=SAID).asked, text="好的，几点出发？")
    talk.fail(talk.send(key="2", text="明天上午十点").asked)
    (failure,) = failures_of(campaign.entries.get())
    for hidden in (SAID, "好的", "十点", "云栖", "s3cret"):
        assert hidden not in failure.curl, hidden
    for shown in ("curl -sS -X POST http://127.0.0.1:9/", "Bearer ***", f"({len(SAID)} characters)", "(6 characters)"):
        assert shown in failure.curl, shown


def test_the_request_has_its_words_once_the_dialogue_is_released(campaign, talk):
    talk.answer(talk.send(key="1", text=SAID).asked, text="好的")
    talk.fail(talk.send(key="2", text="十点").asked)
    campaign.releases_transcripts = True
    campaign.save()
    assert SAID not in failures_of(campaign.entries.get())[0].curl  # still open
    talk.end(EndReason.GAVE_UP)
    curl = failures_of(campaign.entries.get())[0].curl
    assert SAID in curl
    assert "十点" in curl


def test_failures_are_read_in_two_queries_however_many(campaign, talk, django_assert_num_queries):
    talk.answer(talk.send(key="0").asked)
    for number in range(4):
        talk.fail(talk.send(key=f"k{number}").asked)
        talk.answer(talk.retry(number + 2))
    entry = campaign.entries.select_related("campaign").get()
    with django_assert_num_queries(2):
        assert len(failures_of(entry)) == 4


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
