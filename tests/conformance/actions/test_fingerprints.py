"""Fingerprints are taken at admission, daily and when testing begins; a changed bot is told once."""

from datetime import timedelta

import pytest
from django.utils import timezone

from audit.models import TrailLine
from campaigns.actions import NotThatStage
from campaigns.calendar import NotNow
from campaigns.models import Entry
from conformance.actions import accept_change, change_of, claim_fingerprint, finish_fingerprint
from conformance.system_kinds import BOTS
from participants.models import Bot
from reading.findings import sentence

NOW = timezone.now()
THEN = [["您好"] * 3, ["订好了"] * 3]
OTHER = [["Hello"] * 3, ["Done"] * 3]


def h(hours):
    return NOW + timedelta(hours=hours)


@pytest.fixture
def entry(campaign):
    campaign.frozen_at = h(-48)
    campaign.save()
    return campaign.entries.select_related("campaign").get()


@pytest.fixture
def other_entry(entry, campaign):
    bot = Bot.objects.create(team=entry.bot.team, name="other")
    named = {"key": "other", "alias": "B", "url": "https://other.example.com/", "origin": "file"}
    return Entry.objects.create(campaign=campaign, bot=bot, protocol="huace/1", **named)


REFUSED = sentence("refused")


def taken(at, answers=THEN, failure=None, version=""):
    begun = claim_fingerprint(BOTS, at=at)
    return begun and finish_fingerprint(BOTS, begun=begun, answers=answers, version=version, failure=failure, at=at)


def test_a_campaign_without_a_day_asks_nothing_by_itself(entry, campaign):
    campaign.frozen_at = None
    campaign.save()
    assert claim_fingerprint(BOTS, at=NOW) is None
    campaign.admission = "organizer"
    campaign.save()
    assert claim_fingerprint(BOTS, at=NOW) is not None


def test_by_default_the_first_is_taken_at_once_where_testing_has_a_date(entry, campaign):
    campaign.frozen_at, campaign.testing_from = None, h(3)
    campaign.save()
    assert campaign.admission == "at_once"
    assert taken(NOW).is_reference
    assert taken(h(2)) is None
    assert taken(h(3), answers=OTHER).is_changed
    assert taken(h(26)) is None
    assert taken(h(27)) is not None


def test_it_is_taken_once_a_day_and_when_testing_begins(entry, campaign):
    campaign.testing_from, campaign.testing_until = h(30), h(60)
    campaign.save()
    assert taken(NOW).is_reference
    assert taken(h(1)) is None
    assert taken(h(24)) is not None
    assert taken(h(29)) is None
    assert taken(h(30)) is not None
    assert taken(h(53)) is None
    assert taken(h(61)) is None


def test_a_bot_that_pauses_or_left_is_not_asked(entry):
    entry.paused_at = NOW
    entry.save()
    assert claim_fingerprint(BOTS, at=NOW) is None


def test_a_changed_bot_is_told_once(entry):
    taken(NOW)
    assert taken(h(24), OTHER).differs == [0, 1]
    assert change_of(entry) is not None
    taken(h(48), OTHER)
    assert TrailLine.objects.filter(act="bot.changed").count() == 1


def test_a_bot_whose_server_is_another_version_has_changed(entry, organizer):
    taken(NOW, version="Gradio 4.44.1")
    assert not taken(h(24)).is_changed
    assert taken(h(48), version="Gradio 5.50.0").is_changed
    assert change_of(entry) is not None
    line = TrailLine.objects.get(act="bot.changed")
    assert (line.details["questions"], line.details["version"]) == (0, "Gradio 5.50.0")
    accept_change(BOTS, system=entry, by=organizer, at=h(49))
    assert change_of(entry) is None
    assert not taken(h(72), version="Gradio 5.50.0").is_changed


def test_a_bot_that_changed_back_is_no_longer_flagged(entry):
    taken(NOW)
    taken(h(24), OTHER)
    taken(h(48), THEN)
    assert change_of(entry) is None


def test_a_bot_that_does_not_answer_has_not_changed(entry):
    taken(NOW)
    taken(h(24), [], failure=REFUSED)
    assert change_of(entry) is None


def test_after_a_failure_it_is_taken_again_ten_minutes_later(entry):
    assert taken(NOW, answers=[], failure=REFUSED).failure
    assert taken(NOW + timedelta(minutes=9)) is None
    assert taken(NOW + timedelta(minutes=10)).is_reference
    assert taken(NOW + timedelta(minutes=20)) is None


