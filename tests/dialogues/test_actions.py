import json
import random

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from campaigns.models import Assignment
from dialogues.actions import (
    Remembered,
    close_subtask,
    end_dialogue,
    open_chosen_dialogue,
    open_dialogue,
    record_failure,
    record_reply,
    record_requests,
    recover_interrupted,
    retry_turn,
    take_turn,
)
from dialogues.masking import masker_of
from dialogues.models import Attempt, Dialogue, Turn
from dialogues.queries import attempts_of, events_after, last_seqs, state_of
from dialogues.turn_taking import EndReason, Refusal, shown_reply
from participants.adapters import History, Reply, Utterance
from participants.failures import BotFailure, FailureKind, Fault, Try
from reading.findings import sentence

pytestmark = pytest.mark.django_db


class Talk:
    """One tester's talk through the actions alone."""

    def __init__(self, dialogue, admission):
        self.id, self.admission = dialogue.pk, admission
        # What a socket would have heard, in the order of the commits.
        self.heard = []

    def noted(self, outcome):
        for told in outcome.told:
            self.heard += told.lines
        return outcome

    def send(self, key="k", text="你好", **named):
        return self.noted(take_turn(
            dialogue_id=self.id, admission=self.admission, key=key, text=text, at=timezone.now(), owner="here:1:x",
            **named,
        ))  # fmt: skip

    def answer(self, asked, text="好的", masked=(), end=False, state=None, choices=()):
        shown = shown_reply([text], masker_of(masked), 5)
        reply = Reply((text,), end, state, latency_ms=5, choices=choices)
        return self.noted(record_reply(asked=asked, reply=reply, shown=shown, at=timezone.now())).is_current

    def fail(self, asked, kind=FailureKind.HTTP_5XX, **named):
        failure = BotFailure(kind, sentence("broken"), **named)
        return self.noted(record_failure(asked=asked, failure=failure, at=timezone.now())).is_current

    def retry(self, number, **named):
        return self.noted(retry_turn(
            dialogue_id=self.id, admission=self.admission, number=number, at=timezone.now(), owner="here:1:x", **named,
        )).asked  # fmt: skip

    def close(self, index, is_finished=True):
        return self.noted(close_subtask(
            dialogue_id=self.id, admission=self.admission, index=index, is_finished=is_finished, at=timezone.now()
        ))  # fmt: skip

    def end(self, reason=EndReason.DONE):
        return self.noted(end_dialogue(dialogue_id=self.id, admission=self.admission, reason=reason, at=timezone.now()))

    def recover(self):
        return self.noted(recover_interrupted(at=timezone.now(), is_lost=lambda turn: True))

    def turns(self, n):
        for number in range(n):
            self.answer(self.send(key=f"{self.now().last_seq}-{number}").asked)

    def now(self):
        return Dialogue.everything.with_waiting().get(pk=self.id)

    def events(self):
        return [json.loads(frame) for _, frame in events_after(self.id, 0)]

    def kinds(self):
        return [event["type"] for event in self.events()]


@pytest.fixture
def talk(dialogue, admission):
    return Talk(dialogue, admission)


def refused(action, *arguments, **named) -> str:
    with pytest.raises(Refusal) as refusal:
        action(*arguments, **named)
    transaction.set_rollback(False)  # as the group commit does: a refusal comes before anything is written
    return refusal.value.code


def test_the_same_key_always_yields_the_same_turn(talk):
    first = talk.send("k")
    again = talk.send("k")
    assert first.is_new
    assert not again.is_new
    assert again.accepted == first.accepted
    assert Turn.objects.get().pk == first.asked.turn.id
    assert talk.kinds() == ["turn.accepted"]


def test_the_same_key_with_another_text_is_a_conflict(talk):
    talk.send("k", "你好")
    assert refused(talk.send, "k", "别的") == "key_conflict"


def test_one_turn_is_in_flight_at_a_time(talk):
    talk.send("a")
    assert refused(talk.send, "b") == "turn_in_flight"


