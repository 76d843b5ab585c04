"""The bot speaks first: turn 0, which is like any turn but that nobody said anything and nothing is spent."""

import json
import random
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from dialogues.actions import abandon_dialogue, record_reply, take_opening
from dialogues.models import Dialogue, Turn
from dialogues.queries import arrival_at, events_after, said_before, state_of
from dialogues.turn_taking import Refusal, ShownReply
from participants.adapters import Reply, Utterance
from participants.failures import FailureKind
from tests.dialogues.test_actions import Talk, do_something, refused

pytestmark = pytest.mark.django_db


class OpenedTalk(Talk):
    def open_by_bot(self, owner="here:1:x"):
        opening = take_opening(dialogue_id=self.id, admission=self.admission, at=timezone.now(), owner=owner)
        return self.noted(opening).asked

    def fail_for_good(self):
        self.fail(self.open_by_bot())
        for _ in range(2):
            self.fail(self.retry(0))


@pytest.fixture
def talk(dialogue, admission):
    return OpenedTalk(dialogue, admission)


def test_the_opening_is_turn_0_and_spends_nothing(talk, dialogue):
    asked = talk.open_by_bot()
    assert (asked.turn.number, asked.turn.text, asked.history.said) == (0, "", ())
    assert talk.answer(asked, "您好")
    assert [(event["type"], event["turn"]) for event in talk.events()] == [("turn.accepted", 0), ("reply.done", 0)]
    assert (talk.events()[0]["key"], talk.events()[0]["text"], talk.events()[0]["turns_used"]) == ("", "", 0)
    state = state_of(talk.id)
    assert (state.turns_used, state.subtasks[0].turns_used, state.last_seq, state.waiting) == (0, 0, 2, None)
    talk.turns(3)
    assert [one.status for one in dialogue.subtasks.all()] == ["cap_reached", "open"]
    assert [(turn.number, turn.spent) for turn in Turn.objects.all()] == [(0, 0), (1, 1), (2, 2), (3, 3)]


def test_a_dialogue_is_opened_once(talk):
    asked = talk.open_by_bot()
    assert talk.open_by_bot("there:2:y") is None
    talk.answer(asked)
    assert talk.open_by_bot() is None
    assert Turn.objects.count() == 1


def test_a_draft_opens_its_dialogue_once_it_is_admitted(talk, campaign):
    campaign.entries.update(draft_since=timezone.now())
    assert talk.open_by_bot() is None
    campaign.entries.update(draft_since=None)
    assert talk.open_by_bot()


def test_what_the_bot_is_to_open_the_tester_cannot_begin(talk, campaign):
    """A draft opens nothing when the socket comes; admitted while that socket stays, it is still the one to begin."""
    campaign.opened_by = "bot"
    campaign.save()
    campaign.entries.update(draft_since=timezone.now())
    assert talk.open_by_bot() is None
    assert refused(talk.send) == "not_admitted"
    campaign.entries.update(draft_since=None)
    assert refused(talk.send) == "opening_first"
    assert not Turn.objects.exists()
    talk.answer(talk.open_by_bot())
    assert talk.send().asked.turn.number == 1


def test_who_has_spoken_or_ended_needs_no_opening(talk):
    talk.end()
    assert talk.open_by_bot() is None


def test_the_opening_is_due_only_where_the_campaign_says_so(talk, campaign):
    assert not arrival_at(talk.id).is_opening_due
    campaign.opened_by = "bot"
    campaign.save()
    assert arrival_at(talk.id).is_opening_due
    talk.open_by_bot()
    assert not arrival_at(talk.id).is_opening_due


def test_while_the_bot_is_to_speak_the_tester_cannot(talk):
    asked = talk.open_by_bot()
    assert state_of(talk.id).waiting == 0
    assert refused(talk.send) == "turn_in_flight"
    assert refused(talk.close, 1) == "turn_in_flight"
    talk.fail(asked)
    assert refused(talk.send) == "opening_first"
    again = talk.retry(0)
    assert refused(talk.send) == "turn_in_flight"
    talk.answer(again)
    assert talk.send().asked.turn.number == 1


