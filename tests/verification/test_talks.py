"""One dialogue of two turns, the second failed by the bot, by hand; then each way in which its rows can disagree."""

import copy

import pytest

from dialogues.turn_policy import TurnPolicy
from verification.findings import Findings
from verification.talks import Talk, check_opening

NINE, TEN, ELEVEN, TWELVE = (f"2026-05-01T{hour:02}:00:00+00:00" for hour in (9, 10, 11, 12))
DIALOGUE = {
    "dialogue": "d", "status": "unfinished", "reason": "bot_failed", "turns_used": 2, "closed_at": TWELVE, "origin": "live",
    "subtasks": [{"kind": "flight", "status": "failed", "turns": 2, "cap": 9}],
}  # fmt: skip
TURNS = [
    {"turn": 1, "subtask": 1, "key": "a", "status": "answered", "text": "hi", "reply": ["hello"], "flags": [], "attempts": 1, "latency_ms": 5, "asked_at": NINE, "settled_at": TEN},
    {"turn": 2, "subtask": 1, "key": "b", "status": "failed", "text": "Beijing", "reply": [], "flags": [], "attempts": 2, "latency_ms": None, "asked_at": TEN, "settled_at": TWELVE},
]  # fmt: skip
FAILED = {
    "turn": 2,
    "request": 1,
    "outcome": "failure",
    "has_left": True,
    "status": 500,
    "kind": "http_5xx",
    "fault": "bot",
    "reply": [],
    "latency_ms": 3,
}
ATTEMPTS = [
    {"turn": 1, "attempt": 1, "request": 1, "outcome": "reply", "has_left": True, "status": 200, "is_current": True, "kind": "", "fault": "", "reply": ["hello"], "latency_ms": 5, "ended_at": TEN},
    FAILED | {"attempt": 1, "is_current": False, "ended_at": ELEVEN},
    FAILED | {"attempt": 2, "is_current": True, "ended_at": TWELVE},
]  # fmt: skip
FAILURE = {"turn": 2, "kind": "http_5xx", "fault": "bot", "retryable": True, "retries_left": 1}
SAID = [
    ("turn.accepted", NINE, {"turn": 1, "text": "hi", "subtask": 1, "key": "a", "turns_used": 1}),
    ("reply.done", TEN, {"turn": 1, "texts": ["hello"], "latency_ms": 5}),
    ("turn.accepted", TEN, {"turn": 2, "text": "Beijing", "subtask": 1, "key": "b", "turns_used": 2}),
    ("turn.failed", ELEVEN, FAILURE),
    ("turn.retried", ELEVEN, {"turn": 2}),
    ("turn.failed", TWELVE, FAILURE | {"retryable": False, "retries_left": 0}),
    ("subtask.closed", TWELVE, {"subtask": 1, "status": "failed"}),
    ("dialogue.closed", TWELVE, {"status": "unfinished", "reason": "bot_failed"}),
]


def written(said, first=1):
    """Lines of the ledger by their kinds, times and frames."""
    return [
        {
            "seq": seq,
            "kind": kind,
            "fault": frame["fault"] if kind == "turn.failed" else "",
            "at": at,
            "frame": {"type": kind, "seq": seq} | frame,
        }
        for seq, (kind, at, frame) in enumerate(said, first)
    ]


LEDGER = written(SAID)


def numbered(rows):
    return list(enumerate(rows, start=1))


def talk(dialogue=DIALOGUE, turns=TURNS, attempts=ATTEMPTS, ledger=LEDGER):
    return Talk(5, dialogue, numbered(turns), numbered(attempts), numbered(ledger))


EXCHANGES = TurnPolicy()


