"""The table `[rubric]` of campaign files and presets: read strictly, and written from what is stored. Pure."""

from dataclasses import dataclass
from typing import Annotated, Any

from django.utils.translation import gettext_noop

from measures.ranking import Direction
from reading.findings import item, under
from reading.kinds import FLAG, NO_TEXTS, SLUG, BothTexts, Choice, ListOf, Notes, Text, Texts, Whole
from reading.tables import Rows, Table, table_of
from rubrics.column_names import COLUMNS, FIGURES, is_an_end
from rubrics.presets import CriterionPreset, Kind, RubricPreset, Scope
from rubrics.scales import Point

SCORE = Whole(-100, 100)
LABEL = BothTexts(limit=100)
SPEAKERS = ("tester", "bot")


@dataclass(frozen=True, slots=True, kw_only=True)
class PointRow:
    score: Annotated[int, SCORE]
    label: Annotated[Texts, LABEL]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelRow:
    """One label of a set; without a speaker it is for the words of both."""

    key: Annotated[str, Text(30)]
    speaker: Annotated[str, Choice(SPEAKERS)] = ""
    label: Annotated[Texts, LABEL]


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionRow:
    key: Annotated[str, SLUG]
    letter: Annotated[str, Text(10)]
    name: Annotated[Texts, BothTexts(limit=100)]
    question: Annotated[Texts, BothTexts(may_be_empty=True, limit=1000)] = NO_TEXTS
    kind: Annotated[Kind, Choice(("scale", "label"))] = "scale"
    scope: Annotated[Scope, Choice(("dialogue", "subtask", "turn"))] = "dialogue"
    better: Annotated[Direction, Choice(("higher", "lower"))] = "higher"
    required: Annotated[bool, FLAG] = True
    skills: Annotated[tuple[str, ...], ListOf(SLUG)] = ()
    evidence_below: Annotated[int | None, SCORE] = None
    points: Annotated[tuple[PointRow, ...], Rows(table_of(PointRow))] = ()
    labels: Annotated[tuple[LabelRow, ...], Rows(table_of(LabelRow), "key")] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RubricRow:
    key: Annotated[str, SLUG]
    name: Annotated[Texts, BothTexts(limit=200)]
    verdicts: Annotated[bool, FLAG] = True
    shows_latency: Annotated[bool, FLAG] = False
    criteria: Annotated[tuple[CriterionRow, ...], Rows(table_of(CriterionRow), "key", may_be_empty=False)] = ()


class RubricTable(Table):
    """The table as a `RubricPreset`; every problem of it is noted with its place."""

    @property
    def nothing(self) -> Any:
        return None

    def read(self, value: Any, place: str, name: str, notes: Notes) -> RubricPreset | None:
        row: RubricRow | None = super().read(value, place, name, notes)
        if row is None:
            return None
        where = f"[{name}]"
        if "criteria" not in value:
            notes.note(under(where, "criteria"), gettext_noop("is missing"))
        for index, criterion in enumerate(row.criteria):
            place_of_it = item(under(where, "criteria"), index)
            _check_key(criterion.key, [one.key for one in row.criteria], under(place_of_it, "key"), notes)
            if criterion.kind == "scale":
                _check_scale(criterion, place_of_it, notes)
            else:
                _check_labels(criterion, place_of_it, notes)
        return RubricPreset(
            key=row.key,
            name_zh=row.name.zh,
            name_en=row.name.en,
            asks_for_verdicts=row.verdicts,
            shows_latency=row.shows_latency,
            criteria=tuple(map(_criterion_of, row.criteria)),
        )


RUBRIC = RubricTable(table_of(RubricRow).fields, RubricRow)


def _check_key(key: str, keys: list[str], place: str, notes: Notes) -> None:
    if not key:
        return  # noted when it was read
    if key in FIGURES:
        notes.note(place, gettext_noop("is a figure that every evaluation has; choose another key"))
    elif key in COLUMNS or is_an_end(key, keys):
        notes.note(place, gettext_noop("is the name of a column that every leaderboard has; choose another key"))


