"""What each frame holds: its rows, its key, and of each column the kind, the categories, the unit and what it says. Pure.

Frames are made from these declarations (`analysis/bundles.py`), and docs/codebook.md is written from them (`analysis/codebook.py`).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from dialogues.turn_taking import DialogueStatus, SubtaskStatus, TurnStatus
from leaderboards.table_files.column_kinds import FLAG, NUMBER, TEXT, TIME, WHOLE, ColumnKind
from reviews.counting_rules import ADJUDICATION, PANEL, SELF
from verification.plans import AS_DRAWN, BY_HAND, DRAWN, LATER, MOVED


@dataclass(frozen=True, slots=True)
class Column:
    """One column. `one_of` are all values that it can have; `repeats` marks names of which there are few: both are categories.

    `refers_to` names the column of another frame that has the value, `missing` says what an empty cell means.
    """

    about: str
    kind: ColumnKind = TEXT
    unit: str = ""
    one_of: tuple[str, ...] = ()
    repeats: bool = False
    refers_to: str = ""
    missing: str = ""

    @property
    def is_category(self) -> bool:
        return bool(self.one_of) or self.repeats


@dataclass(frozen=True, slots=True)
class FrameColumns:
    """One frame: what a row is, the file of the bundle that it is read from, and the columns that tell its rows apart."""

    row: str
    file: str
    key: tuple[str, ...]
    columns: Mapping[str, Column]


# Words of models and of texts that are translated, which ask for Django's settings; a test compares them.
# Programs stand in a bundle where the campaign says that they count.
KINDS = ("person", "program")
ORIGINS = ("live", "imported", "practice", "program")
OUTCOMES = ("reply", "failure", "resent", "late")
FAULTS = ("nobody", "bot", "platform", "tester")
FAILURE_KINDS = (
    "dns", "connect", "tls", "timeout_first_byte", "timeout_total", "http_4xx", "http_5xx", "bad_json", "bad_shape",
    "empty", "too_long", "other_dialogue", "blocked_address", "cancelled", "interrupted",
)  # fmt: skip
GOLD = "gold"

DIALOGUE = Column("the dialogue", refers_to="dialogues.dialogue")
TESTER = Column("the tester, by the number that the bundle gives people", repeats=True)
BOT = Column("the key of the system", repeats=True, refers_to="bots.bot")
SCENARIO = Column("the key of the scenario; `imported` for dialogues that name none", repeats=True)
REPETITION = Column("the repetition of tester × bot × scenario, from 1", WHOLE)
# What says of which dialogue a row is (`PLACE` of the bundle).
PLACE = {"dialogue": DIALOGUE, "tester": TESTER, "bot": BOT, "scenario": SCENARIO, "repetition": REPETITION}
REVIEWER = Column("the reviewer, by the number that the bundle gives people", repeats=True)
TURN = Column("the number of the turn; 0 is the opening of a bot that speaks first", WHOLE)

BOTS = FrameColumns(
    "a system that takes part",
    "entries.jsonl",
    ("bot",),
    {
        "bot": Column("its key", repeats=True),
        "team": Column("its team; empty in a bundle with aliases"),
        "name": Column("its name"),
        "is_declared": Column("whether it was entered to be talked to, not made by an import", FLAG),
    },
)
SCENARIOS = FrameColumns(
    "what testers were asked to do",
    "scenarios.jsonl",
    ("scenario",),
    {
        "scenario": Column("its key", repeats=True),
        "position": Column("its place in the campaign's order", WHOLE),
        "title_zh": Column("its title in Chinese"),
        "title_en": Column("its title in English"),
        "opening": Column("the starting sentence"),
        "skill": Column("the skill that it asks for, where the campaign tells skills apart", repeats=True),
        "kinds": Column("the kinds of its subtasks in their order, joined by `+`", repeats=True),
    },
)
DIALOGUES = FrameColumns(
    "a dialogue",
    "dialogues.jsonl",
    ("dialogue",),
    {
        "dialogue": Column("its id"),
        **{name: column for name, column in PLACE.items() if name != "dialogue"},
        "status": Column("how it ended", one_of=tuple(DialogueStatus)),
        "reason": Column("why it ended", repeats=True),
        "turns_used": Column("its turns, counted as the campaign counts", WHOLE, "turns"),
        "opened_at": Column("when it was opened", TIME),
        "closed_at": Column("when it ended", TIME, missing="it is open"),
        "origin": Column("where it took place", one_of=ORIGINS),
        "external_id": Column("what an imported dialogue is called where it comes from"),
        "turn_cap": Column("the cap of the whole dialogue", WHOLE, "turns", missing="each subtask has its own"),
        "tester_kind": Column("who talked", one_of=KINDS, missing="the bundle is older than this column"),
    },
)
SUBTASKS = FrameColumns(
    "a subtask of a dialogue",
    "dialogues.jsonl",
    ("dialogue", "subtask"),
    {
        **PLACE,
        "subtask": Column("its place in the dialogue, from 1", WHOLE),
        "kind": Column("what is to be done", repeats=True),
        "status": Column("how it ended", one_of=tuple(SubtaskStatus)),
        "turns": Column("what was spent on it", WHOLE, "turns"),
        "cap": Column("the most that it could take", WHOLE, "turns", missing="one cap spans the dialogue"),
    },
)
TURNS = FrameColumns(
    "a turn: what the tester said and the system answered",
    "turns.jsonl",
    ("dialogue", "turn"),
    {
        **PLACE,
        "turn": TURN,
        "subtask": Column("the subtask that it belongs to", WHOLE, refers_to="subtasks.subtask"),
        "key": Column("the key that the tester's page gave it"),
        "status": Column("what came of it", one_of=tuple(TurnStatus)),
        "text": Column("what the tester said"),
        "reply": Column("what was shown of the answer; bubbles are joined by line breaks"),
        "flags": Column("what was marked about the answer, joined by spaces", repeats=True),
        "attempts": Column("how often the system was asked, retries included", WHOLE),
        "latency_ms": Column(
            "until the answer was there", WHOLE, "ms", missing="there is no answer, or it was imported"
        ),
        "asked_at": Column("when the turn was stored", TIME),
        "settled_at": Column("when the answer or failure was stored", TIME, missing="it waits"),
    },
)
ATTEMPTS = FrameColumns(
    "a request to a system",
    "attempts.jsonl",
    ("dialogue", "turn", "attempt", "request"),
    {
        **PLACE,
        "turn": TURN,
        "attempt": Column("1 for the first try, one more with each press of retry", WHOLE),
        "request": Column("the request within the attempt, from 1", WHOLE),
        "outcome": Column("what came of it", one_of=OUTCOMES),
        "has_left": Column("whether a byte of it may have reached the system", FLAG),
        "status": Column("the HTTP status of the answer", WHOLE, missing="there was none"),
        "is_current": Column("whether it decided what came of the turn", FLAG),
        "kind": Column("of a failure: what failed; empty otherwise", one_of=("", *FAILURE_KINDS)),
        "fault": Column("of a failure: who caused it; empty otherwise", one_of=("", *FAULTS)),
        "reply": Column("the answer as it came; bubbles are joined by line breaks"),
        "latency_ms": Column("how long it took", WHOLE, "ms", missing="nothing was measured"),
        "ended_at": Column("when it ended", TIME),
    },
)  # fmt: skip
RATINGS = FrameColumns(
    "a score: one reviewer, one criterion, one place",
    "ratings.jsonl",
    ("dialogue", "reviewer", "criterion", "place"),
    {
        **PLACE,
        "reviewer": REVIEWER,
        "criterion": Column("the key of the criterion", repeats=True),
        "score": Column("the point of the scale; of a label its number in the rubric", WHOLE, "points"),
        "place": Column("empty: the dialogue; `#2`: its second subtask; `@3.bot`: the system in turn 3", repeats=True),
        "label": Column("the key of the label", repeats=True, missing="the criterion is a scale"),
        "evidence_turn": Column("the turn that was pinned as evidence", WHOLE, missing="none was pinned"),
        "part": Column("as what the reviewer scored", one_of=(SELF, PANEL, ADJUDICATION, GOLD)),
        "is_counted": Column("whether the review is a record of the leaderboard", FLAG),
    },
)
RECORDS = FrameColumns(
    "what the figures are means of: a review that counts, or an imported record",
    "records.jsonl",
    ("dialogue", "bot", "scenario", "reviewer", "is_imported"),
    {
        "dialogue": Column(
            "the dialogue", refers_to="dialogues.dialogue", missing="an imported record that names none"
        ),
        "bot": BOT,
        "scenario": Column("the scenario; of imported records what their line calls it", repeats=True),
        "reviewer": REVIEWER,
        "is_imported": Column("whether the record comes from elsewhere", FLAG),
        "weight": Column("its share of the dialogue: all records of one weigh 1 together", NUMBER),
        "completion": Column("1 where every subtask is finished, else 0 (C)", WHOLE),
        "charged_turns": Column(
            "the turns of finished subtasks and the caps of unfinished ones (T is their mean)", WHOLE, "turns"
        ),
    },
)
ASSIGNMENTS = FrameColumns(
    "who was to talk to which system about what",
    "assignments.jsonl",
    ("tester", "bot", "scenario", "repetition"),
    {
        **{name: column for name, column in PLACE.items() if name != "dialogue"},
        "position": Column("its place in the tester's order", WHOLE),
        "made_by": Column("how it came about", one_of=(AS_DRAWN, MOVED, LATER, BY_HAND, DRAWN)),
        "n_dialogues": Column("how many dialogues were opened for it; at most one counts", WHOLE),
    },
)
OF_IMPORTED = "the vote was imported"
SIDE_OF_PAIR = Column("the system on that side, as the judge saw it", repeats=True, refers_to="bots.bot")
SAID_ON_SIDE = Column("the dialogue on that side", refers_to="dialogues.dialogue", missing=OF_IMPORTED)
CHARACTERS = Column("all that the system on that side said", WHOLE, "characters", missing=OF_IMPORTED)
MARKS = Column("headings, items of lists and `**` in it", WHOLE, missing=OF_IMPORTED)
PAIRS = FrameColumns(
    "a vote on a pair of systems; empty where nobody compared two",
    "pairs.jsonl",
    ("pair", "judge"),
    {
        "pair": Column("the pair"),
        "scenario": SCENARIO,
        "external_id": Column("the question of an imported vote; empty for others"),
        "left": SIDE_OF_PAIR,
        "right": SIDE_OF_PAIR,
        "left_dialogue": SAID_ON_SIDE,
        "right_dialogue": SAID_ON_SIDE,
        "kind": Column("whether both systems were talked to at once", one_of=("live", "finished")),
        "origin": Column("whether the platform drew it", one_of=("drawn", "imported")),
        "judge": Column("the judge, by the number that the bundle gives people", repeats=True),
        "verdict": Column("which side is better", one_of=("left", "right", "tie", "both_bad")),
        "reason": Column("why, in the judge's words"),
        "evidence_side": Column("the side whose turn shows it", one_of=("", "left", "right")),
        "evidence_turn": Column("the turn that shows it", WHOLE, missing="none was named"),
        "at": Column("when", TIME),
        "left_characters": CHARACTERS,
        "right_characters": CHARACTERS,
        "left_marks": MARKS,
        "right_marks": MARKS,
    },
)
FRAMES: Mapping[str, FrameColumns] = {
    "bots": BOTS, "scenarios": SCENARIOS, "assignments": ASSIGNMENTS, "dialogues": DIALOGUES, "subtasks": SUBTASKS,
    "turns": TURNS, "attempts": ATTEMPTS, "ratings": RATINGS, "records": RECORDS, "pairs": PAIRS,
}  # fmt: skip

# Beside these, `records` has one column for each scale of the rubric, called by its key.
OF_CRITERION = Column(
    "the record's score on that scale: the mean over its places where it is scored by subtask or turn",
    NUMBER,
    "points",
    missing="nobody scored it",
)
