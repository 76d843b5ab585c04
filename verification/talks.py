"""Whether a dialogue, its turns, the requests to its bot and its ledger agree. Pure.

Its ledger is read first: what it says of each turn, and how it and its parts ended.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import takewhile
from typing import Any

from dialogues.turn_policy import TurnPolicy
from verification.bundle_format import IMPORTED_SCENARIO
from verification.findings import Findings, shown
from verification.tables import Line, Object

VOIDED, RETURNED, IMPORTED = "voided", "returned", "imported"
# Why a dialogue was closed that nobody talked to its end.
ABANDONED_BY = {"silence", "time_over", "ended_early"}
COUNTED = {"completed", "unfinished"}
CLOSED_PARTS = {"finished", "given_up", "cap_reached", "failed"}


@dataclass(slots=True)
class Failure:
    """A failed attempt at a turn, with the fault that was booked last."""

    at: Any
    kind: Any
    fault: Any


@dataclass(slots=True)
class TurnInLedger:
    """The lines about one turn: that it was accepted, each failed attempt, and the reply, where there is one."""

    accepted: Object | None = None
    failures: list[Failure] = field(default_factory=list)
    n_retried: int = 0
    # Of the attempt that was made last.
    reply: Object | None = None
    has_failed: bool = False

    def add(self, line: Object) -> None:
        kind, frame = line["kind"], line["frame"]
        match kind:
            case "turn.accepted":
                self.accepted = line
            case "reply.done":
                self.reply = line
            case "turn.failed":
                self.failures.append(Failure(line["at"], frame["kind"], frame["fault"]))
                self.has_failed = True
            case "turn.retried":
                self.n_retried += 1
                self.has_failed = False
            case "fault.booked":
                self.failures[-1].fault = frame["fault"]


def turns_in(ledger: Iterable[Object]) -> dict[int, TurnInLedger]:
    """By the numbers of the turns. Errors: those of odd values."""
    turns: dict[int, TurnInLedger] = {}
    for line in ledger:
        if (number := line["frame"].get("turn")) is not None:
            turns.setdefault(number, TurnInLedger()).add(line)
    return turns


class Ending:
    """How the dialogue and its parts stand after the lines of its ledger. `problem` says which line cannot follow those before it."""

    def __init__(self, ledger: Sequence[Object]) -> None:
        self.status, self.closed_at = "open", None
        self.parts: dict[int, str] = {}
        self.problem = ""
        # More than one where the lines leave it open: whether a dialogue was declared void, or a rebooked failure made it so.
        self.reasons = {""}
        self._closed_because = ""
        before = ""
        for line in ledger:
            if not self._may_follow(line):
                self.problem = self.problem or f"line {line['seq']} of its ledger cannot follow those before it"
            self._hear(line, before)
            before = line["kind"]

    def part(self, index: int) -> str:
        """What the part is called; one after the open one is still to come."""
        if index in self.parts or self.status != "open":
            return self.parts.get(index, "")
        return "pending" if any(earlier not in self.parts for earlier in range(1, index)) else "open"

    def _may_follow(self, line: Object) -> bool:
        frame = line["frame"]
        match line["kind"]:
            case "subtask.closed":
                return frame["subtask"] not in self.parts and frame["status"] in CLOSED_PARTS
            case "dialogue.closed":
                return self.status == "open" and frame["status"] in self._endings(frame["reason"])
            case "dialogue.returned" | "dialogue.voided":
                return self.status in COUNTED
            case "dialogue.restored":
                is_known = frame["reason"] == self._closed_because or self.closed_at is None
                return self.status == "void" and is_known and frame["status"] == self._outcome()
        return True

    def _endings(self, reason: str) -> set[str]:
        if reason in ABANDONED_BY:
            return {"abandoned"}
        return {"void"} if reason == VOIDED else {"void", self._outcome()}

    def _outcome(self) -> str:
        return "completed" if all(status == "finished" for status in self.parts.values()) else "unfinished"

    def _hear(self, line: Object, before: str) -> None:
        frame = line["frame"]
        match line["kind"]:
            case "subtask.closed":
                self.parts[frame["subtask"]] = frame["status"]
            case "dialogue.closed":
                self.status, self.closed_at, self.reasons = frame["status"], line["at"], {frame["reason"]}
                self._closed_because = frame["reason"]
            case "dialogue.restored":
                self.status, self.reasons = frame["status"], {frame["reason"]}
            case "dialogue.returned":
                self.status, self.reasons = "returned", {RETURNED}
            case "dialogue.voided":
                self.status = "void"
                self.reasons = self.reasons | {VOIDED} if before == "fault.booked" else {VOIDED}


def is_same_time(one: Any, other: Any) -> bool:
    """A database may write a moment in another way than Python."""
    if one == other or one is None or other is None:
        return bool(one == other)
    return datetime.fromisoformat(one) == datetime.fromisoformat(other)


DIALOGUES, TURNS, ATTEMPTS, LEDGER = "dialogues.jsonl", "turns.jsonl", "attempts.jsonl", "ledger.jsonl"
OPENING = 0
NOT_CLOSED = {"open", "pending"}
# What the platform says of a request that was sent again: it cost nobody anything.
NOBODY = "nobody"
# A character of a name that replies and texts do not tell, and what stands where a server repeats the secret of its bot.
BLOT, HIDDEN_SECRET = "█", "***"
# How the last attempt at a settled turn ended.
OUTCOMES = {"answered": "reply", "failed": "failure"}


class Talk:
    """One dialogue with its rows."""

    def __init__(
        self, line: int, dialogue: Object, turns: Sequence[Line], attempts: Sequence[Line], ledger: Sequence[Line]
    ) -> None:
        self.line = line
        self.dialogue = dialogue
        self.name = shown(dialogue["dialogue"])
        self.turns = turns
        self.attempts = attempts
        self.ledger = ledger

    @property
    def has_answered_opening(self) -> bool:
        return any(turn["turn"] == OPENING and turn["status"] == "answered" for _, turn in self.turns)

    def answered_turns(self) -> Counter[int]:
        """How many turns of each subtask were answered; the opening spends none."""
        return Counter(turn["subtask"] for _, turn in self.turns if turn["status"] == "answered" and turn["turn"])

    def turns_failed_by_bot(self) -> Counter[int]:
        """How many turns of each subtask the bot failed to answer."""
        failed = {turn["turn"]: turn["subtask"] for _, turn in self.turns if turn["status"] == "failed"}
        by_bot = (one["turn"] for _, one in self.attempts if one["is_current"] and one["fault"] == "bot")
        return Counter(failed[turn] for turn in by_bot if turn in failed and turn != OPENING)

    def check(self, policy: TurnPolicy, opened_by: str, findings: Findings) -> None:
        self._check_turns(policy, findings)
        self._check_opening(opened_by, findings)
        self._check_requests(findings)
        self._check_ledger(policy, findings)

    def _check_turns(self, policy: TurnPolicy, findings: Findings) -> None:
        numbers = [turn["turn"] for _, turn in self.turns]
        spending = [number for number in numbers if number != OPENING]
        n_turns, n_told = len(spending), self.dialogue["turns_used"]
        if numbers.count(OPENING) > 1 or spending != list(range(1, n_turns + 1)) or policy.turns(n_turns) != n_told:
            line = self.turns[0][0] if self.turns else None
            missing = sorted(set(range(1, max(spending, default=0))) - set(spending))
            told = f"turn {missing[0]} is missing" if missing else f"here they are {policy.turns(n_turns)}"
            text = f"dialogue {self.name} has {shown(n_told)} turns in {DIALOGUES}; {told}"
            findings.note(TURNS, text, line=line, figure="turns_used")
        n_in = Counter(turn["subtask"] for _, turn in self.turns if turn["turn"] != OPENING)
        for index, subtask in enumerate(self.dialogue["subtasks"], start=1):
            # The turns of a part are written when it closes.
            counted = policy.turns(0 if subtask["status"] in NOT_CLOSED else n_in[index], is_first=index == 1)
            if subtask["turns"] != counted:
                text = f"subtask {index} of dialogue {self.name} has {shown(subtask['turns'])} turns; {TURNS} has {counted}"
                findings.note(DIALOGUES, text, line=self.line, figure="subtasks")

    def _check_opening(self, opened_by: str, findings: Findings) -> None:
        """Where the bot speaks first, nothing is said before that; elsewhere it opens no dialogue that was held here."""
        has_opening = any(turn["turn"] == OPENING for _, turn in self.turns)
        if self.turns and self.dialogue["origin"] == "live" and has_opening is not (opened_by == "bot"):
            text = f"dialogue {self.name} was opened by another than {shown(opened_by)}, who opens dialogues by the settings"
            findings.note(TURNS, text, line=self.turns[0][0], figure="turn")

    def _check_requests(self, findings: Findings) -> None:
        of_turn: dict[int, list[Line]] = defaultdict(list)
        for row in self.attempts:
            of_turn[row[1]["turn"]].append(row)
        for line, turn in self.turns:
            self._check_requests_of(line, turn, of_turn.pop(turn["turn"], []), findings)
        for number, rows in of_turn.items():
            for line, _ in rows:
                text = f"is of turn {shown(number)}, which dialogue {self.name} does not have"
                findings.note(ATTEMPTS, text, line=line)

    def _check_requests_of(self, line: int, turn: Object, rows: Sequence[Line], findings: Findings) -> None:
        """Each attempt at the turn ended once, the last one as the turn says; the requests before its end were sent again."""
        number, last = turn["turn"], turn["attempts"]
        ends: dict[int, Object] = {}
        n_resent: Counter[int] = Counter()
        seen = set()
        for at, one in rows:
            if one["outcome"] == "late":
                continue
            request = number, one["attempt"], one["request"]
            if request in seen:
                findings.note(ATTEMPTS, f"request {request} of dialogue {self.name} appears twice", line=at)
            seen.add(request)
            n_resent[one["attempt"]] += one["outcome"] == "resent"
            if one["outcome"] != "resent":
                ends[one["attempt"]] = one
        outcome = OUTCOMES.get(turn["status"])
        if outcome and ends.get(last, {}).get("outcome") != outcome:
            text = f"turn {number} of dialogue {self.name} is {turn['status']}, but no request in {ATTEMPTS} says so"
            findings.note(TURNS, text, line=line, figure="status")
        elif set(ends) != set(range(1, last + (outcome is not None))):
            text = f"turn {number} of dialogue {self.name} was asked {shown(last)} times; {ATTEMPTS} tells of other attempts"
            findings.note(TURNS, text, line=line, figure="attempts")
        for at, one in rows:
            if problem := _problem_of(one, turn, ends, n_resent) or self._odd_status(one):
                text = f"a request of turn {number} of dialogue {self.name} {problem}"
                findings.note(ATTEMPTS, text, line=at)

    def _odd_status(self, one: Object) -> str:
        """Of an imported dialogue nothing was measured."""
        possible = (None, 200) if self.dialogue["origin"] == "imported" else (200,)
        return "" if one["outcome"] != "reply" or one["status"] in possible else "has a reply of another status"

    def _check_ledger(self, policy: TurnPolicy, findings: Findings) -> None:
        seqs = [one["seq"] for _, one in self.ledger]
        if seqs != list(range(1, len(seqs) + 1)):
            line, first = next((line, n) for n, (line, one) in enumerate(self.ledger, start=1) if one["seq"] != n)
            text = (
                f"the ledger of dialogue {self.name} should go on with number {first}, but has {shown(seqs[first - 1])}"
            )
            findings.note(LEDGER, text, line=line, figure="seq")
            return
        for line, one in self.ledger:
            frame = one["frame"]
            fault = frame["fault"] if one["kind"] == "turn.failed" else ""
            if (frame["type"], frame["seq"], fault) != (one["kind"], one["seq"], one["fault"]):
                text = f"line {one['seq']} of dialogue {self.name} has a frame of another kind, number or fault"
                findings.note(LEDGER, text, line=line, figure="frame")
            if one["kind"] == "turn.failed" and frame["retryable"] is not (frame["retries_left"] > 0):
                text = f"line {one['seq']} of dialogue {self.name} differs on whether the turn may be asked again"
                findings.note(LEDGER, text, line=line, figure="frame")
        turns = turns_in(one for _, one in self.ledger)
        self._check_faults(turns, findings)
        self._check_said(turns, findings)
        self._check_ending(Ending([one for _, one in self.ledger]), findings)

    def _check_faults(self, turns: Mapping[int, TurnInLedger], findings: Findings) -> None:
        """Each failed attempt has its line; its fault is that of the line, or the one that was booked last.

        Of an attempt that was followed by another one, the platform may have booked the failure to itself without a line.
        """
        for line, one in self.attempts:
            if one["outcome"] != "failure":
                continue
            failures = turns[one["turn"]].failures if one["turn"] in turns else []
            told = failures[one["attempt"] - 1] if 0 < one["attempt"] <= len(failures) else None
            if told is None or told.kind != one["kind"] or not is_same_time(told.at, one["ended_at"]):
                text = f"a failure of turn {one['turn']} of dialogue {self.name} is not the one in {LEDGER}"
                findings.note(ATTEMPTS, text, line=line, figure="kind")
            elif one["fault"] != told.fault and (one["is_current"] or one["fault"] != "platform"):
                text = f"turn {one['turn']} of dialogue {self.name} failed by the fault of {shown(one['fault'])}; {LEDGER} says {shown(told.fault)}"
                findings.note(ATTEMPTS, text, line=line, figure="fault")

    def _check_said(self, turns: Mapping[int, TurnInLedger], findings: Findings) -> None:
        """The ledger holds each turn's message, and the reply or failure that came of it, at their times."""
        for line, turn in self.turns:
            if what := _unlike(turn, turns.get(turn["turn"], TurnInLedger())):
                text = f"the {what} of turn {turn['turn']} of dialogue {self.name} is not the one in {LEDGER}"
                findings.note(TURNS, text, line=line, figure=what)
        if extra := turns.keys() - {turn["turn"] for _, turn in self.turns}:
            first = self.turns[0][0] if self.turns else None
            text = f"turn {min(extra)} of dialogue {self.name} is missing: {LEDGER} has it"
            findings.note(TURNS, text, line=first, figure="turn")

    def _check_ending(self, ending: Ending, findings: Findings) -> None:
        """How the dialogue and its parts ended is what their last lines say."""
        if ending.problem:
            findings.note(DIALOGUES, f"dialogue {self.name}: {ending.problem}", line=self.line, figure="status")
        told = self.dialogue
        if ending.status != told["status"]:
            text = f"dialogue {self.name} is {told['status']}; {LEDGER} says {shown(ending.status)}"
            findings.note(DIALOGUES, text, line=self.line, figure="status")
        elif told["reason"] not in ending.reasons or not is_same_time(told["closed_at"], ending.closed_at):
            text = f"dialogue {self.name} was closed for another reason, or at another time, than {LEDGER} says"
            findings.note(DIALOGUES, text, line=self.line, figure="reason")
        for index, subtask in enumerate(told["subtasks"], start=1):
            if subtask["status"] != ending.part(index):
                text = f"subtask {index} of dialogue {self.name} is {subtask['status']}; {LEDGER} says {shown(ending.part(index))}"
                findings.note(DIALOGUES, text, line=self.line, figure="subtasks")


