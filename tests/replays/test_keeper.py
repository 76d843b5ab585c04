"""A replay is a talk of its own at the system, line after line, and is stored apart from dialogues."""

import pytest
from django.utils import timezone

from audit.models import TrailLine
from campaigns.models import Campaign
from dialogues.models import Attempt, Dialogue, Turn
from replays.actions.asking import CannotReplay, stop_replay
from replays.actions.running import claim_replay, may_ask_now
from replays.models import Replay, ReplayTurn
from tests.replays.conftest import asked_for, run_until, talked

pytestmark = pytest.mark.django_db(transaction=True)


def is_over(replay):
    return lambda: not Replay.objects.under_way().filter(pk=replay.pk).exists()


def replayed(dialogue, entry):
    replay = asked_for(dialogue, entry)
    run_until(is_over(replay))
    replay.refresh_from_db()
    return replay


def test_the_lines_are_put_with_the_answers_of_today(campaign, tester, entry, bot):
    dialogue = talked(campaign, tester, ("你好", "收到：你好"), ("去上海", "好的，去上海"), ("谢谢", "收到：谢谢"))
    replay = replayed(dialogue, entry)
    assert (replay.state, replay.n_turns, replay.n_changed, replay.parts_at) == ("done", 3, 1, 2)
    assert [one["text"] for one in bot.requests] == ["你好", "去上海", "谢谢"]
    assert [one["text"] for one in bot.requests[2]["history"]] == ["你好", "收到：你好", "去上海", "收到：去上海"]
    # A talk of its own: neither the dialogue's id nor its keys.
    assert {one["dialogue"] for one in bot.requests} == {replay.talk_id}
    assert str(dialogue.pk) not in str(bot.requests) + str(bot.headers)


def test_nothing_of_the_dialogue_changes_and_nothing_counts(campaign, tester, entry):
    dialogue = talked(campaign, tester, ("你好", "好的"))

    def stored():
        return (
            list(Turn.objects.values_list()), list(Dialogue.everything.values_list()), Attempt.objects.count(),
            Campaign.objects.values_list("scores_version", flat=True).get(),
        )  # fmt: skip

    before = stored()
    assert replayed(dialogue, entry).state == "done"
    assert stored() == before
    assert TrailLine.objects.latest("number").act == "replays.asked"


def test_a_failure_is_stored_with_its_kind_and_the_rest_goes_on(campaign, tester, entry):
    dialogue = talked(campaign, tester, ("!500", "好的"), ("你好", "收到：你好"))
    replay = replayed(dialogue, entry)
    failed, answered = replay.turns.all()
    assert (failed.outcome, failed.kind, failed.fault, failed.status) == ("failure", "http_5xx", "bot", 500)
    assert answered.texts == ["收到：你好"]
    assert answered.latency_ms is not None
    assert answered.wire["request_id"]
    assert (replay.state, replay.parts_at) == ("done", 1)


def test_a_system_that_fails_twice_in_a_row_is_left_alone(campaign, tester, entry, bot):
    dialogue = talked(campaign, tester, *[("!500", "好的")] * 5)
    replay = replayed(dialogue, entry)
    assert (replay.state, replay.distance) == ("failed", None)
    assert "none of the lines" in replay.failure_in_words
    assert len(bot.requests) == 2


def test_the_makers_name_is_masked_in_what_is_stored(campaign, tester, entry):
    dialogue = talked(campaign, tester, ("!maker", "好的"))
    (turn,) = replayed(dialogue, entry).turns.all()
    assert "Team Alpha" not in str(turn.texts)
    assert turn.flags == ["masked"]


def test_a_system_may_end_the_talk_as_in_a_dialogue(campaign, tester, entry, bot):
    dialogue = talked(campaign, tester, ("!end", "好的"), ("你好", "好的"))
    replay = replayed(dialogue, entry)
    assert [one["text"] for one in bot.requests if one["text"]] == ["!end"]
    assert (replay.n_turns, replay.parts_at) == (2, 1)


def test_a_replay_that_was_left_begins_anew_as_another_talk(campaign, tester, entry, bot):
    dialogue = talked(campaign, tester, ("你好", "收到：你好"), ("谢谢", "收到：谢谢"))
    replay = asked_for(dialogue, entry)
    lost = claim_replay(worker="gone", at=timezone.now())
    ReplayTurn.objects.create(
        replay=lost,
        turn=dialogue.turns.first(),
        attempt=1,
        number=1,
        outcome="reply",
        texts=["x"],
        ended_at=timezone.now(),
    )
    Replay.objects.update(lease_until=timezone.now())
    run_until(is_over(replay))
    replay.refresh_from_db()
    assert (replay.n_attempts, replay.n_changed) == (2, 0)
    assert {one["dialogue"] for one in bot.requests} == {replay.talk_id} != {lost.talk_id}
    assert replay.turns.count() == 3, "no call is forgotten"


def test_replays_wait_while_people_would_wait_for_them(campaign, tester, entry, dialogue):
    entry.parallel = 1
    entry.save()
    old = talked(campaign, tester, ("你好", "好的"))
    asked_for(old, entry)
    assert claim_replay(worker="w", at=timezone.now()) is None
    Dialogue.objects.filter(pk=dialogue.pk).update(status="completed", closed_at=timezone.now())
    claimed = claim_replay(worker="w", at=timezone.now())
    assert may_ask_now(replay=claimed, at=timezone.now()) is True
    Dialogue.objects.filter(pk=dialogue.pk).update(status="open", closed_at=None)
    assert may_ask_now(replay=claimed, at=timezone.now()) is False


def test_a_replay_that_is_stopped_asks_no_more(campaign, tester, entry, organizer):
    replay = asked_for(talked(campaign, tester, ("你好", "好的")), entry)
    claimed = claim_replay(worker="w", at=timezone.now())
    stop_replay(replay=replay, by=organizer, at=timezone.now())
    assert may_ask_now(replay=claimed, at=timezone.now()) is None
    with pytest.raises(CannotReplay, match="is over"):
        stop_replay(replay=replay, by=organizer, at=timezone.now())