def test_the_database_holds_one_turn_in_flight_too(talk):
    talk.send("a")
    with pytest.raises(IntegrityError), transaction.atomic():
        Turn.objects.create(
            dialogue_id=talk.id, number=2, subtask=1, spent=2, turn_cap=3, key="b", text="x", seq=2, outcome_seq=3,
            asked_at=timezone.now(), owner="x",
        )  # fmt: skip


@pytest.mark.parametrize("field", [{"number": 1}, {"key": "a"}, {"spent": 4}, {"spent": 0}, {"number": 0}])
def test_the_database_holds_numbers_keys_and_caps_too(talk, field):
    asked = talk.send("a").asked
    talk.answer(asked)
    values = {
        "dialogue_id": talk.id, "number": 2, "subtask": 1, "spent": 2, "turn_cap": 3, "key": "b", "text": "x",
        "seq": 3, "outcome_seq": 4, "asked_at": timezone.now(), "owner": "x",
    }  # fmt: skip
    with pytest.raises(IntegrityError), transaction.atomic():
        Turn.objects.create(**values | field)


def test_the_database_keeps_a_dialogue_within_its_cap(talk):
    with pytest.raises(IntegrityError), transaction.atomic():
        Dialogue.objects.filter(pk=talk.id).update(subtask_turns=4)


def test_an_assignment_has_at_most_one_counted_dialogue(talk, dialogue):
    with pytest.raises(IntegrityError), transaction.atomic():
        Dialogue.objects.create(assignment=dialogue.assignment, tester=dialogue.tester, opened_at=timezone.now())
    assert open_dialogue(assignment=dialogue.assignment, at=timezone.now()).pk == dialogue.pk


def test_a_subtask_at_its_cap_closes_unfinished_and_the_next_begins(talk):
    talk.turns(3)
    assert talk.kinds()[-1] == "subtask.closed"
    assert talk.events()[-1]["status"] == "cap_reached"
    state = state_of(talk.id)
    assert [(row.status, row.turns_used) for row in state.subtasks] == [("cap_reached", 3), ("open", 0)]
    assert talk.now().subtask_cap == 2


def test_the_dialogue_ends_when_all_subtasks_are_closed(talk):
    talk.turns(3)
    talk.turns(2)
    assert talk.kinds()[-2:] == ["subtask.closed", "dialogue.closed"]
    assert talk.now().status == "unfinished"
    assert refused(talk.send, "late") == "closed"


def test_finishing_every_subtask_completes_the_dialogue(talk):
    talk.turns(1)
    talk.close(1)
    talk.turns(1)
    talk.close(2)
    assert (talk.now().status, talk.now().reason) == ("completed", "done")


def test_turn_numbers_run_on_over_subtasks_and_the_state_adds_up(talk):
    talk.turns(1)
    talk.close(1)
    accepted = Turn.objects.get(pk=talk.send("x").asked.turn.id)
    assert (accepted.number, accepted.subtask, accepted.spent) == (2, 2, 1)
    state = state_of(talk.id)
    assert (state.turns_used, state.turn_cap, state.waiting) == (2, 5, 2)


def test_only_the_current_subtask_can_be_closed_and_not_while_the_bot_is_asked(talk):
    assert refused(talk.close, 2) == "not_current"
    talk.send("a")
    assert refused(talk.close, 1) == "turn_in_flight"


def test_one_cap_over_the_whole_dialogue(talk):
    Dialogue.objects.filter(pk=talk.id).update(turn_cap=2, subtask_cap=None)
    talk.turns(1)
    talk.close(1)
    talk.turns(1)
    assert talk.now().status == "unfinished"
    assert [row.status for row in state_of(talk.id).subtasks] == ["finished", "cap_reached"]


