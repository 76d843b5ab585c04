"""A campaign keeps what people wrote as long as it says, and its figures for good."""

import io
import json
from datetime import timedelta
from unittest.mock import Mock

import pytest
from django.core.management import call_command
from django.utils import timezone

from audit.models import TrailLine
from campaigns.models import Campaign
from dialogues.models import Turn
from leaderboards.live_board import computed_rows
from privacy.actions import retention
from privacy.actions.retention import due, remove_due_texts, texts_go_at
from privacy.actions.talks import erase_talk
from tests.privacy.conftest import EMAIL, MARK, damage, rows_that_hold, trail_breaks

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture
def ended(marked, campaign):
    """It ended ten days before `at`, and keeps texts for seven."""
    at = timezone.now()
    Campaign.objects.update(texts_kept_days=7, ends_at=at - 10 * DAY)
    campaign.refresh_from_db()
    return campaign


@pytest.mark.parametrize(
    ("days", "ends", "is_due"), [(7, -7.1, True), (7, -6.9, False), (0, -999, False), (7, None, False)]
)
def test_texts_are_due_their_days_after_the_end(campaign, days, ends, is_due):
    at = timezone.now()
    Campaign.objects.update(texts_kept_days=days, ends_at=None if ends is None else at + ends * DAY)
    assert bool(due(at)) is is_due
    campaign.refresh_from_db()
    assert (texts_go_at(campaign) is not None and texts_go_at(campaign) < at) is is_due


def test_what_was_said_and_written_goes_and_figures_stay(ended):
    before = json.dumps(computed_rows(ended))
    assert remove_due_texts(at=timezone.now()) == [ended]
    # The account, the trail and what an organizer wrote are not the campaign's texts.
    assert set(rows_that_hold(MARK)) == {"audit_trailline"}
    assert not {"registration_application", "registration_invitation"} & set(rows_that_hold(EMAIL))
    assert json.dumps(computed_rows(ended)) == before
    assert damage() == {}
    assert trail_breaks() == []


def test_it_is_done_once_and_leaves_a_line(ended):
    assert remove_due_texts(at=timezone.now())
    assert not remove_due_texts(at=timezone.now())
    line = TrailLine.objects.of_act("privacy.texts_expired").get()
    assert (line.campaign, line.details) == ("small", {"turns": Turn.objects.count(), "days": 7})
    ended.refresh_from_db()
    assert ended.texts_gone_at is not None


def test_the_command_names_what_is_due_and_removes_it(ended):
    out = io.StringIO()
    call_command("expire_texts", "--dry-run", stdout=out)
    assert out.getvalue() == "small: its texts are due\n"
    call_command("expire_texts", stdout=out)
    call_command("expire_texts", stdout=out)
    assert out.getvalue().endswith("small: its texts are removed\nNo campaign is due.\n")


def test_what_ends_in_the_middle_goes_on_with_the_next_look(ended, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr("privacy.actions.retention.remove_writings", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            remove_due_texts(at=timezone.now())
    assert not Turn.objects.filter(text__contains=MARK).exists()
    ended.refresh_from_db()
    assert ended.texts_gone_at is None
    assert remove_due_texts(at=timezone.now()) == [ended]
    assert set(rows_that_hold(MARK)) == {"audit_trailline"}
    assert damage() == {}
    assert trail_breaks() == []


def test_what_goes_before_more_time_is_given_has_a_line(ended, monkeypatch):
    def given_more_time(dialogues):
        Campaign.objects.update(texts_kept_days=0)
        return erase_talk(dialogues)

    monkeypatch.setattr(retention, "erase_talk", given_more_time)
    assert remove_due_texts(at=timezone.now()) == []
    line = TrailLine.objects.of_act("privacy.texts_expired").get()
    assert line.details == {"turns": Turn.objects.count(), "days": 0, "partly": True}