def _problem_of(one: Object, turn: Object, ends: Mapping[int, Object], n_resent: Counter[int]) -> str:
    """What is odd about a request at the turn; an empty text where nothing is."""
    end = ends.get(one["attempt"])
    is_last = one["attempt"] == turn["attempts"]
    match one["outcome"]:
        case "reply" | "failure":
            is_in_place = one["request"] == n_resent[one["attempt"]] + 1
        case "resent":
            is_in_place = one["fault"] == NOBODY and (end is None or 0 < one["request"] < end["request"])
        case _:
            is_in_place = one["outcome"] == "late" and 0 < one["attempt"] <= turn["attempts"]
    if not is_in_place:
        return "is in none of the places that requests have"
    if one["is_current"] is not (is_last and one is end):
        return "is wrong about whether the turn shows its outcome"
    if one["outcome"] == "reply" and not _is_reply_to(one, turn):
        return f"is not the one that {TURNS} shows the reply of"
    if one["outcome"] in ("failure", "resent") and (one["reply"] or not one["kind"] or not one["fault"]):
        return "failed, but has a reply, no kind or no fault"
    return ""


def _is_reply_to(one: Object, turn: Object) -> bool:
    is_sent = one["has_left"] is True and one["kind"] == one["fault"] == ""
    at = is_same_time(one["ended_at"], turn["settled_at"])
    return is_sent and at and one["latency_ms"] == turn["latency_ms"] and _is_shown_of(turn, one["reply"])


