"""How a bot stands and how well it answers, from the ledger; its last day in cells of ten minutes, and the picture of it."""

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from api.answers import encoded
from campaigns.actions import pause_bot, take_out_bot
from dialogues.models import Attempt, Turn
from participants.failures import FailureKind
from participants.models import Team
from team_desk.answers import AnswersDocument
from team_desk.health_picture import Answers, Call, Cell, cells_of, hours_of, picture_of, top_of, whole_of
from team_desk.own_bots import LATELY, bot_of, calls_of, entries_of, health_of, own_bots
from tests.dialogues.test_actions import Talk

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def in_english():
    with translation.override("en"):
        yield


@pytest.fixture
def entry(campaign):
    return campaign.entries.get()


@pytest.fixture
def talk(dialogue, admission):
    """One answer, one failure that is the bot's, one that is ours."""
    talk = Talk(dialogue, admission)
    talk.answer(talk.send("1").asked)
    talk.fail(talk.send("2").asked, FailureKind.BAD_JSON)
    talk.fail(talk.retry(2), FailureKind.INTERRUPTED)
    return talk


def answered_in(talk, *latencies_ms):
    for key, latency_ms in enumerate(latencies_ms, start=10):
        talk.answer(talk.send(key=str(key)).asked)
        Turn.objects.filter(number=Turn.objects.count()).update(latency_ms=latency_ms)


def test_answers_and_failures_are_counted_by_kind_and_fault(entry, talk):
    health = bot_of(entry).health
    ever = health.ever
    assert (ever.n_answered, ever.n_failed, ever.n_calls, ever.n_of_others) == (1, 1, 2, 1)
    assert (dict(ever.kinds), ever.p50_ms, ever.p95_ms) == ({"bad_json": 1}, 5, 5)
    assert health.lately == ever


def test_what_is_older_than_a_day_counts_in_all_only(entry, talk):
    old = timezone.now() - LATELY - timedelta(seconds=1)
    Turn.objects.update(settled_at=old)
    Attempt.objects.update(ended_at=old)
    health = bot_of(entry).health
    assert (health.lately.n_calls, health.lately.p95_ms, health.ever.n_calls) == (0, None, 2)


def test_percentiles_are_those_of_the_answers_counted_by_the_database_in_steps(entry, dialogue, admission):
    answered_in(Talk(dialogue, admission), 700, 700, 1234, 1236, 1239)
    ever = bot_of(entry).health.ever
    assert (ever.latencies, ever.p50_ms, ever.p95_ms) == (Counter({700: 2, 1230: 3}), 1230, 1230)


def test_health_is_read_in_as_many_queries_for_many_bots_as_for_one(campaign, talk):
    with CaptureQueriesContext(connection) as asked:
        own_bots(entries_of(Team.objects.get(name="Team Alpha"), campaign), timezone.now())
    assert len(asked) == 4  # the team, its bots, failures, answers
    assert health_of([], timezone.now()) == {}


def test_programs_read_the_most_frequent_failure_first():
    answers = Answers(kinds=Counter({"refused": 1, "timeout": 2}))
    assert list(encoded(AnswersDocument, answers)["by_kind"].items()) == [("timeout", 2), ("refused", 1)]


def state(entry):
    return bot_of(entry).state


def test_a_bot_says_how_it_stands_and_who_acts(entry, talk):
    assert state(entry).key == "testing"
    pause_bot(entry=entry, because="too slow", at=timezone.now())
    paused = state(entry)
    assert (paused.key, paused.because, paused.since is not None, paused.is_ours) == ("paused", "too slow", True, False)


def test_a_bot_that_nobody_talked_to_says_what_it_waits_for(campaign, entry, settings):
    assert state(entry).key == "registered"
    assert state(entry).next == "Testers can begin at any time. Keep it running."
    campaign.free_choice = False
    campaign.save()
    assert state(entry).next == "An organizer draws assignments for it."
    entry.secret = "s"
    entry.save()
    settings.SECRET_KEY = "another key" * 9
    assert (state(entry).key, state(entry).is_ours) == ("secret_lost", True)
    entry.url = ""
    entry.save()
    assert (state(entry).key, state(entry).is_ours) == ("no_address", True)
    take_out_bot(entry=entry, by=None, at=timezone.now(), because="gone")
    assert (state(entry).key, state(entry).because) == ("withdrawn", "gone")


