"""An organizer gives an open dialogue more time: until then neither silence nor the end of testing closes it."""

from datetime import timedelta

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone, translation

from accounts.models import Person
from audit.models import TrailLine
from campaigns.models import Campaign
from dialogues.actions import abandon_dialogue, close_overdue_dialogue
from dialogues.actions.deciding import NotPossible, end_for_tester, extend
from dialogues.models import Dialogue
from dialogues.progress import assignment_rows, why_next_is_closed
from dialogues.queries import overdue_dialogues, silent_dialogues
from dialogues.turn_taking import Refusal
from tests.dialogues.test_actions import Talk

pytestmark = pytest.mark.django_db
WHY = "the tester's computer froze"


@pytest.fixture(autouse=True)
def english():
    with translation.override("en"):
        yield


@pytest.fixture
def now():
    return timezone.now().replace(microsecond=0)


@pytest.fixture
def talk(dialogue, admission):
    return Talk(dialogue, admission)


@pytest.fixture
def give(dialogue, organizer, now):
    def given(minutes, at=now):
        extend(dialogue=dialogue, minutes=minutes, by=organizer, because=WHY, at=at)

    return given


def later(now, minutes):
    return now + timedelta(minutes=minutes)


def ended_at(moment):
    """The time to finish open dialogues is over half an hour after testing."""
    Campaign.objects.update(testing_until=moment)


def test_silence_does_not_close_it_before(dialogue, give, now):
    Campaign.objects.update(silence_limit_min=5)
    give(30)
    assert silent_dialogues(later(now, 30)) == []
    abandon_dialogue(dialogue_id=dialogue.pk, at=later(now, 30))
    assert Dialogue.objects.get().is_open
    assert silent_dialogues(later(now, 31)) == [dialogue.pk]
    abandon_dialogue(dialogue_id=dialogue.pk, at=later(now, 31))
    assert Dialogue.objects.get().reason == "silence"


def test_its_tester_talks_on_and_ends_it_after_testing(talk, give, now):
    talk.turns(1)
    ended_at(later(now, -31))
    with pytest.raises(Refusal, match="ended on"), transaction.atomic():
        talk.send()
    assert overdue_dialogues(now) == [talk.id]
    give(30, timezone.now())
    assert overdue_dialogues(timezone.now()) == []
    close_overdue_dialogue(dialogue_id=talk.id, at=timezone.now())
    talk.turns(1)
    talk.close(1)
    talk.end()
    assert (talk.now().status, talk.now().turns_used) == ("unfinished", 2)


def test_when_the_time_is_over_it_closes_as_any_other(dialogue, give, now):
    ended_at(later(now, -31))
    give(30)
    assert overdue_dialogues(later(now, 31)) == [dialogue.pk]
    close_overdue_dialogue(dialogue_id=dialogue.pk, at=later(now, 31))
    assert Dialogue.objects.get().reason == "time_over"


def test_the_end_of_the_campaign_closes_it_all_the_same(dialogue, give, now):
    give(30)
    Campaign.objects.update(ends_at=later(now, 5))
    assert overdue_dialogues(later(now, 6)) == [dialogue.pk]


def test_its_testers_list_offers_it_as_long(dialogue, give, now):
    def closed():
        (row,) = assignment_rows(dialogue.tester, at=now)
        return why_next_is_closed(Campaign.objects.get(), "", row, now)

    ended_at(later(now, -31))
    assert closed()
    give(30)
    assert closed() == ""


@pytest.mark.parametrize("minutes", [0, 1441])
def test_minutes_are_from_one_to_a_day(give, minutes):
    with pytest.raises(NotPossible, match="from 1 to 1440"):
        give(minutes)


def test_it_is_refused_with_the_reason(dialogue, give, organizer, now):
    give(30)
    with pytest.raises(NotPossible, match="already"):
        give(30)
    Campaign.objects.update(ends_at=later(now, 50))
    with pytest.raises(NotPossible, match="choose less time"):
        give(51)
    end_for_tester(dialogue=dialogue, by=organizer, because=WHY, at=now)
    with pytest.raises(NotPossible, match="The dialogue is closed"):
        give(40)


def test_page_and_program_give_it_to_many_with_one_reason(dialogue, organizer):
    Person.objects.update(language="en")
    client = Client()
    client.force_login(organizer)
    sent = {"act": "extend", "chosen": [str(dialogue.pk)], "minutes": "20", "because": WHY}
    assert client.post("/campaigns/small/dialogues/many/", sent).status_code == 302
    first = Dialogue.objects.get().extended_until
    body = {"act": "extend", "dialogues": [{"id": str(dialogue.pk)}], "minutes": 40, "because": WHY}
    answer = client.post("/api/v1/campaigns/small/dialogues/many/", body, content_type="application/json")
    assert answer.json() == {"done": 1, "refused": []}
    assert Dialogue.objects.get().extended_until > first
    lines = TrailLine.objects.filter(act="dialogue.extended").in_order()
    second = Dialogue.objects.get().extended_until
    assert [(one.because, one.details["until"]) for one in lines] == [
        (WHY, first.isoformat()),
        (WHY, second.isoformat()),
    ]
    page = f"/campaigns/small/dialogues/{dialogue.pk}/"
    assert "More time until" in client.get(page).content.decode()
    refused = client.post(f"{page}extend/", {"minutes": "0", "because": WHY})
    assert (refused.status_code, "Say how many minutes" in refused.content.decode()) == (409, True)
