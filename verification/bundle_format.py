"""What a bundle holds: its files, the columns of each, and how values become bytes. Pure.

Writer and verification share this module alone, so that neither can change the format without the other.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from reading.json_texts import json_text

FORMAT = "huace-bundle/4"
# The bundle of a combined board: the files of the leaderboard, and two more. That of a board without people's figures: those two alone.
OF_COMBINED, OF_RUNS = "+combined", "+runs"
FORMAT_OF_COMBINED, FORMAT_OF_RUNS = FORMAT + OF_COMBINED, FORMAT + OF_RUNS

MANIFEST, CAMPAIGN, LEADERBOARD, README = "manifest.json", "campaign.json", "leaderboard.json", "README.md"
STATISTICS = "statistics.json"
PLAN, ASSIGNMENTS = "plan.json", "assignments.jsonl"
RUNS, COMBINED = "runs.jsonl", "combined.json"
PLACE = ("dialogue", "tester", "bot", "scenario", "repetition")
RECORDS = "records.jsonl"
# What a bundle holds besides where people compared systems in pairs: their votes, and the board made of them.
OF_PAIRS = "+pairs"
PAIRS, PAIR_BOARD = "pairs.jsonl", "pairs.json"
# The scenario of imported dialogues that name none, as `campaigns/campaign_file/campaign_settings.py` calls it.
IMPORTED_SCENARIO = "imported"

# The rows of each file in the order of their columns. Those that begin with `PLACE` are sorted by dialogue.
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "entries.jsonl": ("bot", "team", "name", "is_declared", "fingerprint", "canary"),
    "scenarios.jsonl": (
        "scenario", "position", "title", "opening", "opening_en", "instructions", "facts", "skill", "items", "context",
        "subtasks",
    ),
    "dialogues.jsonl": (
        *PLACE, "status", "reason", "turns_used", "subtasks", "opened_at", "closed_at", "origin", "external_id", "turn_cap",
        "tester_kind",
    ),
    "turns.jsonl": (
        *PLACE, "turn", "subtask", "key", "status", "text", "reply", "flags", "attempts", "latency_ms", "asked_at",
        "settled_at",
    ),
    "attempts.jsonl": (
        *PLACE, "turn", "attempt", "request", "outcome", "has_left", "status", "is_current", "kind", "fault", "reply",
        "latency_ms", "ended_at",
    ),
    "ledger.jsonl": (*PLACE, "seq", "kind", "fault", "at", "frame"),
    "reviews.jsonl": (*PLACE, "reviewer", "verdicts", "comment", "version", "submitted_at", "part", "is_counted"),
    "ratings.jsonl": (
        *PLACE, "reviewer", "criterion", "score", "place", "label", "evidence_turn", "part", "is_counted",
    ),
    "changes.jsonl": (
        *PLACE, "reviewer", "version", "kind", "changed_by", "at", "before", "after", "reason", "digest",
    ),
    "disputes.jsonl": (*PLACE, "criteria", "opened_at", "settled_at", "settled_by"),
    "vettings.jsonl": (*PLACE, "expert", "is_accepted", "reason", "at"),
    ASSIGNMENTS: ("tester", "bot", "scenario", "repetition", "position", "made_by", "dialogues"),
    "imported.jsonl": ("bot", "record"),
}  # fmt: skip

RUN_COLUMNS = ("task", "split", "team", "run", "name", "measure", "file_sha256", "figures", "reason", "sha256")

# `pair` tells pairs apart; its judge has one vote on it. `left` and `right` are as the judge saw them. Of imported votes `external_id` is
# the question, and no dialogue or text is known. Rows come in the order in which intervals are drawn.
PAIR_COLUMNS = (
    "pair", "scenario", "external_id", "left", "right", "left_dialogue", "right_dialogue", "kind", "origin", "judge",
    "verdict", "reason", "evidence_side", "evidence_turn", "at", "left_characters", "right_characters", "left_marks",
    "right_marks",
)  # fmt: skip
# The covariates of the controlled strengths, of `left_` and `right_` each; decimals of the board's figures; what holds strengths where
# the votes alone do not.
PAIR_COVARIATES = ("characters", "marks")
PAIR_DECIMALS, PAIR_PENALTY = 4, 0.01

# How bundles of the format before call themselves, and what their rows hold in place of these columns: ids of the database.
FORMER = "huace-bundle/3"
FORMER_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "changes.jsonl": (
        *PLACE, "review", "reviewer", "version", "kind", "changed_by", "changed_by_id", "at", "before", "after", "reason",
        "digest",
    ),
}  # fmt: skip

# Columns that the first bundles of the format before lack; each stands last in its row, and is null where it is missing.
ADDED: Mapping[str, tuple[str, ...]] = {"entries.jsonl": ("canary",), "dialogues.jsonl": ("tester_kind",)}

# In the order in which they stand in the zip; the manifest comes last, when all the others are known.
FILES = (README, CAMPAIGN, *COLUMNS, PLAN, RECORDS, LEADERBOARD, STATISTICS)
FILES_OF_COMBINED = (*FILES, RUNS, COMBINED)
FILES_OF_RUNS = (README, RUNS, COMBINED)
FILES_OF_PAIRS = (PAIRS, PAIR_BOARD)

FORMATS: Mapping[tuple[str, ...], str] = {
    FILES: FORMAT,
    FILES_OF_COMBINED: FORMAT_OF_COMBINED,
    FILES_OF_RUNS: FORMAT_OF_RUNS,
    (*FILES, *FILES_OF_PAIRS): FORMAT + OF_PAIRS,
    (*FILES_OF_COMBINED, *FILES_OF_PAIRS): FORMAT_OF_COMBINED + OF_PAIRS,
}


def files_of_bundle(there: Iterable[str]) -> tuple[str, ...]:
    """The files that a bundle must have beside its manifest: one file of a kind asks for all others of it."""
    names = set(there)
    of_pairs = FILES_OF_PAIRS if names & {*FILES_OF_PAIRS} else ()
    if not names & {RUNS, COMBINED}:
        return (*FILES, *of_pairs)
    return (*FILES_OF_COMBINED, *of_pairs) if names & {*FILES, *FILES_OF_PAIRS} - {README} else FILES_OF_RUNS


def line_of_trail(change: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a row of changes.jsonl that its digest covers; in the format before by the ids of review and account."""
    if "changed_by_id" in change:
        return {name: change[name] for name in TRAIL_OF_FORMER} | {"changed_by": change["changed_by_id"]}
    return {name: change[name] for name in TRAIL}


