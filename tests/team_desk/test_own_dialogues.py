"""What a team reads of dialogues with its bots: failures with their evidence, and no word of a tester before the release."""

from copy import copy

import pytest
from django.template.loader import render_to_string
from django.utils import timezone, translation

from api.answers import encoded
from dialogues.actions import record_failure
from dialogues.models import Attempt
from dialogues.turn_taking import EndReason
from participants.failures import BotFailure, FailureKind, Try, Wire
from reading.findings import sentence
from team_desk.answers import OwnFailureDocument
from team_desk.own_dialogues import EVIDENCE_BYTES, failures_of, sized_state
from tests.dialogues.test_actions import Talk
from tests.team_desk.conftest import SAID

pytestmark = pytest.mark.django_db
STATE = {"belief_state": {"云栖": 1}, "history": [["user", SAID]], "n": 1}


@pytest.fixture
def talk(dialogue, admission):
    return Talk(dialogue, admission)


@pytest.fixture
def entry(campaign):
    return campaign.entries.get()


def only_failure(campaign):
    (failure,) = failures_of(campaign.entries.get())
    return failure


def release(campaign, talk):
    campaign.releases_transcripts = True
    campaign.save()
    talk.end(EndReason.GAVE_UP)


def test_a_failure_has_kind_fault_status_and_the_bots_own_answer(campaign, talk):
    talk.fail(talk.send(text=SAID).asked, FailureKind.HTTP_5XX, status=500, evidence="Traceback …")
    failure = only_failure(campaign)
    assert (failure.kind, failure.fault, failure.status) == ("http_5xx", "bot", 500)
    assert (str(failure.what_happened), failure.answer) == ("broken", "Traceback …")
    assert (failure.n_bytes, failure.turn, failure.n_characters_sent) == (len("Traceback …".encode()), 1, len(SAID))
    assert SAID not in str(failure)


def test_the_request_has_sizes_instead_of_words_and_no_secret_until_the_release(campaign, entry, talk):
    entry.secret = "s3cret"
    entry.save()
    campaign.scenarios.update(context={"hidden": "云栖酒店"})
    talk.answer(talk.send(key="1", text=SAID).asked, text="好的，几点出发？")
    talk.fail(talk.send(key="2", text="明天上午十点").asked)
    curl = only_failure(campaign).curl
    for hidden in (SAID, "好的", "十点", "云栖", "s3cret"):
        assert hidden not in curl, hidden
    for shown in ("curl -sS -X POST http://127.0.0.1:9/", "Bearer ***", f"({len(SAID)} characters)", "(6 characters)"):
        assert shown in curl, shown
    campaign.releases_transcripts = True
    campaign.save()
    assert SAID not in only_failure(campaign).curl  # still open
    release(campaign, talk)
    curl = only_failure(campaign).curl
    assert SAID in curl
    assert "十点" in curl


def test_a_state_has_its_shape_and_sizes_until_the_release(campaign, talk):
    campaign.entries.update(protocol="convlab")
    talk.answer(talk.send(key="1", text=SAID).asked, state=STATE)
    talk.answer(talk.send(key="2").asked, state={"belief_state": {"云栖": 2}, "history": [], "n": 2})
    talk.fail(talk.send(key="3").asked)
    assert '"agent_state":{"belief_state":{"(2 characters)":2},"history":[],"n":2}' in only_failure(campaign).curl
    release(campaign, talk)
    assert '"agent_state":{"belief_state":{"云栖":2},"history":[],"n":2}' in only_failure(campaign).curl


def test_sizes_stand_for_every_text_of_a_state():
    assert sized_state(STATE) == {
        "belief_state": {"(2 characters)": 1}, "history": [["(4 characters)", f"({len(SAID)} characters)"]], "n": 1,
    }  # fmt: skip
    assert sized_state("会话") == "(2 characters)"
    assert sized_state(None) is None