def test_a_failed_turn_is_data_with_a_fault(talk):
    asked = talk.send("a").asked
    talk.fail(asked)
    event = talk.events()[-1]
    assert event["type"] == "turn.failed"
    assert (event["kind"], event["fault"], event["retryable"]) == ("http_5xx", "bot", True)
    attempt = Attempt.objects.get(turn_id=asked.turn.id)
    assert (str(attempt.what_happened), attempt.fault, attempt.is_current) == ("broken", "bot", True)


def test_a_retry_keeps_the_number_and_is_not_charged_again(talk):
    asked = talk.send("a").asked
    talk.fail(asked)
    again = talk.retry(1)
    assert (again.turn.number, again.turn.attempt_number) == (1, 2)
    assert talk.events()[-1] == {"type": "turn.retried", "seq": 3, "turn": 1}
    talk.answer(again)
    assert talk.now().turns_used == 1
    assert [(number, outcome, is_current) for number, _, outcome, *_, is_current in attempts()] == [
        (1, "failure", False),
        (2, "reply", True),
    ]


def test_after_two_retries_the_subtask_has_failed(talk):
    asked = talk.send("a").asked
    for n_left in (2, 1):
        talk.fail(asked)
        assert talk.events()[-1]["retries_left"] == n_left
        asked = talk.retry(1)
    talk.fail(asked)
    assert [event["type"] for event in talk.events()[-2:]] == ["turn.failed", "subtask.closed"]
    assert (talk.events()[-2]["retryable"], talk.events()[-2]["retries_left"]) == (False, 0)
    assert talk.events()[-1]["status"] == "failed"
    assert refused(talk.retry, 1) == "not_retryable"


def test_a_failed_turn_may_be_left_behind_but_its_number_stays(talk):
    talk.fail(talk.send("a").asked)
    assert talk.send("b").asked.turn.number == 2
    assert refused(talk.retry, 1) == "not_retryable"


def test_numbers_never_pass_the_cap_even_if_every_turn_fails(talk):
    for number in range(3):
        talk.fail(talk.send(str(number)).asked)
    assert refused(talk.send, "more") == "cap_reached"


def test_a_reply_to_an_attempt_that_is_no_longer_current_is_kept_as_late(talk):
    first = talk.send("a").asked
    talk.fail(first)
    talk.retry(1)
    assert talk.answer(first, "太晚") is False
    late = Attempt.objects.get(turn_id=first.turn.id, outcome="late")
    assert late.texts == ["太晚"]
    assert Turn.objects.get(pk=first.turn.id).status == "waiting"
    assert "reply.done" not in talk.kinds()


def test_a_failure_of_an_old_attempt_is_kept_as_late_and_changes_nothing(talk):
    first = talk.send("a").asked
    talk.fail(first)
    talk.retry(1)
    assert talk.fail(first) is False
    assert talk.kinds().count("turn.failed") == 1
    assert list(Attempt.objects.order_by("pk").values_list("number", "outcome", "is_current")) == [
        (1, "failure", False),
        (1, "late", False),
    ]


def test_ending_cancels_the_turn_in_flight(talk):
    asked = talk.send("a").asked
    talk.end(EndReason.GAVE_UP)
    assert talk.kinds() == ["turn.accepted", "turn.failed", "subtask.closed", "subtask.closed", "dialogue.closed"]
    assert talk.events()[1]["kind"] == "cancelled"
    assert talk.answer(asked) is False
    assert talk.now().status == "unfinished"


def test_a_platform_failure_that_stands_makes_the_dialogue_void_and_opens_the_assignment(talk, dialogue):
    talk.send("a")
    assert recover_interrupted(at=timezone.now(), is_lost=lambda turn: True).told
    assert (talk.events()[-1]["kind"], talk.events()[-1]["fault"]) == ("interrupted", "platform")
    talk.end(EndReason.GAVE_UP)
    assert talk.now().status == "void"
    again = open_dialogue(assignment=Assignment.objects.get(pk=dialogue.assignment_id), at=timezone.now())
    assert again.pk != talk.id


