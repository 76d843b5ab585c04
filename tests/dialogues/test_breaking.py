"""When a failing bot is paused and probed, and when the platform says that several fail together."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from django.utils.translation import override

from audit.models import TrailLine
from campaigns.actions import pause_bot, resume_bot
from campaigns.models import Assignment, Campaign, Entry
from dialogues import queries
from dialogues.actions import open_chosen_dialogue
from dialogues.actions.breaking import claim_probe, note_outage, pause_if_failing, record_probe
from dialogues.actions.ledger import Asked, WaitingTurn
from dialogues.actions.opening import NotOffered
from dialogues.breaker import Failed, is_failing, pause_after_probe, pause_before_probe, probes_counted
from dialogues.masking import masker_of
from dialogues.models import Attempt, Outage, Probe, Turn
from dialogues.progress import PAUSED, assignment_rows, with_reasons
from dialogues.queries import due_probes, said_before
from participants.failures import BotFailure, FailureKind
from participants.models import Bot
from reading.findings import sentence
from testing_console.notices import outage_notices
from tests.dialogues.test_actions import Talk

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 5, 11, 9, tzinfo=UTC)


def failures(*dialogues):
    """The newest first, a minute apart."""
    return [Failed(NOW - timedelta(minutes=n), dialogue) for n, dialogue in enumerate(dialogues)]


@pytest.mark.parametrize(
    ("dialogues", "answered_min_ago", "failing"),
    [
        ("abaaa", None, True),
        ("aaaaa", None, False),
        ("aaab", None, False),
        ("aaaab", 5, True),
        ("aaaab", 4, False),
        ("aaaab", 1, False),
        ("aaaaab", None, False),
    ],
)
def test_five_in_a_row_in_more_than_one_dialogue_are_enough(dialogues, answered_min_ago, failing):
    answered_at = None if answered_min_ago is None else NOW - timedelta(minutes=answered_min_ago)
    assert is_failing(failures(*dialogues), answered_at) is failing


def test_probes_come_after_half_a_minute_then_twice_as_late_up_to_ten_minutes():
    assert [pause_before_probe(n).total_seconds() for n in range(7)] == [30, 60, 120, 240, 480, 600, 600]
    assert pause_before_probe(30_000) == timedelta(minutes=10)


def test_no_probe_comes_while_the_one_before_may_still_be_answered():
    assert pause_after_probe(1, timedelta(seconds=60)) == timedelta(seconds=60)
    assert pause_after_probe(1, timedelta(seconds=130)) == timedelta(seconds=130)
    assert pause_after_probe(9, timedelta(seconds=130)) == timedelta(minutes=10)


@pytest.mark.parametrize(("resumed_min_ago", "counted"), [(None, 0), (1, 3), (59, 3), (60, 0)])
def test_probes_count_on_for_a_bot_that_was_let_go_on_within_the_hour(resumed_min_ago, counted):
    at = datetime(2026, 5, 4, 12, tzinfo=UTC)
    resumed_at = None if resumed_min_ago is None else at - timedelta(minutes=resumed_min_ago)
    assert probes_counted(3, resumed_at, at) == counted


@pytest.fixture
def talks(campaign, tester, admission):
    """Two dialogues with the campaign's bot."""
    entry, scenario = campaign.entries.get(), campaign.scenarios.get()
    named = {"campaign": campaign, "tester": tester, "entry": entry, "scenario": scenario}
    return [Talk(open_chosen_dialogue(**named, at=timezone.now()), admission) for _ in range(2)]


def fail(talk, n=1, **named):
    for _ in range(n):
        key = f"k{talk.now().last_seq}"
        talk.fail(talk.send(key=key).asked, **named)


def looked(at=None):
    return pause_if_failing(entry_id=Entry.objects.get().pk, at=at or timezone.now())


def entry():
    return Entry.objects.get()


