"""A leaderboard is public from the campaign's day of publication on, never before, and also after the campaign's end."""

from datetime import timedelta

import pytest
from django.utils import timezone

from campaigns.calendar import NotNow
from campaigns.models import Campaign
from publication.actions import freezing
from publication.actions.freezing import carry_out_orders, freeze
from publication.actions.publishing import follow_publications, publish, withdraw
from publication.models import FreezeOrder, Publication
from tests.publication.actions.test_publishing import state

pytestmark = pytest.mark.django_db


def test_nothing_is_public_before_the_campaigns_day_of_publication(snapshot, organizer):
    now = timezone.now()
    day = now.replace(microsecond=0) + timedelta(days=2)
    Campaign.objects.update(publication_at=day)
    for early in (now, day - timedelta(seconds=1)):
        with pytest.raises(NotNow, match="Results are published from"):
            publish(snapshot=snapshot, public_from=early, by=organizer, at=now)
    assert not Publication.objects.exists()
    assert publish(snapshot=snapshot, public_from=day, by=organizer, at=now).public_from == day


def test_publishing_and_withdrawing_stay_open_once_the_campaign_is_over(snapshot, organizer):
    now = timezone.now()
    Campaign.objects.update(ends_at=now - timedelta(days=1))
    publish(snapshot=snapshot, public_from=now, by=organizer, at=now)
    withdraw(snapshot=snapshot, because="a wrong figure", by=organizer, at=now)
    assert state(snapshot.campaign) == (False, True)


def test_what_a_campaign_file_publishes_waits_for_the_day_of_publication(scored):
    now = timezone.now()
    day = now + timedelta(days=2)
    Campaign.objects.update(is_published=True, publication_at=day)
    follow_publications(at=now)
    assert carry_out_orders(at=now) == 1
    assert Publication.objects.get().public_from == day
    assert state(scored) == (False, True)
    follow_publications(at=day)
    assert state(scored) == (True, True)


def freezing_while(monkeypatch, happens):
    """Something happens while the board is frozen, after the campaign was read."""

    def freeze_meanwhile(**named):
        made = freeze(**named)
        monkeypatch.setattr(freezing, "freeze", freeze)
        happens()
        return made

    monkeypatch.setattr(freezing, "freeze", freeze_meanwhile)


def test_the_day_of_publication_may_be_moved_while_the_board_is_frozen(scored, monkeypatch):
    now = timezone.now()
    later = now + timedelta(days=3)
    Campaign.objects.update(is_published=True, publication_at=now + timedelta(days=2))
    follow_publications(at=now)
    freezing_while(monkeypatch, lambda: Campaign.objects.update(publication_at=later))
    assert carry_out_orders(at=now) == 1
    assert Publication.objects.get().public_from == later


def test_what_an_organizer_publishes_with_aliases_meanwhile_ends_what_the_file_asked_for(
    scored, monkeypatch, organizer
):
    now = timezone.now()
    Campaign.objects.update(is_published=True)
    follow_publications(at=now)

    def publishes_aliases():
        snapshot = freeze(campaign=scored, hides_teams=True, by=organizer, at=now)
        publish(snapshot=snapshot, public_from=now, by=organizer, at=now)

    freezing_while(monkeypatch, publishes_aliases)
    carry_out_orders(at=now)
    assert FreezeOrder.objects.get().failure.startswith("Withdraw the published one first")
    # Nothing freezes the board again and again, and what is published stays so.
    hours_later = now + timedelta(hours=2)
    follow_publications(at=hours_later)
    assert carry_out_orders(at=hours_later) == 0
    assert (scored.snapshots.count(), Publication.objects.get().snapshot.hides_teams) == (2, True)
    assert state(scored) == (True, True)
