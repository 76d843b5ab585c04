"""An agreement has versions; who accepted which one for the team, and when, is stored."""

import pytest
from django.core.files.base import ContentFile
from django.utils import timezone

from audit.models import TrailLine
from campaigns.actions import take_out_bot
from participants.adapters import ADAPTERS
from participants.bot_form import read_bot
from participants.models import Team
from registration.actions import (
    NotPossible,
    accept_agreement,
    change_own_address,
    download_package,
    register_own_bot,
    upload_package,
)
from registration.agreements import acceptance_of, current_agreement
from registration.models import Acceptance
from tests.registration.conftest import agree_on

pytestmark = pytest.mark.django_db


@pytest.fixture
def team(campaign):
    return Team.objects.get(name="Team Alpha")


def accept(campaign, team, person, version):
    return accept_agreement(campaign=campaign, team=team, person=person, version=version, at=timezone.now())


def refused(act, *given, **named):
    with pytest.raises(NotPossible) as not_possible:
        act(*given, **named)
    return not_possible.value.code


def register(campaign, team, by):
    form = read_bot({"name": "Own bot", "url": "https://bot.example.com/"}, ADAPTERS)
    return register_own_bot(campaign=campaign, team=team, form=form, by=by, at=timezone.now())


def test_who_accepted_which_version_and_when_is_stored(campaign, team, participant, agreement):
    before = timezone.now()
    accept(campaign, team, participant, 1)
    stored = Acceptance.objects.get()
    assert (stored.agreement, stored.team, stored.person) == (agreement, team, participant)
    assert stored.at >= before
    line = TrailLine.objects.get(act="agreement.accepted")
    assert (line.person, line.about, line.details) == ("participant", "Team Alpha", {"version": 1})
    accept(campaign, team, participant, 1)
    assert Acceptance.objects.count() == 1
    assert TrailLine.objects.filter(act="agreement.accepted").count() == 1


def test_a_new_version_asks_again_and_the_old_one_cannot_be_accepted(campaign, team, participant, agreement):
    accept(campaign, team, participant, 1)
    new = agree_on(campaign, "还有第二条。")
    assert new.version == 2
    assert acceptance_of(current_agreement(campaign), team) is None
    assert refused(accept, campaign, team, participant, 1) == "other_version"
    accept(campaign, team, participant, 2)
    assert team.acceptances.count() == 2


def test_the_same_text_is_no_new_version(campaign, agreement):
    assert refused(agree_on, campaign, "只用于评测。\r\n") == "unchanged"
    assert refused(agree_on, campaign, "长" * 50_001) == "too_long"
    assert campaign.agreements.count() == 1


def test_without_a_text_none_is_asked_for(campaign, team, participant, agreement):
    assert refused(register, campaign, team, participant) == "not_agreed"
    agree_on(campaign, "", "")
    assert current_agreement(campaign) is None
    assert refused(accept, campaign, team, participant, 2) == "no_text"
    assert register(campaign, team, participant)


def test_no_bot_and_no_data_before_the_agreement(campaign, team, participant, agreement, organizer):
    package = upload_package(
        campaign=campaign, file_name="data.zip", content=ContentFile(b"data"), about="", by=organizer, at=timezone.now()
    )
    entry = campaign.entries.get()
    form = read_bot({"name": "x", "url": "https://bot.example.com/"}, ADAPTERS)
    assert refused(register, campaign, team, participant) == "not_agreed"
    assert refused(change_own_address, entry=entry, form=form, by=participant, at=timezone.now()) == "not_agreed"
    fetch = {"package": package, "person": participant, "team": team, "at": timezone.now()}
    assert refused(download_package, **fetch) == "not_agreed"
    assert package.downloads.count() == 0
    accept(campaign, team, participant, 1)
    assert b"".join(download_package(**fetch)) == b"data"
    assert register(campaign, team, participant)


def test_a_team_that_has_not_agreed_may_still_leave(campaign, team, participant, agreement):
    take_out_bot(entry=campaign.entries.get(), by=participant, at=timezone.now())
    assert campaign.entries.get().withdrawn_at is not None


def test_the_agreement_of_one_team_binds_no_other(campaign, team, participant, agreement):
    accept(campaign, team, participant, 1)
    assert acceptance_of(agreement, Team.objects.create(name="Team Beta")) is None