def test_attempts_that_the_platform_broke_do_not_use_up_the_retries(talk):
    talk.send("a")
    for _ in range(5):
        recover_interrupted(at=timezone.now(), is_lost=lambda turn: True)
        talk.retry(1)
    assert talk.now().status == "open"


def test_only_turns_that_are_lost_are_recovered(talk):
    asked = talk.send("a").asked
    assert not recover_interrupted(at=timezone.now(), is_lost=lambda turn: False).told
    talk.answer(asked)
    assert not recover_interrupted(at=timezone.now(), is_lost=lambda turn: True).told


def test_a_late_reply_that_was_asked_twice_is_kept_as_late(talk):
    asked = talk.send("a").asked
    talk.end(EndReason.GAVE_UP)
    reply = Reply(("spät",), tries=tries(FailureKind.HTTP_5XX, None), latency_ms=20)
    shown = shown_reply(["spät"], masker_of(()), 5)
    assert record_reply(asked=asked, reply=reply, shown=shown, at=timezone.now()).is_current is False
    failure = BotFailure(FailureKind.HTTP_5XX, sentence("status 503"))
    failure.tries = tries(FailureKind.HTTP_5XX, FailureKind.HTTP_5XX)
    assert record_failure(asked=asked, failure=failure, at=timezone.now()).is_current is False
    assert [(request, outcome) for _, request, outcome, *_ in attempts()] == [
        (1, "failure"), (1, "late"), (1, "late"), (2, "late"), (2, "late"),
    ]  # fmt: skip


def test_the_requests_of_a_call_that_was_cancelled_are_kept(talk):
    asked = talk.send("a").asked
    talk.end(EndReason.GAVE_UP)
    record_requests(asked=asked, tries=tries(FailureKind.HTTP_5XX))
    assert [(request, outcome, kind) for _, request, outcome, kind, *_ in attempts()] == [
        (1, "failure", "cancelled"), (1, "late", "http_5xx"),
    ]  # fmt: skip


def test_evidence_that_no_database_can_hold_is_written_out(talk):
    failure = BotFailure(FailureKind.HTTP_5XX, sentence("%(said)s", said="said \x00"), evidence="\x00\x00<html> \ud800")
    failure.tries = tries(FailureKind.HTTP_5XX)
    record_failure(asked=talk.send("a").asked, failure=failure, at=timezone.now())
    kept = Attempt.objects.get()
    assert (str(kept.what_happened), kept.evidence) == ("said \\u0000", "\\u0000\\u0000<html> \\ud800")


def test_failures_that_are_not_the_bots_do_not_use_up_the_retries(talk):
    asked = talk.send("a").asked
    for fault in (Fault.NOBODY, Fault.PLATFORM) * 5:
        talk.fail(asked, FailureKind.CONNECT, fault=fault)
        assert (talk.events()[-1]["fault"], talk.events()[-1]["retryable"]) == (fault, True)
        asked = talk.retry(1)
    assert talk.now().status == "open"


def test_a_turn_that_fails_by_nobodys_fault_is_not_asked_again_for_ever(talk):
    asked = talk.send("a").asked
    for _ in range(5):
        talk.fail(asked, FailureKind.CONNECT, fault=Fault.NOBODY)
        asked = talk.retry(1)
    talk.fail(asked, FailureKind.CONNECT, fault=Fault.NOBODY)
    assert [event["type"] for event in talk.events()[-2:]] == ["turn.failed", "subtask.closed"]
    assert talk.events()[-2]["retryable"] is False
    assert talk.events()[-1]["status"] == "failed"
    assert refused(talk.retry, 1) == "not_retryable"
    talk.end(EndReason.GAVE_UP)
    assert talk.now().status == "unfinished"


@pytest.mark.parametrize("fault", [Fault.NOBODY, Fault.PLATFORM])
def test_a_dialogue_that_ends_on_a_failure_that_is_not_the_bots_costs_nobody(talk, fault):
    talk.fail(talk.send("a").asked, FailureKind.CONNECT, fault=fault)
    talk.end(EndReason.GAVE_UP)
    assert talk.now().status == "void"


