"""The second way for a dialogue to be done: everything that the tester was given is used."""

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone
from django.utils.translation import override

from campaigns.models import Role
from dialogues.actions import end_dialogue, open_dialogue
from dialogues.actions.closing import tick_items
from dialogues.models import Dialogue
from dialogues.turn_taking import EndReason, Refusal
from reading.checking import BadForm
from reviews.actions import NotReviewable
from testing_console.goal_card import Item, items_of
from tests.dialogues.test_actions import Talk, refused
from tests.reviews.conftest import submit

pytestmark = pytest.mark.django_db

ITEMS = ["李白是诗人", "他生于701年", "他写了《静夜思》"]


@pytest.fixture
def talk(dialogue, admission):
    dialogue.assignment.scenario.items = ITEMS
    dialogue.assignment.scenario.save()
    return Talk(dialogue, admission)


@pytest.fixture
def client(tester):
    client = Client()
    client.force_login(tester)
    return client


def patched(client, talk, body):
    return client.patch(f"/api/v1/dialogues/{talk.id}/items/", body, content_type="application/json")


def test_ticks_are_stored_as_a_whole_and_shown_again(talk, client):
    assert patched(client, talk, {"ticked": [2, 0, 2]}).json() == {"items": ITEMS, "ticked": [0, 2], "all_used": False}
    assert patched(client, talk, {"ticked": [1]}).json()["ticked"] == [1]
    assert client.get(f"/api/v1/dialogues/{talk.id}/items/").json()["ticked"] == [1]
    page = client.get(f"/dialogues/{talk.id}/")
    assert page.context["items"] == [Item(ITEMS[0], False), Item(ITEMS[1], True), Item(ITEMS[2], False)]


@pytest.mark.parametrize("ticked", [[3], [-1], ["0"], [True], "0", None, {"0": True}])
def test_what_is_no_item_is_refused_in_words(talk, client, ticked):
    answer = patched(client, talk, {"ticked": ticked})
    assert answer.status_code == 400
    (place,) = answer.json()["fields"]
    assert place in {"ticked", "ticked[0]"}
    assert talk.now().ticked == []


def test_in_a_dialogue_that_is_over_nothing_is_ticked(talk, client):
    talk.end()
    answer = patched(client, talk, {"ticked": [0]})
    assert (answer.status_code, answer.json()["code"]) == (409, "closed")


def test_only_its_tester_may_tick_and_only_while_they_are_one(talk, client, outsider, campaign, tester):
    campaign.roles.create(person=outsider, role=Role.TESTER)
    other = Client()
    other.force_login(outsider)
    assert patched(other, talk, {"ticked": [0]}).status_code == 404
    campaign.roles.filter(person=tester).delete()
    assert patched(client, talk, {"ticked": [0]}).status_code == 404


@pytest.mark.parametrize(
    ("ticked", "reason", "stored"),
    [
        ([0, 1, 2], EndReason.DONE, "all_used"),
        ([0, 1], EndReason.DONE, "done"),
        ([0, 1, 2], EndReason.GAVE_UP, "gave_up"),
    ],
)
def test_a_dialogue_that_is_done_with_everything_used_says_so(talk, ticked, reason, stored):
    talk.turns(1)
    tick_items(dialogue=talk.now(), ticked=ticked, at=timezone.now())
    talk.end(reason)
    assert (talk.now().reason, talk.events()[-1]["reason"]) == (stored, stored)


@pytest.fixture
def until_all_is_used(campaign):
    campaign.tester_may_end = "all_used"
    campaign.save()


def done_is_refused(talk):
    assert [refused(talk.end), refused(talk.close, 2)] == ["not_all_used"] * 2
    assert talk.now().is_open


def test_a_dialogue_that_goes_on_until_all_is_used_is_not_done_before(until_all_is_used, talk):
    talk.turns(1)
    talk.close(1)
    done_is_refused(talk)
    tick_items(dialogue=talk.now(), ticked=[0, 2], at=timezone.now())
    done_is_refused(talk)
    tick_items(dialogue=talk.now(), ticked=[0, 1, 2], at=timezone.now())
    talk.close(2)
    assert (talk.now().status, talk.now().reason) == ("completed", "all_used")


