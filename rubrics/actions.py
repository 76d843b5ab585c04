"""What can be done with rubrics."""

from contextlib import suppress
from dataclasses import replace

from django.db import IntegrityError, transaction

from accounts.models import Person
from audit.actions import record
from rubrics.models import Criterion, Rubric, ScalePoint
from rubrics.presets import CriterionPreset, RubricPreset
from rubrics.scales import Point
from rubrics.trail_acts import RUBRIC_COPIED

# A try fails where somebody else stored the same version number meanwhile; the next one sees that version.
TRIES = 5
# The fields of a stored criterion and point that say the same as the preset's fields of that name.
CRITERION_FIELDS = (
    "key", "letter", "name_zh", "name_en", "better", "kind", "scope", "question_zh", "question_en", "is_required",
    "evidence_below",
)  # fmt: skip
POINT_FIELDS = ("score", "label_zh", "label_en", "key", "speaker")


class KeyInUse(Exception):
    """A rubric with this key is stored already."""


@transaction.atomic
def rubric_from_preset(preset: RubricPreset) -> Rubric:
    """The stored rubric that says what the preset says; a preset that was changed becomes its next version.

    Stored versions never change: reviews were given on their scales.
    """
    for _ in range(TRIES):
        stored = stored_versions(preset)
        for rubric in stored:
            if preset_of(rubric) == preset:
                return rubric
        # A savepoint: the caller's transaction goes on where the constraint refuses a version that exists already.
        with suppress(IntegrityError), transaction.atomic():
            return _store(preset, version=stored[0].version + 1 if stored else 1)
    raise IntegrityError(f"Rubric {preset.key}: at each of {TRIES} tries somebody else stored the next version.")


def rubric_to_be(preset: RubricPreset) -> Rubric:
    """What `rubric_from_preset` would give now; a version that is not there yet is not stored."""
    stored = stored_versions(preset)
    same = next((rubric for rubric in stored if preset_of(rubric) == preset), None)
    return same or Rubric(key=preset.key, version=stored[0].version + 1 if stored else 1)


@transaction.atomic
def copy_rubric(*, rubric: Rubric, key: str, name_zh: str = "", name_en: str = "", by: Person | None = None) -> Rubric:
    """The same content as version 1 under another key, to be changed there; the original stays as it is.

    Errors: `KeyInUse`.
    """
    original = preset_of(rubric)
    wanted = replace(original, key=key, name_zh=name_zh or original.name_zh, name_en=name_en or original.name_en)
    if stored_versions(wanted):
        raise KeyInUse(key)
    try:
        # A savepoint: somebody else may take the key meanwhile.
        with transaction.atomic():
            copy = _store(wanted, version=1)
    except IntegrityError as taken:
        raise KeyInUse(key) from taken
    record(RUBRIC_COPIED, by=by, about=key, details={"of": f"{rubric.key} {rubric.version}"})
    return copy


def stored_versions(preset: RubricPreset) -> list[Rubric]:
    """The rubrics of the preset's key, the latest first."""
    return list(Rubric.objects.filter(key=preset.key).prefetch_related("criteria__points").order_by("-version"))


def preset_of(rubric: Rubric) -> RubricPreset:
    """What a stored rubric says, as the preset that it was made of."""
    return RubricPreset(
        key=rubric.key,
        name_zh=rubric.name_zh,
        name_en=rubric.name_en,
        asks_for_verdicts=rubric.asks_for_verdicts,
        shows_latency=rubric.shows_latency,
        criteria=tuple(map(_criterion_preset_of, rubric.criteria.all())),
    )


def _criterion_preset_of(criterion: Criterion) -> CriterionPreset:
    points = sorted(criterion.points.all(), key=lambda point: point.score)
    return CriterionPreset(
        points=tuple(Point(**{name: getattr(point, name) for name in POINT_FIELDS}) for point in points),
        skills=tuple(criterion.skills),
        **{name: getattr(criterion, name) for name in CRITERION_FIELDS},
    )


def _store(preset: RubricPreset, *, version: int) -> Rubric:
    rubric = Rubric.objects.create(
        key=preset.key,
        version=version,
        name_zh=preset.name_zh,
        name_en=preset.name_en,
        asks_for_verdicts=preset.asks_for_verdicts,
        shows_latency=preset.shows_latency,
    )
    for position, wanted in enumerate(preset.criteria, start=1):
        said = {name: getattr(wanted, name) for name in CRITERION_FIELDS}
        criterion = rubric.criteria.create(position=position, skills=list(wanted.skills), **said)
        ScalePoint.objects.bulk_create(
            ScalePoint(criterion=criterion, **{name: getattr(point, name) for name in POINT_FIELDS})
            for point in wanted.points
        )
    return rubric