def tries(*kinds: FailureKind | None) -> tuple[Try, ...]:
    return tuple(
        Try(
            number,
            kind,
            503 if kind else 200,
            sentence("not now"),
            "later",
            kind is not FailureKind.CONNECT,
            7,
            timezone.now(),
        )
        for number, kind in enumerate(kinds, start=1)
    )


def attempts() -> list[tuple]:
    return [
        (one.number, one.request, one.outcome, one.kind, one.has_left, one.status, one.is_current)
        for turn in Turn.objects.all()
        for one in attempts_of(turn)
    ]


def test_every_request_of_a_reply_is_in_the_ledger(talk):
    sent = tries(FailureKind.CONNECT, FailureKind.HTTP_5XX, None)
    asked = talk.send("a").asked
    shown = shown_reply(["好的"], masker_of(()), 5)
    assert record_reply(asked=asked, reply=Reply(("好的",), tries=sent, latency_ms=20), shown=shown, at=timezone.now())
    assert attempts() == [
        (1, 1, "resent", "connect", False, 503, False),
        (1, 2, "resent", "http_5xx", True, 503, False),
        (1, 3, "reply", "", True, 200, True),
    ]


def test_every_request_of_a_failure_is_in_the_ledger_and_only_the_last_is_charged(talk):
    failure = BotFailure(FailureKind.HTTP_5XX, sentence("status 503"), status=503)
    failure.tries = tries(FailureKind.HTTP_5XX, FailureKind.HTTP_5XX)
    asked = talk.send("a").asked
    assert record_failure(asked=asked, failure=failure, at=timezone.now())
    assert attempts() == [
        (1, 1, "resent", "http_5xx", True, 503, False),
        (1, 2, "failure", "http_5xx", True, 503, True),
    ]
    assert Attempt.objects.get(request=1).fault == "nobody"
    talk.fail(talk.retry(1))
    assert talk.events()[-1]["retryable"] is True


def test_an_admission_that_no_longer_holds_stops_every_change(talk, admission):
    admission.holds = False
    assert refused(talk.send) == "forbidden"
    assert refused(talk.end) == "forbidden"
    assert talk.events() == []


def test_nobody_talks_in_somebody_elses_dialogue(talk, admission, outsider):
    admission.person_id = outsider.pk
    assert refused(talk.send) == "forbidden"


def test_what_was_said_before_leaves_failed_turns_out(talk):
    talk.answer(talk.send("a", "一").asked, "甲")
    talk.fail(talk.send("b", "二").asked)
    asked = talk.send("c", "三").asked
    assert [(said.role, said.text) for said in asked.history.said] == [("user", "一"), ("bot", "甲")]


def test_events_are_numbered_without_gaps(talk):
    talk.turns(2)
    talk.close(1)
    talk.end()
    assert [event["seq"] for event in talk.events()] == list(range(1, len(talk.events()) + 1))
    assert talk.now().last_told == len(talk.events())


def do_something(talk, rng, waiting):
    """One random thing; `waiting` holds what bots are being asked, also for attempts that are over."""
    match rng.randrange(8):
        case 0 | 1 | 2:
            taken = talk.send(f"k{rng.randrange(12)}")
            waiting += [taken.asked] if taken.is_new else []
        case 3 | 4:
            talk.answer(rng.choice(waiting), rng.choice(["好的", "我是 Team Alpha", ""]), masked=("Team Alpha",))
        case 5:
            talk.fail(rng.choice(waiting), fault=rng.choice(list(Fault)))
        case 6:
            waiting.append(talk.retry(talk.now().turns_used))
        case 7:
            rng.choice([talk.recover, lambda: talk.close(talk.now().subtask_index), talk.recover])()