def test_five_failures_in_two_dialogues_pause_the_bot_and_the_trail_names_nobody(talks):
    fail(talks[0], 2)
    fail(talks[1], 2)
    assert not looked()
    fail(talks[0])
    assert looked()
    now = entry()
    assert (now.paused_by, now.can_be_talked_to) == ("platform", False)
    line = TrailLine.objects.latest("number")
    assert (line.act, line.person, line.details) == ("bot.paused", "", {"bot": "a", "kind": "http_5xx"})
    assert Probe.objects.get().due_at - now.paused_at == timedelta(seconds=30)
    # Once is enough.
    assert not looked()


def test_its_assignments_wait_and_its_open_dialogues_go_on(talks, tester, campaign):
    fail(talks[0], 3)
    fail(talks[1], 2)
    assert looked()
    with pytest.raises(NotOffered):
        open_chosen_dialogue(
            campaign=campaign, tester=tester, entry=entry(), scenario=campaign.scenarios.get(), at=timezone.now()
        )
    assert talks[1].answer(talks[1].send(key="on").asked)


@pytest.mark.parametrize("between", ["an answer", "the platform's failure"])
def test_an_answer_ends_the_row_and_a_failure_of_the_platform_does_not(talks, between):
    fail(talks[0], 2)
    fail(talks[1], 2)
    if between == "an answer":
        talks[0].answer(talks[0].send(key="answered").asked)
    else:
        talks[0].fail(talks[0].send(key="ours").asked, kind=FailureKind.INTERRUPTED)
    talks[1].retry(talks[1].now().turns_used)
    talks[1].fail(_asked(talks[1]))
    assert looked() is (between != "an answer")


def _asked(talk):
    turn = Turn.objects.filter(dialogue=talk.id, status="waiting").get()
    return Asked(WaitingTurn.of(turn), said_before(talk.id, turn.number))


def test_a_campaign_may_want_no_bot_paused(talks):
    Campaign.objects.update(pauses_failing_bots=False)
    fail(talks[0], 3)
    fail(talks[1], 2)
    assert not looked()


@pytest.mark.parametrize("is_of_no_use", ["the campaign wants none paused", "it is paused"])
def test_the_look_after_a_failure_is_one_statement_where_no_pause_can_follow(
    talks, is_of_no_use, django_assert_num_queries
):
    if is_of_no_use == "it is paused":
        paused(talks)
    else:
        Campaign.objects.update(pauses_failing_bots=False)
    pk = entry().pk
    with django_assert_num_queries(1):
        assert not pause_if_failing(entry_id=pk, at=timezone.now())


def paused(talks):
    fail(talks[0], 3)
    fail(talks[1], 2)
    assert looked()
    return entry()


def test_a_probe_is_claimed_once_and_comes_later_each_time_it_fails(talks):
    now = paused(talks)
    assert due_probes(now.paused_at + timedelta(seconds=29)) == []
    at = now.paused_at + timedelta(seconds=30)
    assert [one.entry_id for one in due_probes(at)] == [now.pk]
    assert claim_probe(entry_id=now.pk, at=at)
    assert not claim_probe(entry_id=now.pk, at=at)
    assert not record_probe(entry_id=now.pk, failure=BotFailure(FailureKind.CONNECT, sentence("refused")), at=at)
    probe = Probe.objects.get()
    assert (probe.kind, probe.n_asked, probe.due_at) == ("connect", 1, at + timedelta(seconds=60))
    assert entry().paused_by == "platform"


def test_no_probe_is_begun_beside_one_that_may_still_be_answered(talks):
    """It may wait 30 s for a place, and then take as long as its campaign allows."""
    now = paused(talks)
    Campaign.objects.update(reply_deadline_s=100)
    at = now.paused_at + timedelta(seconds=30)
    assert claim_probe(entry_id=now.pk, at=at)
    assert Probe.objects.get().due_at == at + timedelta(seconds=130)


def test_an_answered_probe_lets_the_bot_go_on_and_what_it_failed_before_counts_no_longer(talks):
    now = paused(talks)
    at = timezone.now() + timedelta(seconds=40)
    assert claim_probe(entry_id=now.pk, at=at)
    assert record_probe(entry_id=now.pk, failure=None, at=at)
    assert entry().can_be_talked_to
    assert entry().paused_because == ""
    assert due_probes(at + timedelta(minutes=30)) == []
    assert [(line.act, line.person) for line in TrailLine.objects.order_by("-number")[:1]] == [("bot.resumed", "")]
    assert not looked(at + timedelta(seconds=1))