def test_a_bot_that_stays_down_is_asked_less_and_less_often_and_has_one_row(entry):
    at, pauses = NOW, []
    assert taken(at, answers=[], failure=REFUSED).n_tries == 1
    for _ in range(10):
        tried_at = at
        while taken(at, answers=[], failure=REFUSED) is None:
            at += timedelta(minutes=10)
        pauses.append((at - tried_at) // timedelta(minutes=10))
    assert pauses == [1, 2, 4, 8, 16, 32, 64, 128, 144, 144]
    (row,) = entry.fingerprints.all()
    assert (row.taken_at, row.n_tries) == (at, 11)


def test_the_row_of_a_try_that_failed_is_that_of_the_fingerprint_and_the_next_has_its_own(entry):
    taken(NOW, answers=[], failure=REFUSED)
    again = taken(h(1))
    assert (again.is_reference, again.failure, again.n_tries) == (True, [], 2)
    assert taken(h(25)).n_tries == 1
    assert entry.fingerprints.count() == 2


def test_whose_latest_fingerprint_is_oldest_is_asked_first(entry, other_entry):
    """However short the time is, every bot has its turn before one has a second."""
    assert [claim_fingerprint(BOTS, at=NOW).entry, claim_fingerprint(BOTS, at=NOW).entry] == [entry, other_entry]
    entry.fingerprints.update(taken_at=h(-1))
    other_entry.fingerprints.update(taken_at=h(-2))
    assert [claim_fingerprint(BOTS, at=NOW).entry, claim_fingerprint(BOTS, at=NOW).entry] == [other_entry, entry]


def test_an_organizer_accepts_the_change(entry, organizer):
    taken(NOW)
    taken(h(24), OTHER)
    accept_change(BOTS, system=entry, by=organizer, at=h(25))
    assert change_of(entry) is None
    assert taken(h(48), OTHER).differs == []
    with pytest.raises(NotThatStage, match="as it did at its admission"):
        accept_change(BOTS, system=entry, by=organizer, at=h(49))


def test_after_the_end_no_change_is_accepted(entry, campaign, organizer):
    taken(NOW)
    taken(h(24), OTHER)
    campaign.ends_at = h(25)
    campaign.save()
    with pytest.raises(NotNow):
        accept_change(BOTS, system=entry, by=organizer, at=h(26))
    assert change_of(entry) is not None


def test_another_address_is_compared_with_nothing_of_before(entry):
    taken(NOW)
    entry.url = "https://elsewhere.example.com/"
    entry.save()
    assert taken(h(1), OTHER).is_reference


def test_an_admission_takes_it_anew(entry):
    taken(NOW)
    entry.admitted_at = h(2)
    entry.save()
    again = taken(h(2), OTHER)
    assert (again.is_reference, again.differs) == (True, [])


def test_what_comes_too_late_is_not_stored_and_told_by_nobody(entry):
    taken(NOW)
    late = claim_fingerprint(BOTS, at=h(24))
    assert claim_fingerprint(BOTS, at=h(24) + timedelta(minutes=9)) is None
    again = claim_fingerprint(BOTS, at=h(24) + timedelta(minutes=10))
    assert (again.pk, again.n_tries) == (late.pk, 2)
    finish_fingerprint(BOTS, begun=again, answers=OTHER, at=h(25))
    finish_fingerprint(BOTS, begun=late, answers=THEN, at=h(25))
    again.refresh_from_db()
    assert (again.answers, again.differs) == (OTHER, [0, 1])
    late = claim_fingerprint(BOTS, at=h(49))
    again = claim_fingerprint(BOTS, at=h(50))
    finish_fingerprint(BOTS, begun=again, answers=OTHER, at=h(50))
    finish_fingerprint(BOTS, begun=late, answers=OTHER, at=h(50))
    assert TrailLine.objects.filter(act="bot.changed").count() == 1


def test_one_that_may_take_longer_is_not_begun_anew_before_it_must_be_over(entry, campaign):
    """15 questions in a row at 40 s, the version, five minutes of waits, and a minute: 1,007 s."""
    campaign.reply_deadline_s, entry.parallel = 40, 1
    campaign.save()
    entry.save()
    assert claim_fingerprint(BOTS, at=NOW) is not None
    assert claim_fingerprint(BOTS, at=NOW + timedelta(seconds=1006)) is None
    assert claim_fingerprint(BOTS, at=NOW + timedelta(seconds=1007)).n_tries == 2


def test_a_moment_makes_none_due_while_one_is_being_taken(entry, campaign):
    assert claim_fingerprint(BOTS, at=NOW) is not None
    campaign.testing_from = NOW + timedelta(minutes=1)
    campaign.save()
    assert claim_fingerprint(BOTS, at=NOW + timedelta(minutes=2)) is None
    assert claim_fingerprint(BOTS, at=NOW + timedelta(minutes=10)).n_tries == 2


def test_two_processes_take_one(entry):
    assert claim_fingerprint(BOTS, at=NOW) is not None
    assert claim_fingerprint(BOTS, at=NOW) is None
    # Nobody finished it.
    assert claim_fingerprint(BOTS, at=NOW + timedelta(minutes=11)) is not None
