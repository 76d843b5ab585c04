"""The form of a rubric: criteria and their points as they were typed, what is wrong of them, and the rubric that they say."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.http import QueryDict

from reading.checking import BadFile, Problems
from reading.digits import whole_or_none
from reading.findings import FILE, Finding
from rubrics.presets import CriterionPreset, RubricPreset
from rubrics.rubric_table import RUBRIC
from rubrics.scales import Point

# Texts of a criterion, in the order of its fields; the scale's points have fields of their own.
TEXTS = (
    "key", "letter", "name_zh", "name_en", "question_zh", "question_en", "kind", "scope", "better", "skills", "evidence_below",
)  # fmt: skip
# A press of a button beside a row: what happens, to which criterion, and to which of its points.
_CRITERIA_ACT = re.compile(r"criteria\.(?:add|(up|down|remove)\.(\d{1,3}))")
_POINTS_ACT = re.compile(r"points\.(?:add\.(\d{1,3})|remove\.(\d{1,3})\.(\d{1,3}))")
_CRITERION = re.compile(r"\[rubric\] criteria\[(\d+)\](?:\.(?:points|labels)\[(\d+)\])?")


@dataclass(frozen=True, slots=True)
class PointRow:
    """A point of a scale, whose `name` is its score, or a label, whose `name` is its key."""

    name: str = ""
    label_zh: str = ""
    label_en: str = ""
    speaker: str = ""

    @property
    def is_blank(self) -> bool:
        return not (self.name.strip() or self.label_zh.strip() or self.label_en.strip())


@dataclass(frozen=True, slots=True)
class CriterionRow:
    texts: Mapping[str, str]
    is_required: bool
    points: tuple[PointRow, ...]


NEW = CriterionRow(
    dict.fromkeys(TEXTS, "") | {"kind": "scale", "scope": "dialogue", "better": "higher"},
    True,
    (PointRow(), PointRow()),
)


@dataclass(frozen=True, slots=True)
class RubricForm:
    """`problems` by the place of a criterion (`1`) or of one of its points (`1.2`), counted from 0; under "" what belongs to none."""

    name_zh: str
    name_en: str
    asks_for_verdicts: bool
    shows_latency: bool
    criteria: tuple[CriterionRow, ...]
    problems: Mapping[str, list[Finding]] = field(default_factory=dict)

    def rearranged(self, act: str) -> "RubricForm":
        """With a criterion or a point added, moved or removed; the same where there is no such act or row."""
        criteria = list(self.criteria)
        if pressed := _CRITERIA_ACT.fullmatch(act):
            moves, nth = pressed[1], int(pressed[2] or 0)
            if not moves:
                criteria.append(NEW)
            elif nth < len(criteria):
                one = criteria.pop(nth)
                if moves != "remove":
                    criteria.insert(max(nth - 1, 0) if moves == "up" else nth + 1, one)
        elif pressed := _POINTS_ACT.fullmatch(act):
            nth = int(pressed[1] or pressed[2])
            if nth < len(criteria):
                points = list(criteria[nth].points)
                if pressed[1]:
                    points.append(PointRow())
                else:
                    removed = int(pressed[3])
                    del points[removed : removed + 1]
                criteria[nth] = replace(criteria[nth], points=tuple(points))
        return replace(self, criteria=tuple(criteria))

    def refused(self, bad: BadFile) -> "RubricForm":
        by_place: dict[str, list[Finding]] = {}
        for problem in bad.problems:
            by_place.setdefault(self._place_of(problem.place), []).append(problem)
        return replace(self, problems=by_place)

    def _place_of(self, place: str) -> str:
        """What is read counts from 1, and not the rows that say nothing."""
        found = _CRITERION.match(place)
        if found is None:
            return ""
        nth = int(found[1]) - 1
        if not found[2]:
            return str(nth)
        said = [number for number, point in enumerate(self.criteria[nth].points) if not point.is_blank]
        return f"{nth}.{said[int(found[2]) - 1]}"


def form_of(rubric: RubricPreset) -> RubricForm:
    criteria = tuple(map(_row_of, rubric.criteria))
    return RubricForm(rubric.name_zh, rubric.name_en, rubric.asks_for_verdicts, rubric.shows_latency, criteria)


def _row_of(criterion: CriterionPreset) -> CriterionRow:
    texts = {name: getattr(criterion, name) for name in TEXTS[:-2]}
    texts["skills"] = ", ".join(criterion.skills)
    texts["evidence_below"] = "" if criterion.evidence_below is None else str(criterion.evidence_below)
    points = tuple(
        PointRow(one.key or str(one.score), one.label_zh, one.label_en, one.speaker) for one in criterion.points
    )
    return CriterionRow(texts, criterion.is_required, points)


def typed_in(sent: QueryDict) -> RubricForm:
    """Criteria come in the order of the page, each with the number that its points and boxes name."""
    ids, required = sent.getlist("criterion"), set(sent.getlist("required"))
    texts = {name: sent.getlist(name) for name in TEXTS}
    criteria = []
    for nth, one in enumerate(ids):
        typed = {name: values[nth] if nth < len(values) else "" for name, values in texts.items()}
        columns = [sent.getlist(name) for name in ("point_name", "point_zh", "point_en", "point_speaker")]
        rows = zip(sent.getlist("point_of"), *columns, strict=False)
        criteria.append(CriterionRow(typed, one in required, tuple(PointRow(*row) for of, *row in rows if of == one)))
    return RubricForm(
        sent.get("rubric_zh", ""), sent.get("rubric_en", ""), "verdicts" in sent, "latency" in sent, tuple(criteria)
    )


def rubric_of(form: RubricForm, key: str) -> RubricPreset:
    """Errors: `BadFile`, with the places of a campaign file."""
    problems = Problems()
    rubric: RubricPreset | None = RUBRIC.read(_document_of(form, key), FILE, "rubric", problems)
    problems.refuse()
    if rubric is None:
        raise BadFile(problems.listed())
    return rubric


def _document_of(form: RubricForm, key: str) -> dict[str, Any]:
    return {
        "key": key,
        "name": _both(form.name_zh, form.name_en),
        "verdicts": form.asks_for_verdicts,
        "shows_latency": form.shows_latency,
        "criteria": list(map(_criterion_document, form.criteria)),
    }


def _both(zh: str, en: str) -> dict[str, str]:
    """A text in one language stands for both."""
    zh, en = zh.strip(), en.strip()
    return {"zh": zh or en, "en": en or zh}


def _criterion_document(row: CriterionRow) -> dict[str, Any]:
    texts = {name: text.strip() for name, text in row.texts.items()}
    document: dict[str, Any] = {name: texts[name] for name in ("key", "letter", "kind", "scope", "better")}
    document |= {"name": _both(texts["name_zh"], texts["name_en"]), "required": row.is_required}
    document["question"] = _both(texts["question_zh"], texts["question_en"])
    document["skills"] = texts["skills"].replace(",", " ").replace("，", " ").split()
    if texts["evidence_below"]:
        document["evidence_below"] = _score(texts["evidence_below"])
    said = [point for point in row.points if not point.is_blank]
    if texts["kind"] == "label":
        document["labels"] = [_label_document(point) for point in said]
    else:
        document["points"] = [
            {"score": _score(point.name), "label": _both(point.label_zh, point.label_en)} for point in said
        ]
    return document


def _label_document(point: PointRow) -> dict[str, Any]:
    speaker = {"speaker": point.speaker} if point.speaker else {}
    return {"key": point.name.strip(), "label": _both(point.label_zh, point.label_en)} | speaker


def _score(typed: str) -> int | str:
    """A negative score may be typed with either minus sign."""
    text = typed.strip().replace("\u2212", "-")
    number = whole_or_none(text.removeprefix("-"))
    return typed if number is None else -number if text.startswith("-") else number


def preview_criteria(form: RubricForm, language_is_chinese: bool) -> Sequence[Mapping[str, Any]]:
    """The criteria as a review's sheet has them, as far as they are typed: those with points."""
    end = "zh" if language_is_chinese else "en"
    shown = []
    for row in form.criteria:
        document = _criterion_document(row)
        said = document.get("points") or document.get("labels") or []
        points = [
            Point(score, one["label"][end], "", one.get("key", ""))
            for number, one in enumerate(said, start=1)
            if isinstance(score := one.get("score", number), int)
        ]
        shown.append(
            {
                **{name: document[name] for name in ("key", "letter", "kind", "scope", "required")},
                "name": document["name"][end],
                "question": document["question"][end],
                "evidence_below": document.get("evidence_below"),
                "points": [{"score": one.score, "label": one.label_zh, "key": one.key} for one in _once(points)],
            }
        )
    return shown


def _once(points: Sequence[Point]) -> list[Point]:
    return list({point.score: point for point in points}.values())