@pytest.mark.parametrize("seed", range(12))
def test_what_is_read_later_is_what_the_sockets_heard_without_a_gap(talk, seed):
    """Lines of the ledger and those derived from turns, in every order in which things can happen."""
    rng, waiting = random.Random(seed), []
    for _ in range(30):
        try:
            do_something(talk, rng, waiting)
        except (Refusal, IndexError):
            transaction.set_rollback(False)
        state = state_of(talk.id)
        assert state.last_seq == len(talk.heard)
        assert events_after(talk.id, 0) == talk.heard
        after = rng.randint(0, len(talk.heard))
        assert events_after(talk.id, after) == talk.heard[after:]
        assert last_seqs([talk.id]) == ([(talk.id, len(talk.heard))] if talk.heard else [])
    assert [seq for seq, _ in talk.heard] == list(range(1, len(talk.heard) + 1))


def test_a_waiting_turn_holds_the_number_of_its_outcome(talk):
    asked = talk.send("a").asked
    assert asked.turn.outcome_seq == 2
    assert (talk.now().last_seq, talk.now().last_told, state_of(talk.id).last_seq) == (2, 1, 1)
    talk.fail(asked)
    assert (talk.now().last_seq, talk.now().last_told) == (2, 2)
    again = talk.retry(1)
    assert (again.turn.outcome_seq, talk.now().last_told) == (4, 3)
    talk.answer(again)
    assert talk.now().last_told == 4


def test_a_failure_never_overwrites_a_reply_that_is_stored(talk):
    asked = talk.send("a").asked
    assert talk.answer(asked)
    assert talk.fail(asked) is False
    assert Turn.objects.get().status == "answered"
    assert [(outcome, is_current) for _, _, outcome, *_, is_current in attempts()] == [("reply", True), ("late", False)]


def test_the_original_of_a_reply_is_kept_where_it_is_shown_otherwise(talk):
    talk.answer(talk.send("a").asked, "ganz normal", masked=("Team Alpha",))
    assert not Attempt.objects.exists()
    talk.answer(talk.send("b").asked, "von Team Alpha", masked=("Team Alpha",))
    assert Attempt.objects.get().texts == ["von Team Alpha"]
    assert Turn.objects.get(number=2).texts == ["von ██████████"]


def test_offered_answers_are_told_as_they_are_shown_and_again_after_a_reload(talk):
    talk.answer(
        talk.send().asked, "哪一家？\n如家\nTeam Alpha", masked=("Team Alpha",), choices=((0, 1), (0, 2), (3, 0))
    )
    told = json.loads(talk.heard[-1][1])
    assert told["choices"] == ["如家", "██████████"]
    assert [frame for _seq, frame in events_after(talk.id, 0)] == [frame for _seq, frame in talk.heard]
    talk.answer(talk.send("l").asked, "好的")
    assert "choices" not in json.loads(talk.heard[-1][1])


def test_a_turn_is_three_statements_and_its_reply_one(talk, django_assert_num_queries):
    """Beside its admission, and the lock on PostgreSQL: a batch takes that for all, and sends the same statements of many together."""
    lock = int(connection.features.has_select_for_update)
    nothing = Remembered(talk.id, 0, History())
    with django_assert_num_queries(lock + 3):
        asked = talk.send("a", remembered=nothing).asked
    with django_assert_num_queries(lock + 1):
        talk.answer(asked)


def test_a_failure_is_four_statements_and_its_retry_seven(talk, django_assert_num_queries):
    """Everybody's turns wait for the same writer, and a bot that fails at once can fail often."""
    lock = int(connection.features.has_select_for_update)
    asked = talk.send("a").asked
    failure = BotFailure(FailureKind.HTTP_5XX, sentence("x"))
    with django_assert_num_queries(lock + 4):
        settled = record_failure(asked=asked, failure=failure, at=timezone.now())
    with django_assert_num_queries(lock + 7):
        talk.retry(1, remembered=settled.remembered)


