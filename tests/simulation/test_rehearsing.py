"""A rehearsal: started by an organizer, carried out under a lease, counted nowhere, removed in one act."""

import asyncio
import random
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection, connections
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, override

from accounts.models import ApiToken, Person
from campaigns.actions.assigning import ground_of
from campaigns.actions.loading_people import names_of_no_file
from campaigns.campaign_file.dumping import document_of
from campaigns.models import Assignment, Campaign, Role
from conformance.results import percentile
from dialogues.actions import open_dialogue
from dialogues.actions.ledger import NotTestingNow
from dialogues.models import Attempt, Dialogue, Turn
from leaderboards.exports.parts import parts_of_programs
from reading.findings import sentence
from simulation import keeper as keeper_module
from simulation.actions import rehearsing
from simulation.actions.rehearsing import (
    ATTEMPT_LIMIT,
    LEASE,
    Begun,
    CannotRehearse,
    begin,
    claim_rehearsal,
    end_rehearsal,
    give_back,
    is_wanted,
    leave_to_others,
    remove_rehearsal,
    start_rehearsal,
    stop_rehearsal,
    systems_to_rehearse,
)
from simulation.boards import people_and_programs, programs_of
from simulation.keeper import RehearsalKeeper
from simulation.models import Rehearsal
from simulation.rehearsal_findings import found_in
from simulation.running import Progress
from tests.conftest import Admitted
from tests.dialogues.test_actions import Talk
from tests.test_contest_queries import MOST
from tests.trail import lines_of

pytestmark = pytest.mark.django_db

AT = datetime(2026, 11, 27, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def in_english():
    with override("en"):
        yield


@pytest.fixture
def client():
    return Client(headers={"Accept-Language": "en"})


def started(campaign, n_each=2, at=AT):
    entries, by = list(systems_to_rehearse(campaign, at)), Person.objects.get(username="organizer")
    return start_rehearsal(campaign=campaign, entries=entries, n_each=n_each, at_once=3, by=by, at=at)


def played(rehearsal, at=AT):
    """Its dialogues, each with an answered turn, as its program would have had them."""
    given = Assignment.with_programs.filter(rehearsed__rehearsal=rehearsal).order_by("position")
    for assignment in given:
        talk = Talk(open_dialogue(assignment=assignment, at=at), Admitted(rehearsal.program))
        talk.turns(1)
        talk.end()
    return list(given)


def claimed(rehearsal, worker="w", at=AT):
    found = claim_rehearsal(worker=worker, at=at)
    assert found is None or found.pk == rehearsal.pk
    return found


def test_its_dialogues_stand_apart_even_where_programs_count(campaign):
    Campaign.objects.update(programs="count", testing_from=AT - timedelta(days=1))
    rehearsal = started(Campaign.objects.get())
    given = Assignment.with_programs.filter(rehearsed__rehearsal=rehearsal)
    assert [one.is_apart for one in given] == [True, True]
    assert not Assignment.objects.filter(tester=rehearsal.program).exists()
    dialogue = open_dialogue(assignment=given[0], at=AT)
    assert dialogue.origin == Dialogue.Origin.PROGRAM
    assert rehearsal.program.kind == Person.Kind.PROGRAM


def test_it_is_in_no_comparison_of_programs_with_people(campaign):
    played(started(campaign))
    assert people_and_programs(campaign).systems == ()


def test_one_at_a_time_and_never_too_many(campaign):
    rehearsal = started(campaign)
    with pytest.raises(CannotRehearse) as refused:
        started(campaign)
    assert refused.value.code == "under_way"
    stop_rehearsal(rehearsal=rehearsal, by=None, at=AT)
    with pytest.raises(CannotRehearse) as refused:
        started(campaign, n_each=rehearsing.MOST_DIALOGUES + 1)
    assert refused.value.code == "too_many"
    assert str(rehearsing.MOST_DIALOGUES) in str(refused.value)


def test_after_the_time_of_testing_it_is_over(campaign):
    Campaign.objects.update(testing_until=AT - timedelta(minutes=1))
    with pytest.raises(NotTestingNow):
        started(Campaign.objects.get())


def test_a_worker_that_is_gone_is_followed_by_another_and_at_last_by_none(campaign):
    rehearsal = started(campaign)
    first = claimed(rehearsal)
    token = begin(rehearsal=first).token
    assert claimed(rehearsal, "other") is None
    assert is_wanted(rehearsal=first, broken={}, at=AT) is True
    second = claimed(rehearsal, "other", AT + 2 * LEASE)
    again = begin(rehearsal=second)
    assert (len(again.left), again.token != token) == (2, True)
    assert is_wanted(rehearsal=first, broken={}, at=AT) is None
    assert not end_rehearsal(rehearsal=first, broken={}, is_stopped=False, at=AT)
    assert claimed(rehearsal, "third", AT + 4 * LEASE).n_attempts == ATTEMPT_LIMIT
    assert claimed(rehearsal, "fourth", AT + 6 * LEASE) is None
    rehearsal.refresh_from_db()
    assert (rehearsal.state, rehearsal.is_over) == ("broken", True)


def test_after_a_standstill_the_same_worker_holds_its_latest_attempt_alone(campaign):
    rehearsal = started(campaign)
    first = claimed(rehearsal)
    second = claimed(rehearsal, at=AT + 2 * LEASE)
    token = begin(rehearsal=second).token
    broken = {rehearsal.parts.first().assignment_id: "401: the token opens nothing"}
    assert begin(rehearsal=first) is None
    assert is_wanted(rehearsal=first, broken=broken, at=AT) is None
    assert not end_rehearsal(rehearsal=first, broken=broken, is_stopped=True, at=AT)
    leave_to_others(rehearsal=first)
    give_back(rehearsal=first)
    rehearsal.refresh_from_db()
    assert (rehearsal.state, rehearsal.n_attempts) == ("running", 2)
    assert not rehearsal.parts.exclude(broken="").exists()
    assert ApiToken.objects.filter(user=rehearsal.program).count() == bool(token)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("heard", "asked", "state"), [("", False, "done"), ("401: the token", False, "queued"), ("", True, "stopped")]
)
def test_only_an_organizer_stops_it_and_a_lost_token_leaves_it_to_the_next_attempt(
    campaign, monkeypatch, heard, asked, state
):
    rehearsal = started(campaign, at=timezone.now())
    given, sent = rehearsal.parts.first().assignment_id, []
    held = claim_rehearsal(worker="w", at=timezone.now())
    if asked:
        stop_rehearsal(rehearsal=rehearsal, by=None, at=timezone.now())

    async def play(rehearsal, begun, progress):
        progress.broken[given] = "it was closed"
        while len(sent) < 2:
            await asyncio.sleep(0)
        progress.stopped = progress.stopped or heard

    def wanted(**said):
        sent.append(said["broken"])
        return is_wanted(**said)

    monkeypatch.setattr(keeper_module, "LOOK_EVERY_S", 0.01)
    monkeypatch.setattr(keeper_module, "is_wanted", wanted)
    keeper = RehearsalKeeper()
    monkeypatch.setattr(keeper, "_play", play)
    try:
        asyncio.run(keeper._carry_out(held))
    finally:
        asyncio.run(keeper.in_database(connections.close_all))
        keeper.close()
    rehearsal.refresh_from_db()
    assert rehearsal.state == state
    # What was stored once is not sent again.
    assert [given in broken for broken in sent].count(True) == 1
    assert rehearsal.parts.get(assignment=given).broken == "it was closed"