def found(policy=EXCHANGES, **rows):
    findings = Findings()
    talk(**rows).check(policy, "tester", findings)
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
        ({"dialogue": DIALOGUE | {"reason": "done"}}, "dialogues.jsonl, line 5: dialogue d was closed for another reason, or at another time, than ledger.jsonl says"),
        ({"dialogue": DIALOGUE | {"subtasks": [DIALOGUE["subtasks"][0] | {"status": "open", "turns": 0}]}}, "dialogues.jsonl, line 5: subtask 1 of dialogue d is open; ledger.jsonl says failed"),
        ({"turns": changed(TURNS, 1, attempts=3)}, "turns.jsonl, line 2: the number of attempts of turn 2 of dialogue d is not the one in ledger.jsonl"),
        ({"attempts": changed(ATTEMPTS, 0, reply=["bye"])}, "attempts.jsonl, line 1: a request of turn 1 of dialogue d is not the one that turns.jsonl shows the reply of"),
        ({"attempts": changed(ATTEMPTS, 2, kind="empty")}, "attempts.jsonl, line 3: a failure of turn 2 of dialogue d is not the one in ledger.jsonl"),
        ({"attempts": changed(ATTEMPTS, 1, is_current=True)}, "attempts.jsonl, line 2: a request of turn 2 of dialogue d is wrong about whether the turn shows its outcome"),
        ({"ledger": changed(LEDGER, 1, frame=LEDGER[1]["frame"] | {"type": "turn.failed"})}, "ledger.jsonl, line 2: line 2 of dialogue d has a frame of another kind, number or fault"),
        ({"ledger": changed(LEDGER, 1, frame=LEDGER[1]["frame"] | {"seq": 3})}, "ledger.jsonl, line 2: line 2 of dialogue d has a frame of another kind, number or fault"),
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
    return [*LEDGER, *written([(kind, TWELVE, frame) for kind, frame in said], first=len(LEDGER) + 1)]


VOIDED = ("dialogue.voided", {"because": "x"})
RESTORED = ("dialogue.restored", {"status": "unfinished", "reason": "bot_failed", "because": "x"})


@pytest.mark.parametrize(
    ("said", "status"), [([VOIDED], "void"), ([VOIDED, RESTORED], "unfinished"), ([VOIDED, RESTORED, VOIDED], "void")]
)
def test_the_last_decision_says_what_a_dialogue_is(said, status):
    reason = "voided" if status == "void" else "bot_failed"
    assert found(dialogue=DIALOGUE | {"status": status, "reason": reason}, ledger=going_on(*said)) == []
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


def test_a_failure_of_an_earlier_attempt_may_have_been_booked_to_the_platform_without_a_line():
    assert found(attempts=changed(ATTEMPTS, 1, fault="platform")) == []
    assert found(attempts=changed(ATTEMPTS, 1, fault="tester")) != []


def shows(came, *, shown, flags):
    frame = LEDGER[1]["frame"] | {"texts": shown, "flags": flags}
    return found(
        turns=changed(TURNS, 0, reply=shown, flags=flags),
        attempts=changed(ATTEMPTS, 0, reply=came),
        ledger=changed(LEDGER, 1, frame=frame),
    )


def test_a_reply_is_shown_as_it_came_but_for_names_and_what_is_cut_off():
    assert shows(["I am Al"], shown=["I am ██"], flags=["masked"]) == []
    assert shows(["I am Al"], shown=["I am ██"], flags=[]) != []
    assert shows(["I am Al"], shown=["I is ██"], flags=["masked"]) != []
    assert shows(["long", "more"], shown=["lo"], flags=["cut"]) == []
    assert shows(["long", "more"], shown=["lo"], flags=["masked"]) != []
    assert shows(["long"], shown=["long", "more"], flags=["cut"]) != []
    picture = f"[image {'0' * 64}.png 1x1]"
    assert shows(["long", "more", picture], shown=["lo", picture], flags=["cut"]) == []
    assert shows(["long", "more", picture], shown=["mo", picture], flags=["cut"]) != []
    assert shows([picture], shown=[picture, picture], flags=["cut"]) != []
    # Of a secret that was learned of later nobody can say how long it was.
    assert shows(["it is ***, Al"], shown=["it is key, ██"], flags=["masked"]) == []