def test_a_bot_that_fails_for_good_leaves_the_beginning_to_the_tester(talk, dialogue):
    talk.fail_for_good()
    assert not talk.events()[-1]["retryable"]
    assert refused(talk.retry, 0) == "not_retryable"
    assert talk.kinds()[-1] == "turn.failed"
    asked = talk.send().asked
    assert (asked.turn.number, asked.history.said) == (1, ())
    talk.answer(asked)
    assert [one.status for one in dialogue.subtasks.all()] == ["open", "pending"]


def test_what_the_bot_said_first_is_in_the_history(talk):
    opened = talk.answer(talk.open_by_bot(), "您好")
    assert opened
    expected = (Utterance("bot", "您好"),)
    first = talk.send("a", "订票").asked
    assert first.history.said == expected
    talk.answer(first, "好的")
    assert talk.send("b").asked.history.said == (*expected, Utterance("user", "订票"), Utterance("bot", "好的"))


def test_what_is_remembered_of_the_opening_is_what_is_read(talk):
    asked, shown = talk.open_by_bot(), ShownReply(("您好", "请说"), ())
    reply = Reply(shown.texts, latency_ms=5)
    settled = record_reply(asked=asked, reply=reply, shown=shown, at=timezone.now())
    assert settled.remembered.history == said_before(talk.id, 1)
    assert talk.send(remembered=settled.remembered).asked.history == said_before(talk.id, 1)


def test_an_opening_that_lost_its_process_can_be_asked_again(talk):
    talk.open_by_bot()
    talk.recover()
    failed = json.loads(talk.heard[-1][1])
    assert (failed["turn"], failed["kind"], failed["fault"], failed["retryable"]) == (
        0,
        "interrupted",
        "platform",
        True,
    )
    assert talk.retry(0).turn.number == 0


def test_a_bot_cannot_end_in_its_opening(talk):
    talk.answer(talk.open_by_bot(), end=True)
    assert talk.now().is_open


def test_a_dialogue_ended_after_its_opening_alone_finishes_nothing(talk, dialogue):
    talk.answer(talk.open_by_bot())
    talk.end()
    assert talk.now().status == "unfinished"
    assert [(one.status, one.turns_used, one.answered_turns) for one in dialogue.subtasks.all()] == [
        ("given_up", 0, 0),
        ("given_up", 0, 0),
    ]


def test_an_opening_that_our_side_broke_costs_nobody(talk):
    talk.fail(talk.open_by_bot(), FailureKind.INTERRUPTED)
    talk.end()
    assert talk.now().status == "void"


def test_the_opening_is_charged_to_nobody(talk, dialogue):
    talk.answer(talk.open_by_bot())
    talk.turns(1)
    talk.close(1)
    talk.end()
    assert Dialogue.objects.get(pk=dialogue.pk).subtasks.get(index=1).answered_turns == 1


def do_something_new(talk, rng, waiting):
    """What can happen since bots speak first, end dialogues and are left alone; else what could happen before."""
    match rng.randrange(20):
        case 0 | 1:
            asked = talk.open_by_bot()
            waiting += [asked] if asked else []
        case 2:
            talk.answer(rng.choice(waiting), end=True)
        case 3:
            talk.noted(abandon_dialogue(dialogue_id=talk.id, at=timezone.now() + timedelta(days=1)))
        case _:
            do_something(talk, rng, waiting)


@pytest.mark.parametrize("seed", range(40))
def test_what_is_read_later_is_what_the_sockets_heard_with_openings_and_endings(talk, seed):
    rng, waiting = random.Random(seed), [talk.open_by_bot()] if seed % 4 else []
    for _ in range(30):
        try:
            do_something_new(talk, rng, waiting)
        except (Refusal, IndexError):
            transaction.set_rollback(False)
        assert state_of(talk.id).last_seq == len(talk.heard)
        assert events_after(talk.id, 0) == talk.heard
    turns = list(Turn.objects.order_by("number"))
    assert [turn.number for turn in turns if turn.number] == list(range(1, talk.now().turns_used + 1))
    answered = sum(turn.number > 0 and turn.status == "answered" for turn in turns)
    if not talk.now().is_open:
        assert sum(talk.now().subtasks.values_list("answered_turns", flat=True)) == answered


def test_an_opening_that_failed_in_a_part_that_is_closed_is_over(talk):
    talk.fail(talk.open_by_bot())
    talk.close(1)
    assert refused(talk.retry, 0) == "not_retryable"
    asked = talk.send().asked
    assert (asked.turn.number, asked.history.said) == (1, ())