def test_while_it_runs_its_account_is_in_no_plan_no_file_and_no_list_of_programs(campaign, organizer, client):
    Campaign.objects.update(programs="count")
    campaign = Campaign.objects.get()
    before = document_of(campaign, with_secrets=False)["people"], ground_of(campaign)
    rehearsal = started(campaign)
    assert campaign.roles.filter(person=rehearsal.program, role=Role.TESTER).exists()
    assert not campaign.roles.testers().filter(person=rehearsal.program).exists()
    assert (document_of(campaign, with_secrets=False)["people"], ground_of(campaign)) == before
    assert names_of_no_file(campaign) == {rehearsal.program.username}
    assert programs_of(campaign) == []
    client.force_login(organizer)
    assert client.delete(reverse("api-program", args=[campaign.slug, rehearsal.program.pk])).status_code == 404
    assert rehearsal.program.username not in client.get(reverse("hours", args=[campaign.slug])).content.decode()
    hours = reverse("api-hours", args=[campaign.slug])
    assert rehearsal.program.username not in client.get(hours).json()["testers"]
    sent = {"testers": {rehearsal.program.username: "mon 09:00-10:00"}}
    assert client.patch(hours, sent, content_type="application/json").status_code == 409


def test_a_server_that_ends_in_good_order_costs_no_attempt(campaign):
    rehearsal = started(campaign)
    for number in range(ATTEMPT_LIMIT + 1):
        give_back(rehearsal=claimed(rehearsal, f"w{number}"))
    assert claimed(rehearsal).n_attempts == 1