def test_the_first_words_are_those_of_whoever_opens_dialogues():
    findings = Findings()
    talk().check(EXCHANGES, "bot", findings)
    said = "turns.jsonl, line 1: dialogue d was opened by another than bot, who opens dialogues by the settings"
    assert list(map(str, findings)) == [said]


SCENARIO = {"scenario": "s", "subtasks": [{"kind": "flight", "turn_cap": 6}, {"kind": "hotel", "turn_cap": None}]}
LIVE = {
    "dialogue": "d", "origin": "live", "external_id": "", "turn_cap": None, "turns_used": 4,
    "subtasks": [{"kind": "flight", "cap": 6}, {"kind": "hotel", "cap": None}],
}  # fmt: skip
IMPORTED = LIVE | {"origin": "imported", "external_id": "x", "subtasks": [{"kind": "dialogue", "cap": 4}]}


def opening_findings(dialogue, *, scenario=SCENARIO, cap=None, asks=True, policy=EXCHANGES):
    findings = Findings()
    campaign = {"settings": {"turn_cap": cap}, "rubric": {"asks_for_verdicts": asks}}
    check_opening(3, dialogue, scenario, campaign, policy, findings)
    return list(map(str, findings))


def test_a_dialogue_has_the_parts_and_caps_of_its_scenario():
    assert opening_findings(LIVE) == []
    other = LIVE | {"subtasks": [LIVE["subtasks"][0], {"kind": "hotel", "cap": 9}]}
    assert opening_findings(other) == [
        "dialogues.jsonl, line 3: dialogue d has other parts or caps than the scenario s"
    ]


def test_caps_are_those_that_can_be_used_where_utterances_are_counted():
    """Of eight, the bot's opening is one and three exchanges are six; of seven in a later part, three exchanges are six."""
    spoken = TurnPolicy(per_exchange=2, opening=1)
    scenario = {"scenario": "s", "subtasks": [{"kind": "flight", "turn_cap": 8}, {"kind": "hotel", "turn_cap": 7}]}
    parts = [{"kind": "flight", "cap": 7}, {"kind": "hotel", "cap": 6}]
    assert opening_findings(LIVE | {"subtasks": parts}, scenario=scenario, policy=spoken) == []


def test_one_cap_is_that_of_the_settings():
    assert opening_findings(LIVE | {"turn_cap": 9}, cap=9) == []
    assert opening_findings(LIVE, cap=9) == [
        "dialogues.jsonl, line 3: dialogue d has another turn cap than the settings give it"
    ]


def test_an_imported_dialogue_is_one_part_of_its_own_length():
    assert opening_findings(IMPORTED, cap=9) == []
    assert opening_findings(IMPORTED | {"subtasks": []}, asks=False) == []
    longer = IMPORTED | {"subtasks": [{"kind": "dialogue", "cap": 5}]}
    assert opening_findings(longer) == [
        "dialogues.jsonl, line 3: dialogue d has other parts or caps than imported dialogues have"
    ]


@pytest.mark.parametrize("changed", [{"origin": "imported"}, {"external_id": "x"}, {"origin": "practice"}])
def test_an_imported_dialogue_has_an_id_elsewhere_and_a_live_one_has_none(changed):
    assert any("which its id elsewhere denies" in one for one in opening_findings(LIVE | changed))


def test_the_scenario_of_imported_dialogues_has_no_parts():
    imported = {"scenario": "imported", "subtasks": []}
    assert opening_findings(IMPORTED, scenario=imported) == []
    parts = imported | {"subtasks": [{"kind": "x", "turn_cap": 1}]}
    assert opening_findings(IMPORTED, scenario=parts) == [
        "scenarios.jsonl: imported has parts, which imported dialogues bring themselves"
    ]
