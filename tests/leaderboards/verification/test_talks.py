"""One dialogue of two turns, the second failed by the bot, by hand; then each way in which its rows can disagree."""

import copy

import pytest

from leaderboards.verification.findings import Findings
from leaderboards.verification.talks import Talk
from testing_console.turn_policy import TurnPolicy

DIALOGUE = {
    "dialogue": "d", "status": "unfinished", "turns_used": 2,
    "subtasks": [{"kind": "flight", "status": "failed", "turns": 2, "cap": 9}],
}  # fmt: skip
TURNS = [
    {"turn": 1, "subtask": 1, "status": "answered", "text": "hi", "reply": ["hello"]},
    {"turn": 2, "subtask": 1, "status": "failed", "text": "Beijing", "reply": []},
]
ATTEMPTS = [
    {"turn": 1, "attempt": 1, "request": 1, "outcome": "reply", "is_current": True, "fault": ""},
    {"turn": 2, "attempt": 1, "request": 1, "outcome": "failure", "is_current": False, "fault": "bot"},
    {"turn": 2, "attempt": 2, "request": 1, "outcome": "failure", "is_current": True, "fault": "bot"},
]
SAID = [
    ("turn.accepted", {"turn": 1, "text": "hi", "subtask": 1}),
    ("reply.done", {"turn": 1, "texts": ["hello"]}),
    ("turn.accepted", {"turn": 2, "text": "Beijing", "subtask": 1}),
    ("turn.failed", {"turn": 2}),
    ("turn.retried", {"turn": 2}),
    ("turn.failed", {"turn": 2}),
    ("subtask.closed", {"subtask": 1, "status": "failed"}),
    ("dialogue.closed", {"status": "unfinished"}),
]
LEDGER = [{"seq": seq, "kind": kind, "frame": frame} for seq, (kind, frame) in enumerate(SAID, start=1)]


def numbered(rows):
    return list(enumerate(rows, start=1))


def talk(dialogue=DIALOGUE, turns=TURNS, attempts=ATTEMPTS, ledger=LEDGER):
    return Talk(5, dialogue, numbered(turns), numbered(attempts), numbered(ledger))


EXCHANGES = TurnPolicy()


def found(policy=EXCHANGES, **rows):
    findings = Findings()
    talk(**rows).check(policy, findings)
    return list(map(str, findings))


def test_rows_that_agree_have_nothing_to_say():
    assert found() == []


def test_turns_are_counted_as_the_campaign_counts_them():
    subtasks = [DIALOGUE["subtasks"][0] | {"turns": 5}]
    spoken = TurnPolicy(per_exchange=2, opening=1)
    assert found(policy=spoken, dialogue=DIALOGUE | {"turns_used": 5, "subtasks": subtasks}) == []
    assert found(policy=spoken) != []


def test_only_answered_turns_are_charged_and_failures_of_the_bot_are_counted_apart():
    assert talk().answered_turns() == {1: 1}
    assert talk().turns_failed_by_bot() == {1: 1}
    assert not talk().has_answered_opening


def changed(rows, place, **values):
    rows = copy.deepcopy(rows)
    rows[place] |= values
    return rows


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ({"turns": TURNS[:1]}, "turns.jsonl, line 1: dialogue d has 2 turns in dialogues.jsonl; here they are 1"),
        ({"turns": TURNS[1:]}, "turns.jsonl, line 1: dialogue d has 2 turns in dialogues.jsonl; turn 1 is missing"),
        ({"turns": changed(TURNS, 0, text="hey")}, "turns.jsonl, line 1: the message of turn 1 of dialogue d is not the one in ledger.jsonl"),
        ({"turns": changed(TURNS, 0, subtask=2)}, "turns.jsonl, line 1: the message of turn 1 of dialogue d is not the one in ledger.jsonl"),
        ({"turns": changed(TURNS, 0, reply=[])}, "turns.jsonl, line 1: the reply of turn 1 of dialogue d is not the one in ledger.jsonl"),
        ({"turns": changed(TURNS, 1, status="answered")}, "turns.jsonl, line 2: turn 2 of dialogue d is answered, but no request in attempts.jsonl says so"),
        ({"attempts": ATTEMPTS[:2]}, "turns.jsonl, line 2: turn 2 of dialogue d is failed, but no request in attempts.jsonl says so"),
        ({"attempts": [*ATTEMPTS, ATTEMPTS[0]]}, "attempts.jsonl, line 4: request (1, 1, 1) of dialogue d appears twice"),
        ({"attempts": [*ATTEMPTS, ATTEMPTS[0] | {"turn": 7}]}, "attempts.jsonl, line 4: is of turn 7, which dialogue d does not have"),
        ({"ledger": LEDGER[:2] + LEDGER[3:]}, "ledger.jsonl, line 3: the ledger of dialogue d should go on with number 3, but has 4"),
        ({"ledger": LEDGER[:-1]}, "dialogues.jsonl, line 5: dialogue d is unfinished; ledger.jsonl says open"),
        ({"dialogue": DIALOGUE | {"status": "completed"}}, "dialogues.jsonl, line 5: dialogue d is completed; ledger.jsonl says unfinished"),
        ({"dialogue": DIALOGUE | {"subtasks": [DIALOGUE["subtasks"][0] | {"status": "finished"}]}}, "dialogues.jsonl, line 5: subtask 1 of dialogue d is finished; ledger.jsonl says failed"),
        ({"dialogue": DIALOGUE | {"subtasks": [DIALOGUE["subtasks"][0] | {"turns": 1}]}}, "dialogues.jsonl, line 5: subtask 1 of dialogue d has 1 turns; turns.jsonl has 2"),
    ],
)  # fmt: skip
def test_rows_that_disagree_are_named(rows, said):
    assert said in found(**rows)


def test_a_late_answer_may_have_the_number_of_another_request():
    assert found(attempts=[*ATTEMPTS, ATTEMPTS[1] | {"outcome": "late"}]) == []


def going_on(*said):
    """The ledger with further lines, by their kinds and frames."""
    first = len(LEDGER) + 1
    return [*LEDGER, *({"seq": seq, "kind": kind, "frame": frame} for seq, (kind, frame) in enumerate(said, first))]


VOIDED = ("dialogue.voided", {"because": "x"})
RESTORED = ("dialogue.restored", {"status": "unfinished", "reason": "bot_failed", "because": "x"})


@pytest.mark.parametrize(
    ("said", "status"), [([VOIDED], "void"), ([VOIDED, RESTORED], "unfinished"), ([VOIDED, RESTORED, VOIDED], "void")]
)
def test_the_last_decision_says_what_a_dialogue_is(said, status):
    assert found(dialogue=DIALOGUE | {"status": status}, ledger=going_on(*said)) == []
    other = "completed" if status == "void" else "void"
    assert found(dialogue=DIALOGUE | {"status": other}, ledger=going_on(*said)) != []


def test_the_fault_of_a_failure_is_the_one_that_was_booked_last():
    booked = ("fault.booked", {"turn": 2, "fault": "platform", "because": "x"})
    by_platform = changed(ATTEMPTS, 2, fault="platform")
    assert found(attempts=by_platform, ledger=going_on(booked)) == []
    assert talk(attempts=by_platform, ledger=going_on(booked)).turns_failed_by_bot() == {}
    said = "attempts.jsonl, line 3: turn 2 of dialogue d failed by the fault of bot; ledger.jsonl says platform"
    assert found(ledger=going_on(booked)) == [said]
    back = ("fault.booked", {"turn": 2, "fault": "bot", "because": "x"})
    assert found(ledger=going_on(booked, back)) == []
