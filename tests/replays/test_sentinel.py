"""The sentinel puts canaries to each system and flags what drifts, once."""

from datetime import timedelta

import pytest
from django.utils import timezone

from audit.models import TrailLine
from campaigns.models import Campaign
from replays.actions.asking import canaries_of
from replays.actions.sentinel import NotDrifting, begin_due_rounds, end_finished_rounds, settle_drift
from replays.models import Replay, ReplayTurn, SentinelRound, Settled
from tests.replays.conftest import talked

pytestmark = pytest.mark.django_db


@pytest.fixture
def watched(campaign, tester, entry):
    for number in range(3):
        talked(campaign, tester, ("你好", "您好，请问您要去哪里"), repetition=2000 + number)
    Campaign.objects.update(sentinel_every_hours=24, canaries=2)
    campaign.refresh_from_db()
    return campaign


def answer(*said):
    """Carries out all replays: the first of each canary is answered so, the second so."""
    seen = {}
    for replay in Replay.objects.under_way().select_related("dialogue"):
        text = said[seen.setdefault(replay.dialogue_id, 0) % len(said)]
        seen[replay.dialogue_id] += 1
        turn = replay.dialogue.turns.get()
        ReplayTurn.objects.create(
            replay=replay, turn=turn, attempt=1, number=1, outcome="reply", texts=[text], ended_at=timezone.now()
        )
        Replay.objects.filter(pk=replay.pk).update(state="done", n_attempts=1)


def a_round(at, *said):
    assert begin_due_rounds(at=at) == 1
    answer(*said)
    assert end_finished_rounds(at=at) == 1
    return SentinelRound.objects.first()


def drifts():
    return TrailLine.objects.filter(act="bot.drifted").count()


def test_it_is_off_by_default(campaign, tester, entry):
    talked(campaign, tester, ("你好", "好的"))
    assert begin_due_rounds(at=timezone.now()) == 0


def test_each_canary_is_put_twice_and_once_in_so_many_hours(watched):
    now = timezone.now()
    assert begin_due_rounds(at=now) == 1
    assert Replay.objects.filter(is_of_sentinel=True).count() == 4
    assert begin_due_rounds(at=now) == 0, "the round goes on"
    answer("您好，请问您要去哪里")
    assert end_finished_rounds(at=now) == 1
    assert begin_due_rounds(at=now + timedelta(hours=23)) == 0
    assert begin_due_rounds(at=now + timedelta(hours=24)) == 1


def test_a_system_that_answers_as_before_does_not_drift(watched):
    found = a_round(timezone.now(), "您好，请问您要去哪里")
    assert (found.drift, found.is_flagged, found.n_canaries) == (0, False, 2)
    assert drifts() == 0


def test_a_system_that_changed_is_flagged_and_told_once(watched, organizer):
    now = timezone.now()
    assert a_round(now, "系统维护中").is_flagged
    again = a_round(now + timedelta(days=1), "系统维护中")
    assert again.is_flagged
    assert drifts() == 1
    assert list(SentinelRound.objects.standing()) == [again]
    settle_drift(found=again, settled=Settled.NOTED, because="", by=organizer, at=now)
    assert not SentinelRound.objects.standing()
    with pytest.raises(NotDrifting):
        settle_drift(found=again, settled=Settled.NOTED, because="", by=organizer, at=now)


def test_a_system_that_varies_by_itself_is_not(watched):
    found = a_round(timezone.now(), "甲乙丙丁", "子丑寅卯")
    assert (found.distance, found.spread, found.drift) == (1, 1, 0)
    assert not found.is_flagged


def test_a_drift_that_is_over_needs_nobody(watched):
    now = timezone.now()
    a_round(now, "系统维护中")
    a_round(now + timedelta(days=1), "您好，请问您要去哪里")
    assert not SentinelRound.objects.standing()


def test_once_accepted_it_is_compared_with_dialogues_held_since(watched, tester, entry, organizer):
    now = timezone.now()
    found = a_round(now, "系统维护中")
    settle_drift(found=found, settled=Settled.ACCEPTED, because="new model", by=organizer, at=now)
    assert not canaries_of(entry, watched)
    since = talked(watched, tester, ("你好", "系统维护中"), repetition=3000, closed_at=now + timedelta(hours=1))
    assert [one.pk for one in canaries_of(entry, watched)] == [since.pk]
    assert TrailLine.objects.latest("number").because == "new model"


def test_a_system_that_answers_nothing_has_no_drift(watched):
    now = timezone.now()
    begin_due_rounds(at=now)
    Replay.objects.update(state="failed")
    end_finished_rounds(at=now)
    assert SentinelRound.objects.get().drift is None
    assert drifts() == 0


def test_used_up_calls_begin_no_round(watched):
    Campaign.objects.update(replay_calls_per_day=3)
    assert begin_due_rounds(at=timezone.now()) == 0