def test_the_end_takes_the_role_and_the_token_and_what_was_not_begun(campaign):
    rehearsal = started(campaign, n_each=3)
    held = claimed(rehearsal)
    left = begin(rehearsal=held).left
    open_dialogue(assignment=left[0], at=AT)
    broken = {left[1].pk: "403: it is closed at this hour"}
    with lines_of() as lines:
        assert end_rehearsal(rehearsal=held, broken=broken, is_stopped=True, at=AT)
    assert [(line.act, line.details["state"]) for line in lines] == [("rehearsal.ended", "stopped")]
    rehearsal.refresh_from_db()
    assert rehearsal.state == "stopped"
    assert [part.broken for part in rehearsal.parts.all()] == ["", "403: it is closed at this hour"]
    assert not campaign.roles.filter(person=rehearsal.program, role=Role.TESTER).exists()
    assert not ApiToken.objects.filter(user=rehearsal.program).exists()


def test_a_stop_reaches_the_worker_or_ends_what_waits(campaign):
    waiting = started(campaign)
    stop_rehearsal(rehearsal=waiting, by=None, at=AT)
    waiting.refresh_from_db()
    assert (waiting.state, waiting.parts.count()) == ("stopped", 0)
    rehearsal = started(campaign)
    held = claimed(rehearsal)
    with lines_of() as lines:
        assert stop_rehearsal(rehearsal=rehearsal, by=None, at=AT).is_stopping
        stop_rehearsal(rehearsal=rehearsal, by=None, at=AT)
    assert [line.act for line in lines] == ["rehearsal.stopped"]
    assert is_wanted(rehearsal=held, broken={}, at=AT) is False


def test_a_stop_after_a_restart_waits_for_the_dialogues_that_are_open(campaign):
    rehearsal = started(campaign)
    held = claimed(rehearsal)
    open_dialogue(assignment=begin(rehearsal=held).left[0], at=AT)
    give_back(rehearsal=held)
    assert stop_rehearsal(rehearsal=rehearsal, by=None, at=AT).is_stopping
    assert is_wanted(rehearsal=claimed(rehearsal), broken={}, at=AT) is False


def test_what_is_over_can_be_removed_with_its_open_dialogues_but_no_answer_on_its_way(campaign):
    rehearsal = started(campaign)
    held = claimed(rehearsal)
    begun = open_dialogue(assignment=begin(rehearsal=held).left[0], at=AT)
    Talk(begun, Admitted(rehearsal.program)).send()
    end_rehearsal(rehearsal=held, broken={}, is_stopped=False, at=AT)
    rehearsal.refresh_from_db()
    with pytest.raises(CannotRehearse) as refused:
        remove_rehearsal(rehearsal=rehearsal, by=None, at=AT)
    assert refused.value.code == "in_flight"
    Turn.objects.update(status="failed")
    remove_rehearsal(rehearsal=rehearsal, by=None, at=AT)
    assert not Dialogue.everything.exists()


def test_removing_leaves_nothing_but_the_trail(campaign, dialogue):
    rehearsal = started(campaign)
    played(rehearsal)
    with pytest.raises(CannotRehearse):
        remove_rehearsal(rehearsal=rehearsal, by=None, at=AT)
    held = claimed(rehearsal)
    end_rehearsal(rehearsal=held, broken={}, is_stopped=False, at=AT)
    rehearsal.refresh_from_db()
    with lines_of() as lines:
        remove_rehearsal(rehearsal=rehearsal, by=None, at=AT)
    assert [(line.act, line.details) for line in lines] == [("rehearsal.removed", {"dialogues": 2})]
    assert list(Dialogue.everything.all()) == [dialogue]
    assert not Rehearsal.objects.exists()
    assert not Assignment.with_programs.filter(tester__kind="program").exists()
    assert started(campaign).program == rehearsal.program


def test_another_rehearsal_goes_on_with_other_scenarios_or_meets_them_again(campaign):
    stop_rehearsal(rehearsal=started(campaign), by=None, at=AT)
    again = started(campaign)
    assert again.parts.count() == 2
    repetitions = Assignment.with_programs.filter(rehearsed__rehearsal=again).values_list("repetition", flat=True)
    assert sorted(repetitions) == [1, 2]


def test_the_page_and_the_api_say_the_same(campaign, organizer, client):
    rehearsal = started(campaign, at=timezone.now())
    played(rehearsal, timezone.now())
    client.force_login(organizer)
    client.get(reverse("rehearsals", args=[campaign.slug]))
    with CaptureQueriesContext(connection) as asked:
        page = client.get(reverse("rehearsal", args=[campaign.slug, rehearsal.pk])).content.decode()
    assert len(asked) <= MOST["rehearsal"]
    with CaptureQueriesContext(connection) as asked:
        told = client.get(reverse("api-rehearsal", args=[campaign.slug, rehearsal.pk])).json()
    assert len(asked) <= MOST["api-rehearsal"]
    (system,) = told["systems"]
    assert (system["dialogues"], system["over"], system["turns"], system["answered"]) == (2, 2, 2, 2)
    assert (system["failed"], system["failures"], told["rehearsal"]["state"]) == ({}, [], "queued")
    assert "2 of 2 dialogues" in page
    assert "answered everything" in page