def test_a_bot_that_only_answers_probes_waits_twice_as_long_each_time(talks):
    at, waits = paused(talks).paused_at, []
    for _ in range(6):
        due_at = Probe.objects.get().due_at
        waits.append((due_at - at).total_seconds())
        assert claim_probe(entry_id=entry().pk, at=due_at)
        assert record_probe(entry_id=entry().pk, failure=None, at=due_at)
        at = due_at + timedelta(minutes=1)
        Attempt.objects.update(ended_at=at)
        assert looked(at)
    assert waits == [30, 60, 120, 240, 480, 600]


def test_a_bot_that_went_on_for_an_hour_is_asked_again_as_after_a_first_pause(talks):
    at = paused(talks).paused_at + timedelta(seconds=30)
    assert claim_probe(entry_id=entry().pk, at=at)
    assert record_probe(entry_id=entry().pk, failure=None, at=at)
    at += timedelta(hours=1)
    Attempt.objects.update(ended_at=at)
    assert looked(at)
    assert Probe.objects.get().due_at == at + timedelta(seconds=30)


def test_bots_whose_secret_is_lost_keep_no_other_from_being_asked(talks, settings, monkeypatch):
    monkeypatch.setattr(queries, "PROBES_PER_LOOK", 1)
    other = paused(talks)
    lost = Entry.objects.get(pk=other.pk)
    lost.pk, lost.key, lost.alias, lost.secret = None, "lost", "Lost", "s3cret"
    lost.bot = Bot.objects.create(team=other.bot.team, name="lost")
    lost.save()
    settings.SECRET_KEY = "quite another key" * 5
    Probe.objects.create(entry=lost, due_at=other.paused_at)
    assert [one.entry_id for one in due_probes(other.paused_at + timedelta(minutes=1))] == [other.pk]


def test_what_an_organizer_paused_is_never_asked_nor_let_go_on(talks, organizer):
    now = paused(talks)
    pause_bot(entry=now, because="its server is moved", at=timezone.now(), by=organizer)
    at = timezone.now() + timedelta(minutes=1)
    assert not claim_probe(entry_id=now.pk, at=at)
    assert not record_probe(entry_id=now.pk, failure=None, at=at)
    assert (entry().paused_by, entry().paused_because) == ("person", "its server is moved")


def test_an_organizer_may_resume_it_by_hand(talks, organizer):
    resume_bot(entry=paused(talks), because="it is back", by=organizer)
    assert entry().can_be_talked_to
    assert not looked()
    assert not claim_probe(entry_id=entry().pk, at=timezone.now() + timedelta(minutes=1))


def test_the_list_of_its_tester_says_why_it_waits(talks, tester, campaign):
    paused(talks)
    Assignment.objects.create(
        campaign=campaign, tester=tester, entry=entry(), scenario=campaign.scenarios.get(), repetition=9, position=9
    )
    said = {}
    for language in ("en", "zh-hans"):
        with override(language):
            rows = with_reasons(assignment_rows(tester, campaign, at=timezone.now()), masker_of(()))
            (said[language],) = (row.pause.because for row in rows if row.state == PAUSED)
    assert said == {
        "en": "It failed several times in a row. It is asked again by itself until it answers.",
        "zh-hans": "它连续多次失败。平台会自动再问它，直到它回应。",
    }


def test_the_platform_says_it_while_it_lasts_in_one_line_of_the_trail(campaign):
    began = timezone.now()
    for seconds in (30, 40):
        note_outage(process="here", began_at=began, until=began + timedelta(seconds=seconds))
    assert Outage.objects.count() == 1
    assert TrailLine.objects.filter(act="bots.failed_together").count() == 1
    (notice,) = outage_notices(began + timedelta(seconds=35))
    assert notice["en"].startswith("Several systems fail at once")
    assert outage_notices(began + timedelta(seconds=40)) == []