def _is_shown_of(turn: Object, came: Sequence[str]) -> bool:
    """Whether the turn shows the texts that came: cut where its flags say so, and with names blotted out, which keeps lengths."""
    texts, flags = turn["reply"], turn["flags"]
    if texts == came:
        return not {"masked", "cut"} & {*flags} or any(BLOT in text for text in came)
    if any(HIDDEN_SECRET in text for text in came):
        return True
    is_cut = "cut" in flags
    # Words are cut before the pictures that follow them, so these stand nearer to the beginning.
    if is_cut:
        ends = zip(reversed(texts), reversed(came), strict=False)
        n_pictures = sum(1 for _ in takewhile(lambda both: both[0] == both[1] and both[0].startswith("[image "), ends))
        texts, came = texts[: len(texts) - n_pictures], came[: len(came) - n_pictures]
    if not (is_cut or "masked" in flags) or len(texts) > len(came) or (len(texts) < len(came) and not is_cut):
        return False
    return all(
        (len(text) == len(original) or (is_cut and len(text) < len(original)))
        and all(here == there or BLOT in (here, there) for here, there in zip(text, original, strict=False))
        for text, original in zip(texts, came, strict=False)
    )


def _unlike(turn: Object, told: TurnInLedger) -> str:
    """What the ledger says otherwise of the turn; an empty text where it says the same."""
    if told.accepted is None or not _is_message_in(told.accepted, turn):
        return "message"
    if turn["attempts"] != told.n_retried + 1:
        return "number of attempts"
    if turn["status"] == "answered":
        return "" if told.reply and not told.has_failed and _is_reply_in(told.reply, turn) else "reply"
    is_empty = not turn["reply"] and not turn["flags"] and turn["latency_ms"] is None and told.reply is None
    last = told.failures[-1].at if told.failures else None
    is_failed = turn["status"] == "failed"
    if not is_empty or told.has_failed is not is_failed or not is_same_time(turn["settled_at"], last):
        return "failure"
    return "" if is_failed or turn["status"] == "waiting" else "status"