def test_ticks_before_the_first_turn_end_nothing(until_all_is_used, talk, client):
    """Nothing that was given can have been used where nothing was said."""
    assert patched(client, talk, {"ticked": [0, 1, 2]}).json()["all_used"] is False
    talk.close(1)
    done_is_refused(talk)
    talk.end(EndReason.GAVE_UP)
    assert (talk.now().status, talk.now().reason) == ("abandoned", "ended_early")


def test_its_turns_that_are_used_up_end_it_too(until_all_is_used, talk):
    Dialogue.objects.update(turn_cap=2, subtask_cap=None)
    talk.turns(1)
    with override("en"), pytest.raises(Refusal, match="Not everything that you were given is used"):
        talk.end()
    transaction.set_rollback(False)
    talk.turns(1)
    assert (talk.now().status, talk.now().reason) == ("unfinished", "cap_reached")


def test_where_the_last_turn_failed_at_the_cap_the_tester_may_end_it(until_all_is_used, talk):
    Dialogue.objects.update(turn_cap=1, subtask_cap=None)
    talk.fail(talk.send().asked)
    talk.end()
    assert (talk.now().is_open, talk.now().reason) == (False, "done")


def test_where_nothing_was_given_only_the_turns_end_it(until_all_is_used, dialogue, admission):
    talk = Talk(dialogue, admission)
    with override("en"), pytest.raises(Refusal, match="goes on until its turns are used up"):
        talk.end()


@pytest.mark.parametrize("gives_up", [lambda talk: talk.end(EndReason.GAVE_UP), lambda talk: talk.close(2, False)])
def test_given_up_before_that_it_counts_nowhere_and_is_done_again(until_all_is_used, talk, gives_up, tester):
    talk.turns(1)
    talk.close(1)
    gives_up(talk)
    assert (talk.now().status, talk.now().reason) == ("abandoned", "ended_early")
    assert talk.events()[-1].items() >= {"status": "abandoned", "reason": "ended_early"}.items()
    with override("en"), pytest.raises(NotReviewable, match="given up before everything was used"):
        submit(talk.now(), tester)
    transaction.set_rollback(False)
    open_dialogue(assignment=talk.now().assignment, at=timezone.now())
    assert Dialogue.objects.filter(status="open").count() == 1, "its assignment is open again"


def test_given_up_once_all_is_used_it_counts(until_all_is_used, talk):
    talk.turns(1)
    tick_items(dialogue=talk.now(), ticked=[0, 1, 2], at=timezone.now())
    talk.end(EndReason.GAVE_UP)
    assert (talk.now().status, talk.now().reason) == ("unfinished", "gave_up")


def test_the_page_and_the_goal_card_say_so(until_all_is_used, talk, client, campaign):
    page = client.get(f"/dialogues/{talk.id}/", headers={"accept-language": "en"}).content.decode()
    assert "goes on until all of it is used or the turns are used up" in page
    assert '"endsWhenUsed": true' in page
    assert client.get(f"/api/v1/dialogues/{talk.id}/card/").json()["tester_may_end"] == "all_used"
    campaign.scenarios.update(items=[])
    page = client.get(f"/dialogues/{talk.id}/", headers={"accept-language": "en"}).content.decode()
    assert "goes on until its turns are used up" in page


def test_without_items_nothing_can_be_used_up(dialogue, admission):
    end_dialogue(dialogue_id=dialogue.pk, admission=admission, reason=EndReason.DONE, at=timezone.now())
    dialogue.refresh_from_db()
    assert dialogue.reason == "done"


def test_the_action_refuses_by_itself(talk):
    with pytest.raises(BadForm):
        tick_items(dialogue=talk.now(), ticked=[3], at=timezone.now())
    talk.end()
    with pytest.raises(Refusal):
        tick_items(dialogue=talk.now(), ticked=[0], at=timezone.now())


def test_ticks_of_items_that_are_gone_are_passed_over():
    assert items_of(["a"], [0, 5]) == [Item("a", True)]