TRAIL_OF_FORMER = ("review", "version", "kind", "at", "before", "after", "reason")
TRAIL = ("dialogue", "reviewer", "version", "kind", "changed_by", "at", "before", "after", "reason")


def as_line(value: Mapping[str, Any]) -> str:
    """A row of a JSON Lines file, as the exports write it."""
    return json_text(value) + "\n"


def as_document(value: Mapping[str, Any]) -> bytes:
    """A JSON file that people read, too."""
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()


# Words of combined boards, shared with task files. They stand in published files: another word would be another format.
# The key of the column that is a sum or a mean of others, and how it adds up.
TOTAL = "total"
SUM, MEAN = "sum", "mean"
# Why a team lacks a figure that ranks, where no part gives a reason.
ABSENT, NO_FIGURE = "absent", "no figure"
# What a board of runs calls a team that has none on it: no run has such a name.
TEAM_WITHOUT_RUN = "team {team}"
# In place of a measure: the figures are those that a paper printed.
PRINTED = "printed"


def digest_of_canary(bot: str, canary: Mapping[str, Any]) -> str:
    """Covers the bot and all that is said of it but this digest."""
    told = {name: value for name, value in canary.items() if name != "sha256"}
    text = json.dumps([bot, told], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def digest_of_run(row: Mapping[str, Any]) -> str:
    """Covers all that a line of runs.jsonl says but this digest."""
    told = {name: value for name, value in row.items() if name != "sha256"}
    return hashlib.sha256(json.dumps(told, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