def _is_message_in(line: Object, turn: Object) -> bool:
    frame = line["frame"]
    is_said = all(frame[name] == turn[name] for name in ("turn", "text", "subtask", "key"))
    return is_said and frame["turns_used"] == turn["turn"] and is_same_time(line["at"], turn["asked_at"])


def _is_reply_in(line: Object, turn: Object) -> bool:
    frame = line["frame"]
    is_said = frame["texts"] == turn["reply"] and frame.get("flags", []) == turn["flags"]
    return is_said and frame["latency_ms"] == (turn["latency_ms"] or 0) and is_same_time(line["at"], turn["settled_at"])


SCENARIOS = "scenarios.jsonl"
LIVE, OF_ELSEWHERE = "live", "imported"
# Where reviewers say what is finished, an imported dialogue is one part of this kind.
PART_OF_IMPORTED = "dialogue"


def check_opening(
    line: int, dialogue: Object, scenario: Object, campaign: Mapping[str, Any], policy: TurnPolicy, findings: Findings
) -> None:
    """Neither a scenario's parts nor what rules the caps change once there is a dialogue."""
    is_imported = dialogue["origin"] == OF_ELSEWHERE
    if dialogue["origin"] not in (LIVE, OF_ELSEWHERE) or is_imported is not bool(dialogue["external_id"]):
        text = f"dialogue {shown(dialogue['dialogue'])} is told as {shown(dialogue['origin'])}, which its id elsewhere denies"
        findings.note(DIALOGUES, text, line=line, figure="origin")
    cap = campaign["settings"]["turn_cap"]
    if dialogue["turn_cap"] != (None if is_imported or cap is None else policy.shown_cap(cap)):
        text = f"dialogue {shown(dialogue['dialogue'])} has another turn cap than the settings give it"
        findings.note(DIALOGUES, text, line=line, figure="turn_cap")
    if scenario["scenario"] == IMPORTED_SCENARIO and scenario["subtasks"]:
        findings.note(SCENARIOS, f"{IMPORTED_SCENARIO} has parts, which imported dialogues bring themselves")
    parts = [(one["kind"], one["cap"]) for one in dialogue["subtasks"]]
    wanted = _parts_of_imported(dialogue, campaign, policy) if is_imported else _parts_of(scenario, policy)
    if parts != wanted:
        text = f"dialogue {shown(dialogue['dialogue'])} has other parts or caps than {_source(scenario, is_imported=is_imported)}"
        findings.note(DIALOGUES, text, line=line, figure="subtasks")


def _source(scenario: Object, *, is_imported: bool) -> str:
    return "imported dialogues have" if is_imported else f"the scenario {shown(scenario['scenario'])}"


def _parts_of(scenario: Object, policy: TurnPolicy) -> list[tuple[Any, int | None]]:
    return [
        (one["kind"], None if one["turn_cap"] is None else policy.shown_cap(one["turn_cap"], is_first=index == 1))
        for index, one in enumerate(scenario["subtasks"], start=1)
    ]


def _parts_of_imported(
    dialogue: Object, campaign: Mapping[str, Any], policy: TurnPolicy
) -> list[tuple[Any, int | None]]:
    if not campaign["rubric"]["asks_for_verdicts"]:
        return []
    # Its cap is what was said in it, but for one in which nothing was.
    return [(PART_OF_IMPORTED, max(dialogue["turns_used"], policy.turns(1)))]
