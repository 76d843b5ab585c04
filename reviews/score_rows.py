"""The rows of a reviewer's rubric and the labels of its turns, each with the key that chooses it. Pure.

A label's key is its place on the keyboard, not its initial: CNUG0, CNUG, CNUG* and CNaN share their letters.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from campaigns.labels import kind_label
from testing_console.score_axis import columns_of, placed, shared_axis, shown, wraps

# The letter of completion in the papers; its two points are verdicts, not scores of the rubric.
COMPLETION = "C"
# The upper row of a keyboard labels what the tester said, the middle row what the system said; C, E, J, K and N do something else.
LABEL_KEYS = {"tester": "qwrtyuiop", "bot": "asdfghl"}
SPARE_KEYS = "zxvbm"


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
