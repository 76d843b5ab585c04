"""One check at a time per bot, some per hour; what it finds is stored, and a lost worker's check is taken up again."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from audit.models import TrailLine
from conformance.actions import CannotCheck, ask_check, claim_check, end_check, note_results
from conformance.actions.checks import ATTEMPT_LIMIT, CHECKS_PER_HOUR, LEASE, give_back
from conformance.models import Check, CheckState
from conformance.results import UNFINISHED, Result, Verdict
from conformance.system_kinds import BOTS
from reading.findings import Finding
from serving.actions import end_leases

NOW = timezone.now()


def found(verdict=Verdict.PASS, name="reachable"):
    return Result(name, verdict, Finding("", "It took %(n)s ms.", {"n": 3}))


@pytest.fixture
def entry(campaign):
    return campaign.entries.select_related("campaign", "bot__team").get()


def done(entry, verdict=Verdict.PASS, at=NOW):
    ask_check(BOTS, system=entry, by=None, at=at)
    check = claim_check(BOTS, worker="w", at=at)
    end_check(BOTS, check=check, worker="w", results=[found(verdict)], at=at)
    check.refresh_from_db()
    entry.refresh_from_db()
    return check


def test_a_green_report_makes_the_bot_green_and_a_red_one_ends_that(entry):
    check = done(entry, Verdict.WARN)
    assert (check.state, check.verdict, check.is_green, entry.green_at) == ("done", "warn", True, NOW)
    check = done(entry, Verdict.FAIL)
    assert (check.is_green, check.n_failed, entry.green_at) == (False, 1, None)
    assert list(TrailLine.objects.filter(act="bot.checked").order_by("number").values_list("details", flat=True)) == [
        {"bot": "a", "verdict": "warn"},
        {"bot": "a", "verdict": "fail"},
    ]


def test_a_bot_that_changed_while_its_check_waited_is_checked_as_it_is_now(entry):
    ask_check(BOTS, system=entry, by=None, at=NOW)
    entry.url, entry.protocol, entry.options = "https://elsewhere.example.com/", "openai", {"model": "another"}
    entry.save()
    check = claim_check(BOTS, worker="w", at=NOW)
    assert (check.url, check.protocol, check.options) == (entry.url, "openai", {"model": "another"})
    end_check(BOTS, check=check, worker="w", results=[found()], at=NOW)
    entry.refresh_from_db()
    assert entry.green_at == NOW
    assert Check.objects.get().url == "https://elsewhere.example.com/"


def test_a_report_that_the_platform_could_not_finish_leaves_the_bot_what_it_was(entry):
    done(entry)
    ask_check(BOTS, system=entry, by=None, at=NOW)
    check = claim_check(BOTS, worker="w", at=NOW)
    assert end_check(BOTS, check=check, worker="w", results=[found(), found(Verdict.WARN, UNFINISHED)], at=NOW)
    check.refresh_from_db()
    entry.refresh_from_db()
    assert (check.state, check.is_over, check.is_green, len(check.found)) == ("interrupted", True, False, 2)
    assert entry.green_at == NOW
    assert TrailLine.objects.filter(act="bot.checked").count() == 1


def test_what_failed_before_the_platform_had_to_stop_has_failed(entry):
    done(entry)
    ask_check(BOTS, system=entry, by=None, at=NOW)
    check = claim_check(BOTS, worker="w", at=NOW)
    stopped = [found(Verdict.FAIL), found(Verdict.WARN, UNFINISHED)]
    assert end_check(BOTS, check=check, worker="w", results=stopped, at=NOW)
    check.refresh_from_db()
    entry.refresh_from_db()
    assert (check.state, check.verdict, entry.green_at) == ("done", "fail", None)


@pytest.mark.parametrize(
    ("column", "value"),
    [("url", "https://elsewhere.example.com/"), ("protocol", "openai"), ("options", {"model": "another"})],
)
def test_a_report_on_what_changed_meanwhile_makes_nothing_green(entry, column, value):
    ask_check(BOTS, system=entry, by=None, at=NOW)
    check = claim_check(BOTS, worker="w", at=NOW)
    setattr(entry, column, value)
    entry.save()
    end_check(BOTS, check=check, worker="w", results=[found()], at=NOW)
    entry.refresh_from_db()
    assert entry.green_at is None


def test_one_check_at_a_time(entry):
    ask_check(BOTS, system=entry, by=None, at=NOW)
    with pytest.raises(CannotCheck, match="being checked already"):
        ask_check(BOTS, system=entry, by=None, at=NOW)
    with pytest.raises(IntegrityError), transaction.atomic():
        Check.objects.create(entry=entry, asked_at=NOW, protocol="huace/1", url=entry.url)


def test_a_bot_is_checked_some_times_per_hour(entry):
    for _ in range(CHECKS_PER_HOUR):
        done(entry)
    with pytest.raises(CannotCheck) as refused:
        ask_check(BOTS, system=entry, by=None, at=NOW)
    assert refused.value.code == "too_often"
    ask_check(BOTS, system=entry, by=None, at=NOW + timedelta(minutes=61))


@pytest.mark.parametrize(("column", "value", "code"), [("url", "", "no_address"), ("withdrawn_at", NOW, "withdrawn")])
def test_what_cannot_be_asked_is_not_checked(entry, column, value, code):
    setattr(entry, column, value)
    entry.save()
    with pytest.raises(CannotCheck) as refused:
        ask_check(BOTS, system=entry, by=None, at=NOW)
    assert refused.value.code == code


def test_results_are_stored_as_they_come_and_renew_the_lease(entry):
    ask_check(BOTS, system=entry, by=None, at=NOW)
    check = claim_check(BOTS, worker="w", at=NOW)
    later = NOW + LEASE / 2
    assert note_results(check=check, worker="w", results=[found()], at=later)
    check.refresh_from_db()
    assert ([one.name for one in check.found], check.lease_until) == (["reachable"], later + LEASE)
    assert claim_check(BOTS, worker="other", at=NOW + LEASE) is None


def test_a_check_whose_worker_is_gone_is_taken_up_by_another(entry):
    ask_check(BOTS, system=entry, by=None, at=NOW)
    first = claim_check(BOTS, worker="w", at=NOW)
    assert claim_check(BOTS, worker="other", at=NOW) is None
    end_leases(Check.objects.all(), is_dead=lambda name: name == "w", at=NOW)
    second = claim_check(BOTS, worker="other", at=NOW)
    assert second.pk == first.pk
    assert not note_results(check=first, worker="w", results=[found()], at=NOW)
    assert not end_check(BOTS, check=first, worker="w", results=[found()], at=NOW)
    second.refresh_from_db()
    assert second.state == CheckState.RUNNING


def test_a_check_that_is_left_again_and_again_is_given_up(entry):
    ask_check(BOTS, system=entry, by=None, at=NOW)
    for number in range(ATTEMPT_LIMIT):
        assert claim_check(BOTS, worker=f"w{number}", at=NOW + number * 2 * LEASE)
    assert claim_check(BOTS, worker="last", at=NOW + ATTEMPT_LIMIT * 2 * LEASE) is None
    check = Check.objects.get()
    assert (check.state, check.is_over, check.is_green) == ("interrupted", True, False)


def test_a_check_whose_worker_was_told_to_end_waits_as_before(entry):
    ask_check(BOTS, system=entry, by=None, at=NOW)
    check = claim_check(BOTS, worker="w", at=NOW)
    give_back(check=check, worker="w")
    check.refresh_from_db()
    assert (check.state, check.n_attempts) == ("queued", 0)