def test_a_retry_waits_under_the_next_numbers_of_the_ledger(talk):
    talk.fail(talk.send("a", "一").asked)
    again = talk.retry(1)
    assert (again.turn.text, again.turn.attempt_number, again.turn.outcome_seq) == ("一", 2, 4)
    assert (talk.now().last_seq, talk.now().last_told) == (4, 3)
    assert talk.answer(again)
    assert [(event["seq"], event["type"]) for event in talk.events()] == [
        (1, "turn.accepted"), (2, "turn.failed"), (3, "turn.retried"), (4, "reply.done"),
    ]  # fmt: skip
    assert [seq for seq, _ in talk.heard] == [1, 2, 3, 4]


def test_an_answered_retry_of_the_last_turn_closes_the_cap(talk):
    talk.turns(2)
    talk.fail(talk.send("last").asked)
    assert talk.answer(talk.retry(3))
    assert talk.events()[-1]["type"] == "subtask.closed"
    assert talk.events()[-1]["status"] == "cap_reached"


def test_what_was_said_is_remembered_until_anything_else_happens(talk):
    asked = talk.send("a", "一").asked
    shown = shown_reply(["甲"], masker_of(()), 5)
    settled = record_reply(asked=asked, reply=Reply(("甲",), latency_ms=5), shown=shown, at=timezone.now())
    assert (settled.remembered.seq, settled.remembered.history) == (2, History(ONE_TURN))
    invented = Remembered(talk.id, 2, History([Utterance("user", "nie gesagt")]))
    assert talk.send("b", remembered=invented).asked.history == invented.history
    talk.recover()
    assert talk.send("c", remembered=invented).asked.history == History(ONE_TURN)


def test_a_failed_turn_leaves_what_was_said_as_it_was(talk):
    talk.answer(talk.send("a", "一").asked, "甲")
    asked = talk.send("b", "二").asked
    settled = record_failure(asked=asked, failure=BotFailure(FailureKind.HTTP_5XX, sentence("x")), at=timezone.now())
    assert (settled.remembered.seq, settled.remembered.history) == (4, History(ONE_TURN))
    assert talk.retry(2, remembered=settled.remembered).history == History(ONE_TURN)


ONE_TURN = [Utterance("user", "一"), Utterance("bot", "甲")]


def test_no_more_dialogues_are_open_at_once_than_allowed(campaign, tester, dialogue):
    campaign.open_dialogues_per_tester = 1
    campaign.save()
    chosen = {"entry": campaign.entries.get(), "scenario": campaign.scenarios.get(), "at": timezone.now()}
    assert refused(open_chosen_dialogue, campaign=campaign, tester=tester, **chosen) == "forbidden"


def test_free_choice_needs_a_campaign_that_allows_it(campaign, tester):
    campaign.free_choice = False
    campaign.save()
    chosen = {"entry": campaign.entries.get(), "scenario": campaign.scenarios.get(), "at": timezone.now()}
    assert refused(open_chosen_dialogue, campaign=campaign, tester=tester, **chosen) == "forbidden"


def test_a_bot_that_ends_the_dialogue_closes_what_is_open(talk, dialogue):
    talk.turns(1)
    talk.answer(talk.send("bye").asked, end=True)
    assert talk.kinds()[-4:] == ["reply.done", "subtask.closed", "subtask.closed", "dialogue.closed"]
    assert [event["seq"] for event in talk.events()] == [1, 2, 3, 4, 5, 6, 7]
    assert [(one.status, one.answered_turns) for one in dialogue.subtasks.all()] == [("finished", 2), ("given_up", 0)]
    assert (talk.now().status, talk.now().reason) == ("unfinished", "bot_ended")
    assert refused(talk.send, "late") == "closed"


def test_a_bot_that_ends_in_the_last_part_completes_the_dialogue_as_far_as_the_ledger_knows(talk):
    talk.turns(1)
    talk.close(1)
    talk.answer(talk.send("bye").asked, end=True)
    assert (talk.now().status, talk.now().reason) == ("completed", "bot_ended")