def test_a_goal_that_the_bot_was_sent_is_shown_with_the_dialogue_alone(campaign, talk):
    campaign.sends_goal = True
    campaign.save()
    campaign.scenarios.update(facts={"said": SAID}, context={})
    talk.fail(talk.send(text="你好").asked)
    curl = only_failure(campaign).curl
    assert '"context":{"context":"(not shown)"}' in curl
    assert SAID not in curl
    release(campaign, talk)
    assert f'"goal":{{"said":"{SAID}"}}' in only_failure(campaign).curl


def test_a_secret_that_the_bot_repeated_is_hidden(campaign, entry, talk):
    entry.secret = "hush-hush"
    entry.save()
    talk.answer(talk.send(key="1").asked, state={"told": "hush-hush"})
    failure = BotFailure(FailureKind.BAD_SHAPE, sentence("not %(value)s", value="hush-hush"), evidence="told hush-hush")
    talk.noted(record_failure(asked=talk.send(key="2").asked, failure=failure, at=timezone.now()))
    failure = only_failure(campaign)
    assert (str(failure.what_happened), failure.answer) == ("not ***", "told ***")
    assert "hush" not in failure.curl


def test_a_secret_with_a_quotation_mark_is_hidden_in_the_line_for_a_shell(campaign, talk):
    """Shells write a mark within marks apart, so that the line does not hold the secret as it is."""
    campaign.entries.update(protocol="convlab")
    entry = campaign.entries.get()
    entry.secret = "it's hush-hush"
    entry.save()
    talk.answer(talk.send(key="1").asked, state={"belief_state": {"it's hush-hush": 1}, "history": []})
    talk.fail(talk.send(key="2").asked)
    release(campaign, talk)
    curl = only_failure(campaign).curl
    assert '{"***":1}' in curl
    assert "hush" not in curl


def test_a_failure_has_what_the_request_was_on_the_wire(campaign, talk):
    failed = BotFailure(FailureKind.BAD_JSON, sentence("broken"), status=200)
    wire = Wire("0f" * 8, 812, 245, None, 30, 31, 1200)
    failed.tries = (Try(1, failed.kind, 200, sentence("broken"), "", True, 31, timezone.now(), wire),)
    record_failure(asked=talk.send(text=SAID).asked, failure=failed, at=timezone.now())
    failure = only_failure(campaign)
    assert failure.wire == wire
    answer = encoded(OwnFailureDocument, failure)
    assert (answer["wire"]["waited_ms"], answer["detail"]) == (1200, failure.what_happened.message)
    with translation.override("en"):
        shown = render_to_string("team_desk/_failure.html", {"failure": failure})
    assert "X-Request-Id: " + "0f" * 8 in shown
    assert "sent 812 bytes, received 245" in shown
    assert "connected after" not in shown
    assert "waited 1200 ms" in shown


def test_failures_are_read_in_three_queries_however_many(campaign, talk, django_assert_num_queries):
    talk.answer(talk.send(key="0").asked)
    for number in range(4):
        talk.fail(talk.send(key=f"k{number}").asked)
        talk.answer(talk.retry(number + 2))
    entry = campaign.entries.select_related("campaign").get()
    with django_assert_num_queries(3):
        assert len(failures_of(entry)) == 4


def test_an_answer_is_cut_to_two_kilobytes_between_characters(campaign, talk):
    talk.fail(talk.send().asked, evidence="汉" * 1000)
    failure = only_failure(campaign)
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


def test_a_program_turns_the_pages_of_all_failures(campaign, talk, browser):
    talk.fail(talk.send(key="1").asked)
    failed = Attempt.objects.get()
    copies = [copy(failed) for _ in range(100)]
    for number, one in enumerate(copies, start=2):
        one.pk, one.number, one.is_current = None, number, False
    Attempt.objects.bulk_create(copies)
    address = f"/api/v1/campaigns/small/team/bots/{campaign.entries.get().pk}/failures/"
    first, last = browser.get(address), browser.get(address, {"per_page": 100, "page": 2})
    assert (first["X-Total-Count"], len(first.json()), len(last.json())) == ("101", 100, 1)
    assert browser.get(address, {"per_page": 101}).status_code == 400
