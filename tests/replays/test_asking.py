"""What replays take is counted before anything is asked for."""

import pytest
from django.utils import timezone

from campaigns.models import Campaign, Entry
from dialogues.models import Dialogue, Turn
from replays.actions.asking import CannotReplay, ask_replays, calls_left
from replays.models import Replay
from tests.replays.conftest import asked_for, talked

pytestmark = pytest.mark.django_db


@pytest.fixture
def old(campaign, tester):
    return talked(campaign, tester, ("你好", "好的"), ("谢谢", "不客气"))


def refused(old, entry, **how):
    with pytest.raises(CannotReplay) as error:
        asked_for(old, entry, **how)
    assert str(error.value)
    return error.value.code


def test_calls_are_counted_before(campaign, old, entry):
    Campaign.objects.update(replay_calls_per_day=3)
    campaign.refresh_from_db()
    asked_for(old, entry)
    assert calls_left(campaign, timezone.now()) == 1
    Replay.objects.update(state="done")
    assert refused(old, entry) == "over_budget"
    Replay.objects.update(state="stopped")
    assert asked_for(old, entry).n_lines == 2


def test_a_team_has_a_part_of_the_calls(campaign, old, entry):
    team = entry.bot.team
    Campaign.objects.update(team_replay_calls_per_day=2)
    asked_for(old, entry, team=team)
    Replay.objects.update(state="done")
    assert refused(old, entry, team=team) == "over_budget"
    assert asked_for(old, entry).n_lines == 2


def test_who_is_not_called_is_not_replayed(old, entry):
    now = timezone.now()
    for field, code in (("withdrawn_at", "withdrawn"), ("draft_since", "draft"), ("paused_at", "paused")):
        Entry.objects.update(**{field: now})
        assert refused(old, entry) == code
        Entry.objects.update(**{field: None})
    Entry.objects.update(url="")
    assert refused(old, entry) == "no_address"


def test_what_cannot_be_replayed_is_left_out(campaign, old, entry, dialogue):
    assert refused(dialogue, entry) == "no_dialogues", "it is open"
    asked_for(old, entry)
    assert refused(old, entry) == "waiting"
    Replay.objects.all().delete()
    Turn.objects.filter(dialogue=old, number=1).update(text="[erased 1f3a9c2e40b7]")
    assert refused(old, entry) == "no_dialogues", "its texts are gone"


def test_so_many_at_once_and_no_more(campaign, old, entry, monkeypatch):
    monkeypatch.setattr("replays.actions.asking.MOST_AT_ONCE", 0)
    with pytest.raises(CannotReplay, match="At most 0"):
        ask_replays(campaign=campaign, dialogues=Dialogue.objects.all(), against=entry, by=None, at=timezone.now())
