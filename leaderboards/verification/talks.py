"""Whether a dialogue, its turns, the requests to its bot and its ledger say the same. Pure."""

from collections import Counter
from collections.abc import Sequence

from leaderboards.verification.findings import Findings, shown
from leaderboards.verification.tables import Line, Object
from testing_console.turn_policy import TurnPolicy

DIALOGUES, TURNS, ATTEMPTS, LEDGER = "dialogues.jsonl", "turns.jsonl", "attempts.jsonl", "ledger.jsonl"
OPENING = 0
NOT_CLOSED = {"open", "pending"}
# Lines after which a closed dialogue counts nowhere, and what it is called then.
UNCOUNTED_BY = {"dialogue.returned": "returned", "dialogue.voided": "void"}


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

    def check(self, policy: TurnPolicy, findings: Findings) -> None:
        self._check_turns(policy, findings)
        self._check_attempts(findings)
        self._check_faults(findings)
        self._check_ledger(findings)

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
            counted = policy.turns(n_in[index], is_first=index == 1)
            if subtask["status"] not in NOT_CLOSED and subtask["turns"] != counted:
                text = f"subtask {index} of dialogue {self.name} has {shown(subtask['turns'])} turns; {TURNS} has {counted}"
                findings.note(DIALOGUES, text, line=self.line, figure="subtasks")

    def _check_attempts(self, findings: Findings) -> None:
        n_asked = Counter(turn["turn"] for _, turn in self.turns)
        seen: set[tuple[int, int, int]] = set()
        settled = set()
        for line, one in self.attempts:
            request = one["turn"], one["attempt"], one["request"]
            if one["turn"] not in n_asked:
                findings.note(
                    ATTEMPTS, f"is of turn {one['turn']}, which dialogue {self.name} does not have", line=line
                )
            if one["outcome"] != "late" and request in seen:
                findings.note(ATTEMPTS, f"request {request} of dialogue {self.name} appears twice", line=line)
            seen.add(request)
            if one["is_current"] or one["outcome"] == "reply":
                settled.add((one["turn"], one["outcome"]))
        for line, turn in self.turns:
            outcome = {"answered": "reply", "failed": "failure"}.get(turn["status"])
            if outcome and (turn["turn"], outcome) not in settled:
                text = f"turn {turn['turn']} of dialogue {self.name} is {turn['status']}, but no request in {ATTEMPTS} says so"
                findings.note(TURNS, text, line=line, figure="status")

    def _check_faults(self, findings: Findings) -> None:
        """The failure that a turn stopped at has the fault of its line, or the one that was booked last."""
        booked = {}
        for _, one in self.ledger:
            if one["kind"] in ("turn.failed", "fault.booked"):
                booked[one["frame"]["turn"]] = one["frame"].get("fault")
        for line, one in self.attempts:
            fault = booked.get(one["turn"])
            if one["is_current"] and one["outcome"] == "failure" and fault not in (None, one["fault"]):
                text = f"turn {one['turn']} of dialogue {self.name} failed by the fault of {shown(one['fault'])}; {LEDGER} says {shown(fault)}"
                findings.note(ATTEMPTS, text, line=line, figure="fault")

    def _check_ledger(self, findings: Findings) -> None:
        seqs = [one["seq"] for _, one in self.ledger]
        if seqs != list(range(1, len(seqs) + 1)):
            line, first = next((line, n) for n, (line, one) in enumerate(self.ledger, start=1) if one["seq"] != n)
            text = (
                f"the ledger of dialogue {self.name} should go on with number {first}, but has {shown(seqs[first - 1])}"
            )
            findings.note(LEDGER, text, line=line, figure="seq")
            return
        self._check_said(findings)
        self._check_closings(findings)

    def _check_said(self, findings: Findings) -> None:
        """The ledger holds each turn's message, and the reply or failure that came of it."""
        accepted, outcomes = {}, {}
        for _, one in self.ledger:
            frame = one["frame"]
            if one["kind"] == "turn.accepted":
                accepted[frame["turn"]] = (frame["text"], frame["subtask"])
            elif one["kind"] in ("reply.done", "turn.failed"):
                outcomes[frame["turn"]] = frame["texts"] if one["kind"] == "reply.done" else None
        said = {turn["turn"]: (turn["text"], turn["subtask"]) for _, turn in self.turns}
        for line, turn in self.turns:
            number = turn["turn"]
            if accepted.get(number) != said[number]:
                self._differs(findings, line, number, "message")
            elif turn["status"] == "answered" and outcomes.get(number) != turn["reply"]:
                self._differs(findings, line, number, "reply")
            elif turn["status"] == "failed" and outcomes.get(number, ()) is not None:
                self._differs(findings, line, number, "failure")
        if extra := accepted.keys() - said.keys():
            first = self.turns[0][0] if self.turns else None
            text = f"turn {min(extra)} of dialogue {self.name} is missing: {LEDGER} has it"
            findings.note(TURNS, text, line=first, figure="turn")

    def _differs(self, findings: Findings, line: int, number: int, what: str) -> None:
        text = f"the {what} of turn {number} of dialogue {self.name} is not the one in {LEDGER}"
        findings.note(TURNS, text, line=line, figure=what)

    def _check_closings(self, findings: Findings) -> None:
        """How the dialogue and its subtasks ended is what their last lines say."""
        status, closed = "open", {}
        for _, one in self.ledger:
            frame = one["frame"]
            if one["kind"] == "dialogue.closed":
                status = frame["status"]
            elif one["kind"] in UNCOUNTED_BY:
                status = UNCOUNTED_BY[one["kind"]]
            elif one["kind"] == "dialogue.restored":
                status = frame["status"]
            elif one["kind"] == "subtask.closed":
                closed[frame["subtask"]] = frame["status"]
        if status != self.dialogue["status"]:
            text = f"dialogue {self.name} is {self.dialogue['status']}; {LEDGER} says {shown(status)}"
            findings.note(DIALOGUES, text, line=self.line, figure="status")
        for index, subtask in enumerate(self.dialogue["subtasks"], start=1):
            if subtask["status"] not in NOT_CLOSED and closed.get(index) != subtask["status"]:
                text = f"subtask {index} of dialogue {self.name} is {subtask['status']}; {LEDGER} says {shown(closed.get(index))}"
                findings.note(DIALOGUES, text, line=self.line, figure="subtasks")
