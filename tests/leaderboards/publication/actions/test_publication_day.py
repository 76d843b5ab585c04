"""A leaderboard is public from the campaign's day of publication on, never before, and also after the campaign's end."""

from datetime import timedelta

import pytest
from django.utils import timezone

from campaigns.calendar import NotNow
from campaigns.models import Campaign
from leaderboards.models import Publication
from leaderboards.publication.actions.freezing import carry_out_orders
from leaderboards.publication.actions.publishing import follow_publications, publish, withdraw
from tests.leaderboards.publication.actions.test_publishing import state

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
