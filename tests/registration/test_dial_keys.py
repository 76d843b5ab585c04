"""Keys with which bots connect: made once, stored as a hash, ended at once."""

from datetime import timedelta

import pytest
from django.utils import timezone

from audit.models import TrailLine
from campaigns.actions import IsWithdrawn, register_bot, withdraw_bot
from campaigns.models import Entry
from participants.adapters import ADAPTERS
from participants.bot_form import read_bot
from participants.models import Team
from registration.actions import NotPossible, make_dial_key, revoke_dial_key
from registration.actions.own_bots import note_connected, note_left, note_seen
from registration.models import DialKey

pytestmark = pytest.mark.django_db
NOW = timezone.now()


@pytest.fixture
def dial_out(campaign):
    form = read_bot({"name": "Behind a wall", "protocol": "dial-out"}, ADAPTERS)
    team = Team.objects.get(name="Team Alpha")
    return register_bot(campaign=campaign, team=team, form=form, by=None, at=NOW)


def digest_of_key(entry):
    return DialKey.objects.get(entry=entry).digest


def test_a_key_is_stored_as_a_hash_and_recorded_without_it(dial_out, organizer):
    key = make_dial_key(entry=dial_out, by=organizer, at=NOW)
    assert key.startswith("huace-bot-")
    assert len(key) > 50
    assert len(digest_of_key(dial_out)) == 64
    assert key not in str(DialKey.objects.values())
    line = TrailLine.objects.latest("pk")
    assert (line.act, line.about, line.person) == ("bot.dial_key_made", dial_out.alias, "organizer")
    assert key not in str(line.details)


def test_another_key_ends_the_one_before(dial_out):
    make_dial_key(entry=dial_out, by=None, at=NOW)
    old = digest_of_key(dial_out)
    make_dial_key(entry=dial_out, by=None, at=NOW)
    assert DialKey.objects.count() == 1
    assert note_connected(digest=old, connection="c", server="s", at=NOW) is None


def test_only_a_bot_that_connects_itself_has_a_key(campaign):
    with pytest.raises(NotPossible) as refused:
        make_dial_key(entry=campaign.entries.get(), by=None, at=NOW)
    assert refused.value.code == "no_dial_out"


def test_a_withdrawn_bot_gets_no_key_and_is_let_in_by_none(dial_out):
    make_dial_key(entry=dial_out, by=None, at=NOW)
    withdraw_bot(entry=dial_out, because="gone", at=NOW)
    assert note_connected(digest=digest_of_key(dial_out), connection="c", server="s", at=NOW) is None
    with pytest.raises(IsWithdrawn):
        make_dial_key(entry=dial_out, by=None, at=NOW)


def test_a_bot_that_is_called_by_now_is_let_in_by_no_key(dial_out):
    make_dial_key(entry=dial_out, by=None, at=NOW)
    Entry.objects.filter(pk=dial_out.pk).update(protocol="huace/1", url="https://bot.example.com/")
    assert note_connected(digest=digest_of_key(dial_out), connection="c", server="s", at=NOW) is None


def test_a_revoked_key_is_gone_and_cannot_be_revoked_again(dial_out, organizer):
    make_dial_key(entry=dial_out, by=None, at=NOW)
    revoke_dial_key(entry=dial_out, by=organizer, at=NOW)
    assert not DialKey.objects.exists()
    assert TrailLine.objects.latest("pk").act == "bot.dial_key_revoked"
    with pytest.raises(NotPossible) as refused:
        revoke_dial_key(entry=dial_out, by=organizer, at=NOW)
    assert refused.value.code == "no_key"


def test_where_a_bot_is_connected_is_noted_until_it_leaves(dial_out):
    make_dial_key(entry=dial_out, by=None, at=NOW)
    digest = digest_of_key(dial_out)
    found = note_connected(digest=digest, connection="c1", server="s", at=NOW)
    assert found == (f"dial-out:{dial_out.pk}", "Behind a wall")
    assert DialKey.objects.get().is_connected(NOW + timedelta(seconds=29))
    assert not DialKey.objects.get().is_connected(NOW + timedelta(seconds=30))
    note_seen(connections=["c1"], at=NOW + timedelta(seconds=20))
    assert DialKey.objects.get().is_connected(NOW + timedelta(seconds=49))
    note_connected(digest=digest, connection="c2", server="s", at=NOW)
    note_left(connection="c1", at=NOW)  # of the socket that was replaced
    assert DialKey.objects.get().is_connected(NOW)
    note_left(connection="c2", at=NOW)
    assert not DialKey.objects.get().is_connected(NOW)


def test_a_key_is_revoked_even_once_the_campaign_has_ended(dial_out, organizer):
    make_dial_key(entry=dial_out, by=organizer, at=NOW)
    dial_out.campaign.ends_at = NOW
    dial_out.campaign.save()
    revoke_dial_key(entry=dial_out, by=organizer, at=NOW + timedelta(minutes=1))
    assert not DialKey.objects.exists()