def _check_scale(row: CriterionRow, place: str, notes: Notes) -> None:
    scores: list[int] = []
    if row.labels:
        notes.note(under(place, "labels"), gettext_noop('is only allowed where kind = "label"'))
    for index, point in enumerate(row.points):
        if point.score is None:
            continue  # noted when it was read
        if point.score in scores:
            where = under(item(under(place, "points"), index), "score")
            notes.note(where, gettext_noop("%(score)s already is a point of this scale"), score=point.score)
        scores.append(point.score)
    if len(row.points) < 2:
        notes.note(under(place, "points"), gettext_noop("must hold at least two points"))
    elif row.evidence_below is not None and row.evidence_below not in sorted(scores)[1:]:
        text = gettext_noop("must be a point of the scale above the lowest")
        notes.note(under(place, "evidence_below"), text)
    if row.evidence_below is not None and row.scope == "turn":
        text = gettext_noop("has no meaning for turns: the turn itself is the evidence")
        notes.note(under(place, "evidence_below"), text)


def _check_labels(row: CriterionRow, place: str, notes: Notes) -> None:
    for name, is_said in (("points", row.points), ("evidence_below", row.evidence_below is not None)):
        if is_said:
            notes.note(under(place, name), gettext_noop('is only allowed where kind = "scale"'))
    if len(row.labels) < 2:
        notes.note(under(place, "labels"), gettext_noop("must hold at least two labels"))
    for index, label in enumerate(row.labels):
        if label.speaker and row.scope != "turn":
            where = under(item(under(place, "labels"), index), "speaker")
            notes.note(where, gettext_noop('is only allowed where scope = "turn"'))


def _criterion_of(row: CriterionRow) -> CriterionPreset:
    points = [Point(one.score, one.label.zh, one.label.en) for one in row.points if one.score is not None]
    # A label's number is its place in the list.
    labels = [
        Point(number, one.label.zh, one.label.en, one.key, one.speaker)
        for number, one in enumerate(row.labels, start=1)
    ]
    return CriterionPreset(
        key=row.key,
        letter=row.letter,
        name_zh=row.name.zh,
        name_en=row.name.en,
        points=tuple(sorted(points or labels, key=lambda point: point.score)),
        better=row.better,
        kind=row.kind,
        scope=row.scope,
        question_zh=row.question.zh,
        question_en=row.question.en,
        skills=tuple(dict.fromkeys(row.skills)),
        is_required=row.required,
        evidence_below=row.evidence_below,
    )


# -- writing ------------------------------------------------------------------------------------------------------


def rubric_document(preset: RubricPreset) -> dict[str, Any]:
    """The table that is read as this rubric; what has its default is left out."""
    return {
        "key": preset.key,
        "name": {"zh": preset.name_zh, "en": preset.name_en},
        "verdicts": preset.asks_for_verdicts,
        "shows_latency": preset.shows_latency,
        "criteria": list(map(_criterion_document, preset.criteria)),
    }


def _criterion_document(criterion: CriterionPreset) -> dict[str, Any]:
    row = {
        "key": criterion.key,
        "letter": criterion.letter,
        "name": {"zh": criterion.name_zh, "en": criterion.name_en},
        "question": {"zh": criterion.question_zh, "en": criterion.question_en},
        "kind": criterion.kind,
        "scope": criterion.scope,
        "better": criterion.better,
        "required": criterion.is_required,
        "skills": list(criterion.skills),
        "evidence_below": criterion.evidence_below,
        "points" if criterion.is_scale else "labels": [_point_document(point) for point in criterion.points],
    }
    return {name: value for name, value in row.items() if value not in (None, [], {"zh": "", "en": ""})}


def _point_document(point: Point) -> dict[str, Any]:
    label = {"zh": point.label_zh, "en": point.label_en}
    if not point.key:
        return {"score": point.score, "label": label}
    return {"key": point.key} | ({"speaker": point.speaker} if point.speaker else {}) | {"label": label}
