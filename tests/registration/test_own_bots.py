"""A team's own bots: drafts where organizers admit, and what may change when."""

from datetime import timedelta

import pytest
from django.utils import timezone

from campaigns.actions import admit_bot, send_back_bot
from campaigns.calendar import NotNow
from campaigns.models import Entry
from participants.adapters import ADAPTERS
from participants.bot_form import read_address, read_bot
from participants.models import Team
from registration.actions import change_own_address, register_own_bot

URL = "https://own.example.com/"


def registered(campaign, by):
    form = read_bot({"name": "Own bot", "url": URL}, ADAPTERS)
    team = Team.objects.get(name="Team Alpha")
    return register_own_bot(campaign=campaign, team=team, form=form, by=by, at=timezone.now())


def changed(entry, by, url=URL, **more):
    form = read_address({"url": url, "protocol": "huace/1"} | more, ADAPTERS)
    entry = Entry.objects.select_related("campaign", "bot__team").get(pk=entry.pk)
    return change_own_address(entry=entry, form=form, by=by, at=timezone.now())


def test_it_takes_part_at_once_where_nobody_admits(campaign, participant):
    entry = registered(campaign, participant)
    assert (entry.draft_since, entry.admitted_by) == (None, participant)


def test_it_is_a_draft_where_organizers_admit(campaign, participant, organizer):
    campaign.admission = "organizer"
    campaign.save()
    entry = registered(campaign, participant)
    assert (entry.draft_since is not None, entry.admitted_at) == (True, None)
    admit_bot(entry=entry, by=organizer, at=timezone.now())
    assert changed(entry, participant, secret="another").draft_since is None
    assert changed(entry, participant, f"{URL}new").draft_since is not None


def test_after_the_freeze_a_bot_that_was_sent_back_may_change(campaign, participant, organizer):
    entry = registered(campaign, participant)
    campaign.frozen_at = timezone.now() - timedelta(hours=1)
    campaign.save()
    with pytest.raises(NotNow):
        changed(entry, participant, f"{URL}new")
    send_back_bot(entry=entry, because="Another server, please.", by=organizer, at=timezone.now())
    assert changed(entry, participant, f"{URL}new").url == f"{URL}new"
