"""What reaches the organizer beside the dialogue: flags, problems in words, and who has a console open."""

import json
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from campaigns.models import Role
from dialogues.actions.reports import (
    PROBLEMS_PER_DIALOGUE,
    flag_turn,
    note_presence,
    report_problem,
    settle_problem,
    unflag_turn,
)
from dialogues.models import Presence, Problem, TurnFlag
from dialogues.queries import LOST_AFTER, present_among
from reading.checking import BadForm
from tests.dialogues.test_actions import Talk

pytestmark = pytest.mark.django_db


@pytest.fixture
def turn(dialogue, admission):
    Talk(dialogue, admission).turns(1)
    return dialogue.turns.get()


def client_of(person):
    client = Client()
    client.force_login(person)
    return client


def report(dialogue, person, text="答非所问", **named):
    return report_problem(dialogue=dialogue, person=person, text=text, at=timezone.now(), **{"turn": None} | named)


def test_a_turn_is_flagged_once_and_can_be_unflagged(turn):
    first = flag_turn(turn=turn, at=timezone.now())
    assert flag_turn(turn=turn, at=timezone.now()) == first
    unflag_turn(turn=turn, at=timezone.now())
    unflag_turn(turn=turn, at=timezone.now())
    assert not TurnFlag.objects.exists()


@pytest.mark.parametrize("text", ["", "  \n", "x" * 2001, "a\x00b"])
def test_a_report_without_words_or_that_cannot_be_stored_is_refused(dialogue, tester, text):
    with pytest.raises(BadForm):
        report(dialogue, tester, text)
    assert not Problem.objects.exists()


def test_the_reports_of_one_dialogue_have_a_limit(dialogue, tester):
    for _ in range(PROBLEMS_PER_DIALOGUE):
        report(dialogue, tester)
    with pytest.raises(BadForm):
        report(dialogue, tester)


def test_a_settled_report_keeps_the_time_at_which_it_was_settled(dialogue, tester):
    problem = report(dialogue, tester)
    first = settle_problem(problem=problem, at=timezone.now()).settled_at
    assert settle_problem(problem=problem, at=timezone.now()).settled_at == first


def test_flags_and_reports_over_the_api_belong_to_ones_own_dialogues(dialogue, turn, tester, outsider, campaign):
    flag, problems = f"/api/v1/dialogues/{dialogue.pk}/flags/1/", f"/api/v1/dialogues/{dialogue.pk}/problems/"
    said = json.dumps({"text": "编造了航班", "turn": 1})
    own = client_of(tester)
    assert own.put(flag).json() == {"is_flagged": True}
    assert own.post(problems, said, content_type="application/json").status_code == 201
    assert own.put(flag.replace("/1/", "/9/")).status_code == 404
    assert own.post(problems, json.dumps({"text": " "}), content_type="application/json").status_code == 400
    campaign.roles.create(person=outsider, role=Role.TESTER)
    stranger = client_of(outsider)
    assert stranger.put(flag).status_code == 404
    assert stranger.delete(flag).status_code == 404
    assert stranger.post(problems, said, content_type="application/json").status_code == 404
    assert own.delete(flag).json() == {"is_flagged": False}


def test_organizers_see_what_was_reported_and_settle_it(dialogue, turn, tester, organizer):
    report(dialogue, tester, "编造了航班", turn=turn)
    flag_turn(turn=turn, at=timezone.now())
    client = client_of(organizer)
    (listed,) = client.get("/api/v1/campaigns/small/problems/").json()
    assert (listed["text"], listed["turn"], listed["reported_by"]) == ("编造了航班", 1, "tester")
    page = client.get("/campaigns/small/problems/").content.decode()
    assert "编造了航班" in page
    assert turn.text in page
    client.post(f"/campaigns/small/problems/{listed['id']}/settle/")
    assert client.get("/api/v1/campaigns/small/problems/").json()[0]["settled_at"]


def test_an_organizer_with_an_interest_reads_no_report_and_no_flagged_turn(dialogue, turn, tester, organizer, campaign):
    report(dialogue, tester, "编造了航班", turn=turn)
    flag_turn(turn=turn, at=timezone.now())
    campaign.team_members.create(team=dialogue.assignment.entry.bot.team, person=organizer)
    client = client_of(organizer)
    assert client.get("/api/v1/campaigns/small/problems/").json() == []
    page = client.get("/campaigns/small/problems/").content.decode()
    assert "编造了航班" not in page
    assert turn.text not in page


def test_a_report_of_another_campaign_is_not_settled_from_this_one(dialogue, tester, organizer, campaign):
    problem = report(dialogue, tester)
    campaign.slug = "other"
    campaign.pk = None
    campaign.save()
    campaign.roles.create(person=organizer, role=Role.ORGANIZER)
    assert client_of(organizer).post(f"/campaigns/other/problems/{problem.pk}/settle/").status_code == 404
    problem.refresh_from_db()
    assert problem.settled_at is None


NOW = timezone.now()


SECOND = timedelta(seconds=1)


def noted(there=(), left=(), process="one", at=NOW):
    note_presence(process=process, there=[one.pk for one in there], left=[one.pk for one in left], at=at)


def present(*people, at=NOW):
    return present_among([one.pk for one in people], at)


def test_who_has_a_console_open_is_there(tester, reviewer):
    noted([tester])
    found = present(tester, reviewer)
    assert (found.online, found.seen_at) == ({"tester"}, {"tester": NOW})


def test_who_closed_it_was_seen_last_then(tester):
    noted([tester])
    noted(left=[tester], at=NOW + 5 * SECOND)
    found = present(tester, at=NOW + 9 * SECOND)
    assert (found.online, found.seen_at) == (frozenset(), {"tester": NOW + 5 * SECOND})
    assert Presence.objects.count() == 1


def test_a_process_that_says_nothing_any_more_holds_nobody(tester):
    noted([tester])
    assert present(tester, at=NOW + LOST_AFTER - SECOND).online == {"tester"}
    assert present(tester, at=NOW + LOST_AFTER).online == frozenset()


def test_who_left_one_process_may_be_in_another(tester):
    noted([tester], process="one")
    noted([tester], process="two")
    noted(left=[tester], process="one", at=NOW + SECOND)
    found = present(tester, at=NOW + 2 * SECOND)
    assert (found.online, found.seen_at) == ({"tester"}, {"tester": NOW + SECOND})


def test_others_are_not_told_of(tester, reviewer):
    noted([tester])
    assert present(reviewer).seen_at == {}