def test_at_the_cap_the_part_is_closed_by_the_cap_before_the_bot_ends_the_rest(talk, dialogue):
    talk.turns(2)
    talk.answer(talk.send("last").asked, end=True)
    assert [one.status for one in dialogue.subtasks.all()] == ["cap_reached", "given_up"]
    assert (talk.now().status, talk.now().reason) == ("unfinished", "bot_ended")


def test_where_the_cap_ends_the_dialogue_the_bot_need_not(talk):
    talk.turns(1)
    talk.close(1)
    talk.turns(1)
    talk.answer(talk.send("last").asked, end=True)
    assert (talk.now().reason, talk.kinds().count("dialogue.closed")) == ("cap_reached", 1)


def test_where_the_campaign_says_so_a_bot_ends_nothing(talk, campaign):
    campaign.bot_may_end = False
    campaign.save()
    talk.answer(talk.send("bye").asked, end=True)
    assert talk.kinds() == ["turn.accepted", "reply.done"]
    talk.turns(1)
    talk.answer(talk.send("last").asked, end=True)
    assert (talk.now().is_open, talk.kinds()[-1]) == (True, "subtask.closed")


def test_an_outcome_whose_commit_was_never_heard_of_is_stored_once_and_told_again(talk):
    talk.turns(2)
    asked, at = talk.send("last").asked, timezone.now()
    told = {
        "asked": asked,
        "reply": Reply(("好的",), latency_ms=5),
        "shown": shown_reply(["好的"], masker_of(()), 5),
        "at": at,
    }
    first, again = record_reply(**told), record_reply(**told)
    assert again.is_current
    assert [list(one.told[0].lines) for one in (first, again)] == [
        events_after(talk.id, asked.turn.outcome_seq - 1)
    ] * 2
    assert not Attempt.objects.exists()


def test_a_failure_whose_commit_was_never_heard_of_is_stored_once_too(talk):
    told = {
        "asked": talk.send().asked,
        "failure": BotFailure(FailureKind.HTTP_5XX, sentence("broken")),
        "at": timezone.now(),
    }
    first, again = record_failure(**told), record_failure(**told)
    assert [list(one.told[0].lines) for one in (first, again)] == [events_after(talk.id, 1)] * 2
    assert Attempt.objects.get().outcome == "failure"


def test_a_late_reply_ends_nothing(talk):
    asked = talk.send("a").asked
    talk.fail(asked)
    talk.retry(1)
    assert not talk.answer(asked, end=True)
    assert talk.now().is_open


def answered_turns(talk):
    return list(talk.now().subtasks.values_list("answered_turns", flat=True))


def test_closing_the_dialogue_stores_how_many_turns_of_each_subtask_were_answered(talk):
    talk.turns(1)
    talk.fail(talk.send("failed").asked)
    talk.close(1)
    assert answered_turns(talk) == [0, 0], "while the dialogue is open nothing is stored"
    talk.turns(1)
    talk.close(2)
    assert answered_turns(talk) == [1, 1]


def test_a_failed_turn_is_not_asked_again_once_its_subtask_is_closed(talk):
    """Its further failures would close the next subtask as failed."""
    talk.turns(1)
    talk.fail(talk.send("failed").asked)
    talk.close(1)
    assert refused(talk.retry, 2) == "not_retryable"
    talk.close(2)
    assert answered_turns(talk) == [1, 0]


@pytest.mark.parametrize("end", ["cap", "given up", "bot failed"])
def test_whatever_closes_the_dialogue_stores_the_answered_turns(talk, end):
    talk.turns(3)
    talk.turns(2 if end == "cap" else 1)
    if end == "given up":
        talk.send("in flight")
        talk.end(EndReason.GAVE_UP)
    elif end == "bot failed":
        talk.fail(talk.send("failed").asked)
        for _ in range(2):
            talk.fail(talk.retry(5))
    assert not talk.now().is_open
    assert answered_turns(talk) == [3, 2 if end == "cap" else 1]
