"""What a review page shows, made from a sheet: the transcript in rows with its parts, and the labels of each turn. Pure."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from campaigns.labels import context_label
from dialogues.turn_policy import TurnPolicy
from dialogues.turn_taking import OPENING
from reviews.score_rows import LabelSet, RubricRow, label_sets, name_of_part, rubric_rows
from testing_console.goal_card import Fact, card_parts, general_facts
from testing_console.score_axis import ScoreKeys, score_keys

CLOSED = {
    "finished": gettext_noop("finished"),
    "given_up": gettext_noop("given up"),
    "cap_reached": gettext_noop("turn cap reached"),
    "failed": gettext_noop("the system failed"),
    "pending": gettext_noop("not started"),
    "open": gettext_noop("in progress"),
}


@dataclass(frozen=True, slots=True)
class PartRule:
    """The thin rule above the first turn of a part: what it was about and how it ended."""

    index: int
    name: str
    line: str
    closed: str
    is_finished: bool
    turns_used: int
    turn_cap: int | None


@dataclass(frozen=True, slots=True)
class TurnRow:
    number: int
    text: str
    texts: Sequence[str]
    is_failed: bool
    latency: str
    label_sets: Sequence[LabelSet]


@dataclass(frozen=True, slots=True)
class PartOfTranscript:
    """The turns of one part; `rule` is missing where a dialogue has no parts."""

    rule: PartRule | None
    turns: Sequence[TurnRow]


@dataclass(frozen=True, slots=True)
class ReviewPage:
    parts: Sequence[PartOfTranscript]
    rows: Sequence[RubricRow]
    general: Sequence[Fact]
    n_turns: int
    n_labels: int
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def score_keys(self) -> ScoreKeys:
        """How the scores are typed; labels have numbers of their own, beside them on the page."""
        return score_keys(point.digit for row in self.rows if row.kind == "scale" for point in row.points)


def review_page(sheet: Mapping[str, Any], policy: TurnPolicy) -> ReviewPage:
    """The page of a sheet, with the turns that its campaign counts. `names` says every rating and verdict in words, for where two versions are compared."""
    sets = label_sets(sheet)
    rows = rubric_rows(sheet)
    kinds = [subtask["kind"] for subtask in sheet["subtasks"]]
    return ReviewPage(
        parts=transcript(sheet, sets, policy),
        rows=rows,
        general=general_facts(kinds, sheet["scenario"]["facts"]),
        n_turns=policy.turns(sum(turn["number"] != OPENING for turn in sheet["turns"])),
        n_labels=sum(one.is_required for one in sets),
        names=names_of(rows, sets),
    )


def transcript(sheet: Mapping[str, Any], sets: Iterable[LabelSet], policy: TurnPolicy) -> list[PartOfTranscript]:
    """The turns under their parts; a part without a turn has its rule all the same, so that it can be judged."""
    labels = {number: list(group) for number, group in groupby(sets, key=lambda one: one.turn)}
    rows: dict[int, list[TurnRow]] = {}
    for turn in sheet["turns"]:
        rows.setdefault(turn["subtask"], []).append(turn_row(turn, labels.get(turn["number"], [])))
    rules = rules_of(sheet, policy)
    parts = [PartOfTranscript(rule, rows.pop(index, [])) for index, rule in rules.items()]
    # An imported dialogue has turns alone.
    return [PartOfTranscript(None, turns) for turns in rows.values()] + parts


def turn_row(turn: Mapping[str, Any], sets: Sequence[LabelSet]) -> TurnRow:
    latency_ms = turn.get("latency_ms")
    return TurnRow(
        turn["number"], turn["text"], turn["texts"], turn["failed"],
        f"{latency_ms / 1000:.1f}" if latency_ms is not None else "", sets,
    )  # fmt: skip


def rules_of(sheet: Mapping[str, Any], policy: TurnPolicy) -> dict[int, PartRule]:
    subtasks = [counted_by(policy, one) for one in sheet["subtasks"]]
    parts = card_parts([(one["index"], one["kind"]) for one in subtasks], sheet["scenario"]["facts"])
    return {
        one["index"]: PartRule(
            one["index"], name_of_part(one), part.line, closed_in_words(one), one["status"] == "finished",
            one["turns_used"], one["turn_cap"],
        )
        for one, part in zip(subtasks, parts, strict=True)
    }  # fmt: skip


def counted_by(policy: TurnPolicy, subtask: Mapping[str, Any]) -> dict[str, Any]:
    used, cap = policy.turns_of_part(subtask["index"], subtask["turns_used"], subtask["turn_cap"])
    return {**subtask, "turns_used": used, "turn_cap": cap}


def closed_in_words(subtask: Mapping[str, Any]) -> str:
    """How a part ended and with how many turns."""
    n = subtask["turns_used"]
    status = _(CLOSED[subtask["status"]])
    return f"{status} · {ngettext('%(n)d turn', '%(n)d turns', n) % {'n': n}}" if n else status


def names_of(rows: Iterable[RubricRow], sets: Iterable[LabelSet]) -> dict[str, str]:
    names = {f"verdict {row.verdict}" if row.verdict else row.rating: f"{row.letter} {row.name}" for row in rows}
    said_by = {"tester": _("tester"), "bot": _("system")}
    for one in sets:
        names[one.rating] = f"{one.letter} · {one.turn} · {said_by[one.speaker]}"
    return names


def context_rows(sheet: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What the system was given, one row per key; texts as they are, anything else as JSON."""
    context = sheet["context"] or {}
    return [
        (context_label(key), value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
        for key, value in context.items()
    ]