def test_a_day_has_answers_and_the_bots_own_failures_in_two_queries(entry, talk, django_assert_num_queries):
    with django_assert_num_queries(2):
        calls = list(calls_of(entry, timezone.now()))
    assert [(call.latency_ms, call.kind) for call in calls] == [(5, ""), (None, "bad_json")]
    assert list(calls_of(entry, timezone.now() + timedelta(days=2))) == []


def test_the_page_draws_the_day_and_says_it_in_a_table(entry, talk, browser):
    page = browser.get(f"/campaigns/small/team/bots/{entry.pk}/")
    text = page.content.decode()
    assert page.context["day"]["whole"].percent_answered == 50.0
    assert text.count("<svg\n") >= 2
    assert '<a class="push" href="#failures">' in text
    assert 'id="failures"' in text


def test_the_cells_that_a_program_reads_add_up_to_the_day(campaign, entry, talk, participant, browser):
    place = f"/api/v1/campaigns/small/team/bots/{entry.pk}/health/"
    day = browser.get(place).json()
    assert (day["answered"], day["failed"], day["percent_answered"], day["p50_ms"]) == (1, 1, 50.0, 5)
    assert len(day["cells"]) == 144
    assert [sum(cell[name] for cell in day["cells"]) for name in ("answered", "failed")] == [1, 1]
    assert day["cells"][0] == {**day["cells"][0], "answered": 0, "failed": 0, "p50_ms": None, "p95_ms": None}
    assert day["cells"][0]["since"] < day["cells"][-1]["since"]
    campaign.team_members.filter(person=participant).delete()
    assert browser.get(place).status_code == 409
    assert browser.get("/api/v1/campaigns/small/team/bots/987654321/health/").status_code == 409


AT = datetime(2026, 5, 11, 14, 37, 12, tzinfo=UTC)


def before(minutes, latency_ms=None):
    return Call(AT - timedelta(minutes=minutes), latency_ms)


def test_a_day_ends_with_the_ten_minutes_that_go_on():
    cells = cells_of([], AT)
    assert len(cells) == 144
    assert cells[-1].since == datetime(2026, 5, 11, 14, 30, tzinfo=UTC)
    assert cells[0].since == datetime(2026, 5, 10, 14, 40, tzinfo=UTC)


def cell(*latencies_ms, n_failed=0):
    return Cell(Counter(latencies_ms), Counter({"timeout": n_failed} if n_failed else {}), since=AT)


def test_calls_count_where_they_ended_and_what_is_older_than_a_day_does_not():
    cells = cells_of([before(0, 900), before(7, 1100), before(8), before(24 * 60), before(24 * 60 - 2)], AT)
    assert (dict(cells[-1].latencies), cells[-1].n_failed) == ({900: 1, 1100: 1}, 0)
    assert cells[-2].n_failed == 1
    assert whole_of(cells).n_calls == 3


def test_shares_and_quantiles_are_those_of_the_calls():
    whole = cell(100, 200, 300, 4000, n_failed=1)
    assert whole.percent_answered == 80.0
    assert (whole.p50_ms, whole.p95_ms) == (200, 4000)
    assert cell().percent_answered is None


def test_hours_without_a_call_have_no_row():
    hours = hours_of(cells_of([before(0, 900), before(20), before(120, 500)], AT))
    assert [(hour.since.hour, hour.n_answered, hour.n_failed) for hour in hours] == [(11, 1, 0), (13, 1, 1)]


def test_the_scale_ends_at_the_first_round_number_that_holds_everything():
    assert [top_of([cell(ms)]) for ms in (0, 1000, 1001, 9000, 61_000, 500_000)] == [1, 1, 2, 10, 120, 120]


def test_a_line_breaks_where_nothing_was_answered_and_failures_stand_higher():
    cells = [cell(500), cell(1000), cell(), cell(n_failed=1), cell(0)]
    picture = picture_of(cells, width=44 + 36 + 50, n_hours=1)
    assert picture.p50 == "M48.0 55.0H50.0L59.0 14.0M88.0 96.0H90.0"
    assert picture.answered == "M49.0 116V130M59.0 116V130M89.0 116V130"
    assert picture.failed == "M79.0 110V130"
    assert picture.silent == "M69.0 123V130"
    assert picture.seconds == [(96, "0"), (55, "0.5"), (14, "1")]
    assert picture.hours == [(44.5, AT)]
