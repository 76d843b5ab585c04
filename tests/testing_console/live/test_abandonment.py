"""A dialogue that nobody goes on with closes by itself; one in which something happens does not."""

from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from dialogues.actions import abandon_dialogue, open_dialogue
from dialogues.models import Dialogue, LedgerEvent, Turn
from dialogues.progress import TO_DO, assignment_rows
from dialogues.queries import silent_dialogues
from testing_console.live.floor import Floor
from testing_console.live.recovery import SteadyClock, close_what_is_silent
from tests.dialogues.test_actions import Talk

LIMIT_MIN = 120


def later(minutes):
    return timezone.now() + timedelta(minutes=minutes)


@pytest.fixture
def talk(dialogue, admission):
    return Talk(dialogue, admission)


def abandoned(talk, minutes):
    talk.noted(abandon_dialogue(dialogue_id=talk.id, at=later(minutes)))
    return talk.now().status == "abandoned"


@pytest.mark.django_db
def test_a_dialogue_is_abandoned_once_nothing_was_said_for_the_campaigns_time(talk, dialogue):
    talk.turns(1)
    assert (silent_dialogues(later(LIMIT_MIN - 1)), abandoned(talk, LIMIT_MIN - 1)) == ([], False)
    assert silent_dialogues(later(LIMIT_MIN + 1)) == [talk.id]
    assert abandoned(talk, LIMIT_MIN + 1)
    assert (talk.events()[-1]["type"], talk.events()[-1]["status"]) == ("dialogue.closed", "abandoned")
    assert (talk.now().reason, talk.heard[-1][0]) == ("silence", talk.now().last_seq)
    assert [one.status for one in dialogue.subtasks.all()] == ["given_up", "given_up"]


@pytest.mark.django_db
def test_each_campaign_waits_as_long_as_it_says(talk, campaign):
    campaign.silence_limit_min = 5
    campaign.save()
    assert silent_dialogues(later(6)) == [talk.id]
    assert abandoned(talk, 6)


@pytest.mark.django_db
def test_while_the_bot_is_asked_no_dialogue_is_silent_and_then_silence_counts_anew(talk):
    asked = talk.send().asked
    assert silent_dialogues(later(10_000)) == []
    assert not abandoned(talk, 10_000)
    Turn.objects.update(asked_at=later(-500))
    Dialogue.objects.update(opened_at=later(-500))
    talk.fail(asked)
    assert not abandoned(talk, LIMIT_MIN - 1)
    assert abandoned(talk, LIMIT_MIN + 1)


@pytest.mark.django_db
def test_what_is_done_without_words_breaks_the_silence_too(talk):
    talk.turns(1)
    talk.close(1)
    Turn.objects.update(asked_at=later(-500), settled_at=later(-500))
    Dialogue.objects.update(opened_at=later(-500))
    assert not abandoned(talk, LIMIT_MIN - 1)
    LedgerEvent.objects.update(at=later(-500))
    assert abandoned(talk, 0)


@pytest.mark.django_db
def test_a_closed_dialogue_is_never_abandoned(talk):
    talk.end()
    assert not abandoned(talk, 10_000)


@pytest.mark.django_db
def test_the_assignment_of_an_abandoned_dialogue_is_open_again(talk, dialogue, client):
    assert abandoned(talk, LIMIT_MIN + 1)
    (row,) = assignment_rows(dialogue.tester, at=timezone.now())
    assert (row.state, row.dialogue_id) == (TO_DO, None)
    client.force_login(dialogue.tester)
    assert client.get(f"/assignments/{dialogue.assignment_id}/open/").status_code == 200
    assert open_dialogue(assignment=dialogue.assignment, at=timezone.now()).pk != talk.id


@pytest.mark.django_db(transaction=True)
async def test_a_look_of_the_server_closes_it_and_its_sockets_hear_of_it(dialogue, admission):
    class Ear:
        admission = None

        def __init__(self):
            self.heard = []

        def tell(self, lines):
            self.heard += lines

    running, ear = Floor(), Ear()
    running.switchboard.join(dialogue.pk, ear)
    try:
        await close_what_is_silent(running, later(LIMIT_MIN + 1))
    finally:
        running.switchboard.leave(dialogue.pk, ear)
        await running.close()
    assert '"status":"abandoned"' in ear.heard[-1][1]
    assert (await sync_to_async(Dialogue.objects.get)()).status == "abandoned"


def test_a_clock_that_jumps_ahead_makes_nothing_silent_and_one_that_is_set_back_is_followed():
    walls, ticks = [later(0)], [100.0]
    clock = SteadyClock(lambda: walls[-1], lambda: ticks[-1])
    began = walls[0]
    walls.append(began + timedelta(hours=3))
    ticks.append(160.0)
    assert clock.now() == began + timedelta(seconds=60)
    walls.append(began - timedelta(hours=1))
    assert clock.now() == began - timedelta(hours=1)
