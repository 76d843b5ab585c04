"""What a review page shows, made from a sheet: the rows of the rubric, the labels of each turn, the panel's marks, the transcript. Pure.

A label's key is its place on the keyboard, not its initial: CNUG0, CNUG, CNUG* and CNaN share their letters.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from campaigns.labels import context_label, kind_label
from dialogues.turn_policy import TurnPolicy
from dialogues.turn_taking import OPENING
from reviews.rating_places import criterion_of
from testing_console.goal_card import Fact, card_parts, general_facts
from testing_console.score_axis import COMPLETION, ScoreKeys, columns_of, placed, score_keys, shared_axis, shown, wraps

# The upper row of a keyboard labels what the tester said, the middle row what the system said; C, E, J, K and N do something else.
LABEL_KEYS = {"tester": "qwrtyuiop", "bot": "asdfghl"}
SPARE_KEYS = "zxvbm"
CLOSED = {
    "finished": gettext_noop("finished"),
    "given_up": gettext_noop("given up"),
    "cap_reached": gettext_noop("turn cap reached"),
    "failed": gettext_noop("the system failed"),
    "pending": gettext_noop("not started"),
    "open": gettext_noop("in progress"),
}


@dataclass(frozen=True, slots=True)
class RowPoint:
    """A point in its column (from 1). `digit` is the key that chooses it, `value` what is stored."""

    value: str
    digit: int
    shown: str
    label: str
    column: int
    is_possible: bool = True


@dataclass(frozen=True, slots=True)
class RubricRow:
    """`verdict` is the index of the part it is about, `rating` the key of a rating; one of them is set."""

    letter: str
    name: str
    points: Sequence[RowPoint]
    n_columns: int
    question: str = ""
    verdict: int = 0
    rating: str = ""
    kind: str = "scale"
    is_required: bool = True
    evidence_below: int | None = None

    @property
    def is_long(self) -> bool:
        """Whether its points wrap."""
        return wraps(self.n_columns)

    @property
    def room_before(self) -> int:
        """The columns left of a verdict's points, where its name has room; 0 for every other row."""
        return self.points[0].column - 1 if self.verdict else 0


def rubric_rows(sheet: Mapping[str, Any]) -> list[RubricRow]:
    """What is scored of the dialogue and its parts, in the order in which it is asked."""
    parts = {subtask["index"]: subtask for subtask in sheet["subtasks"]}
    verdicts = list(parts.values()) if sheet["asks_for_verdicts"] else []
    asked = [criterion for criterion in sheet["criteria"] if criterion["scope"] != "turn"]
    scales = [[point["score"] for point in one["points"]] for one in asked if one["kind"] == "scale"]
    shared = shared_axis([[1, 0] if verdicts else [], *scales])
    rows = [verdict_row(part, columns_of([1, 0], shared)) for part in verdicts]
    for criterion in asked:
        for place in criterion["places"]:
            part = parts.get(int(place[1:])) if place else None
            rows.append(criterion_row(criterion, place, part, shared))
    return rows


def verdict_row(part: Mapping[str, Any], columns: Sequence[int]) -> RubricRow:
    """Finished or not; what never began cannot be finished."""
    has_begun = part["turns_used"] > 0 or part["status"] == "finished"
    points = [
        RowPoint(str(point.score), point.score, point.shown, point.label, point.column, has_begun or not point.score)
        for point in placed([(1, _("finished")), (0, _("not finished"))], columns)
    ]
    return RubricRow(COMPLETION, name_of_part(part), points, len(columns), verdict=part["index"])


def name_of_part(part: Mapping[str, Any]) -> str:
    return f"{part['index']} {kind_label(part['kind'])}"


def criterion_row(
    criterion: Mapping[str, Any], place: str, part: Mapping[str, Any] | None, shared: Sequence[int]
) -> RubricRow:
    is_scale = criterion["kind"] == "scale"
    columns = columns_of([point["score"] for point in criterion["points"]], shared)
    points = scale_points(criterion, columns) if is_scale else label_points(criterion)
    return RubricRow(
        letter=criterion["letter"],
        name=f"{name_of_part(part)} · {criterion['name']}" if part else criterion["name"],
        points=points,
        n_columns=len(columns) if is_scale else len(points),
        question=criterion["question"],
        rating=criterion["key"] + place,
        kind=criterion["kind"],
        is_required=criterion["required"],
        evidence_below=criterion["evidence_below"],
    )


def scale_points(criterion: Mapping[str, Any], columns: Sequence[int]) -> list[RowPoint]:
    points = placed([(point["score"], point["label"]) for point in criterion["points"]], columns)
    return [RowPoint(str(point.score), point.score, point.shown, point.label, point.column) for point in points]


def label_points(criterion: Mapping[str, Any]) -> list[RowPoint]:
    """Labels have numbers, not scores: they stand side by side in the order of those."""
    return [
        RowPoint(point["key"], point["score"], shown(point["score"]), point["label"], column)
        for column, point in enumerate(criterion["points"], start=1)
    ]