def test_failures_are_all_counted_and_the_first_of_each_system_shown(campaign, organizer):
    rehearsal = started(campaign)
    played(rehearsal)
    turn = Turn.objects.order_by("pk").first()
    for number in range(1, 8):
        Attempt.objects.create(
            turn=turn, number=number, outcome="failure", is_current=False, kind="http_5xx",
            fault="bot" if number < 7 else "nobody", detail=sentence(str(number)).to_json(),
            ended_at=AT - timedelta(seconds=number),
        )  # fmt: skip
    rehearsal.parts.update(broken="it was closed")
    (found,) = found_in(rehearsal, organizer)
    assert (found.failed, found.n_broken) == ({"bot": 6, "nobody": 1}, 2)
    assert [one.sentence for one in found.failures] == ["it was closed", "it was closed", "7", "6", "5"]


@pytest.mark.parametrize("n", [1, 2, 3, 19, 20, 21, 40])
def test_latencies_are_those_of_the_nearest_rank(campaign, organizer, n):
    rehearsal = started(campaign, n_each=1)
    played(rehearsal)
    turn, told = Turn.objects.get(), random.Random(n).sample(range(1000), n)
    Turn.objects.update(latency_ms=told[0])
    Turn.objects.bulk_create(
        Turn(
            dialogue_id=turn.dialogue_id, number=number, subtask=1, spent=1, turn_cap=turn.turn_cap, key=f"k{number}",
            status="answered", latency_ms=latency_ms, seq=2 * number, outcome_seq=2 * number + 1, asked_at=AT,
        )
        for number, latency_ms in enumerate(told[1:], start=100)
    )  # fmt: skip
    (found,) = found_in(rehearsal, organizer)
    assert (found.n_turns, found.n_answered) == (n, n)
    assert (found.p50_ms, found.p95_ms) == (percentile(told, 0.5), percentile(told, 0.95))


def test_what_could_not_go_on_says_why_in_the_language_of_the_campaign(campaign, monkeypatch):
    Campaign.objects.update(language="zh")
    rehearsal, heard = started(Campaign.objects.get()), []

    async def run(*given, **said):
        heard.append(gettext("The connection was closed (%(code)s).") % {"code": 4403})

    monkeypatch.setattr(keeper_module, "run_dialogues", run)
    keeper = RehearsalKeeper("http://127.0.0.1:9")
    asyncio.run(keeper._play(rehearsal, Begun([], "token"), Progress(0)))
    keeper.close()
    assert heard == ["连接已关闭（4403）。"]


def test_an_organizer_starts_stops_and_removes_on_the_pages(campaign, organizer, client):
    client.force_login(organizer)
    place, alias = reverse("rehearsals", args=[campaign.slug]), campaign.entries.get().alias
    assert "Nothing has been rehearsed yet." in client.get(place).content.decode()
    client.post(f"{place}new/", {"dialogues": "2", "at_once": "1"})
    client.post(f"{place}new/", {"systems": ["Z9"], "dialogues": "2", "at_once": "1"})
    assert not Rehearsal.objects.exists()
    client.post(f"{place}new/", {"systems": [alias], "dialogues": "99", "at_once": "1"})
    rehearsal = Rehearsal.objects.get()
    assert (rehearsal.n_each, rehearsal.at_once, rehearsal.asked_by) == (rehearsing.MOST_OF_EACH, 1, organizer)
    client.post(f"{place}{rehearsal.pk}/stop/")
    assert "stopped" in client.get(f"{place}{rehearsal.pk}/").content.decode()
    client.post(f"{place}{rehearsal.pk}/remove/")
    assert not Rehearsal.objects.exists()


def test_without_systems_or_scenarios_the_page_says_what_is_missing(campaign, organizer, client):
    client.force_login(organizer)
    place = reverse("rehearsals", args=[campaign.slug])
    campaign.entries.update(paused_at=AT, paused_because="it rests")
    assert "No system can be talked to now" in client.get(place).content.decode()
    campaign.scenarios.update(is_practice=True)
    assert "There is no scenario to talk about yet." in client.get(place).content.decode()


def test_testers_and_outsiders_find_nothing(campaign, tester, outsider, client):
    rehearsal = started(campaign)
    for person in (tester, outsider):
        client.force_login(person)
        for address in ("", f"{rehearsal.pk}/"):
            assert client.get(f"/campaigns/small/rehearsals/{address}").status_code in (403, 404)


def test_it_is_in_no_export_of_programs(campaign):
    played(started(campaign))
    assert [part.count() for part in parts_of_programs(campaign)] in ([], [0])