@dataclass(frozen=True, slots=True)
class Label:
    """A label that one key gives to what was said; `shortcut` is empty where the keys are used up."""

    value: str
    name: str
    label: str
    shortcut: str


@dataclass(frozen=True, slots=True)
class LabelSet:
    """The labels of one criterion for what one speaker said in one turn."""

    rating: str
    turn: int
    speaker: str
    letter: str
    name: str
    kind: str
    is_required: bool
    labels: Sequence[Label]


def label_sets(sheet: Mapping[str, Any]) -> list[LabelSet]:
    """Every set of labels that is asked for, turn by turn; a label has the same key in all turns."""
    asked = [criterion for criterion in sheet["criteria"] if criterion["scope"] == "turn"]
    keys = shortcuts(asked)
    sets = []
    for criterion in asked:
        for place in criterion["places"]:
            number, _dot, speaker = place.removeprefix("@").partition(".")
            labels = [
                Label(value, name_of_point(criterion, point), point["label"], keys[criterion["key"], speaker, value])
                for point, value in points_for(criterion, speaker)
            ]
            sets.append(
                LabelSet(
                    criterion["key"] + place, int(number), speaker, criterion["letter"], criterion["name"],
                    criterion["kind"], criterion["required"], labels,
                )
            )  # fmt: skip
    return sorted(sets, key=lambda one: (one.turn, one.speaker != "tester"))


def points_for(criterion: Mapping[str, Any], speaker: str) -> Iterator[tuple[Mapping[str, Any], str]]:
    """The points that what this speaker said can get, each with the value that is stored."""
    for point in criterion["points"]:
        if point["speaker"] in {"", speaker}:
            yield point, point["key"] if criterion["kind"] == "label" else str(point["score"])


def name_of_point(criterion: Mapping[str, Any], point: Mapping[str, Any]) -> str:
    return str(point["key"]) if criterion["kind"] == "label" else shown(point["score"])


def shortcuts(criteria: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str, str], str]:
    """The key of every label by criterion, speaker and value: first those of its speaker's row, then what is spare."""
    left = {speaker: list(keys) for speaker, keys in LABEL_KEYS.items()}
    spare = list(SPARE_KEYS)
    keys = {}
    for criterion in criteria:
        for speaker, own in left.items():
            for _point, value in points_for(criterion, speaker):
                source = own or spare
                keys[criterion["key"], speaker, value] = source.pop(0) if source else ""
    return keys


@dataclass(frozen=True, slots=True)
class PanelMark:
    """The reviewers who chose the point in that column; `shown` names it where points wrap."""

    column: int
    numbers: Sequence[int]
    shown: str


@dataclass(frozen=True, slots=True)
class Shown:
    """An example of one point: the turn that the score is of or that shows it, and why it is this score, where an organizer said so."""

    example: int
    turn: int | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """An example with the criterion and the value, score or label, that it is of."""

    criterion: str
    value: int | str
    shown: Shown

    @property
    def score(self) -> str:
        return shown(self.value) if isinstance(self.value, int) else self.value


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """A row of the rubric with what the panel gave; `is_disputed` where they are too far apart."""

    row: RubricRow
    marks: Sequence[PanelMark] = ()
    is_disputed: bool = False
    examples: Sequence[Mark] = ()


def judged_rows(
    rows: Iterable[RubricRow], contents: Sequence[Mapping[str, Any]], disputed: Iterable[str]
) -> list[JudgedRow]:
    """The rows with the marks of `contents`, the panel's reviews in their order: the first is reviewer 1."""
    ratings = set(disputed)
    return [JudgedRow(row, marks_of(row, contents), row.rating in ratings) for row in rows]


def with_examples(rows: Iterable[JudgedRow], marks: Sequence[Mark]) -> list[JudgedRow]:
    """The rows with what the scoring guide shows of the criterion of each."""
    return [
        replace(
            one, examples=[mark for mark in marks if one.row.rating and mark.criterion == criterion_of(one.row.rating)]
        )
        for one in rows
    ]


def marks_of(row: RubricRow, contents: Sequence[Mapping[str, Any]]) -> list[PanelMark]:
    chosen = [value_in(row, content) for content in contents]
    marks = []
    for point in row.points:
        numbers = [number for number, value in enumerate(chosen, start=1) if value == point.value]
        if numbers:
            marks.append(PanelMark(point.column, numbers, point.shown))
    return marks


def value_in(row: RubricRow, content: Mapping[str, Any]) -> str | None:
    """What a review says on the row, as the row's points say it; None where it says nothing."""
    if row.verdict:
        verdict = content["verdicts"].get(str(row.verdict))
        return None if verdict is None else str(int(verdict))
    score = content["ratings"].get(row.rating)
    return None if score is None else str(score)


def labels_of(contents: Sequence[Mapping[str, Any]], ratings: Iterable[str]) -> dict[str, list[tuple[int, str]]]:
    """For every label that is asked for, which reviewer gave which."""
    return {
        rating: [
            (number, str(content["ratings"][rating]))
            for number, content in enumerate(contents, start=1)
            if rating in content["ratings"]
        ]
        for rating in ratings
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
