"""What can be done with rubrics."""

from contextlib import suppress

from django.db import IntegrityError, transaction

from rubrics.models import Criterion, Rubric, ScalePoint
from rubrics.presets import CriterionPreset, RubricPreset
from rubrics.scales import Point

# A try fails where somebody else stored the same version number meanwhile; the next one sees that version.
TRIES = 5


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
        criteria=tuple(map(_criterion_preset_of, rubric.criteria.all())),
    )


def _criterion_preset_of(criterion: Criterion) -> CriterionPreset:
    points = sorted(criterion.points.all(), key=lambda point: point.score)
    return CriterionPreset(
        key=criterion.key,
        letter=criterion.letter,
        name_zh=criterion.name_zh,
        name_en=criterion.name_en,
        points=tuple(Point(point.score, point.label_zh, point.label_en) for point in points),
        better="lower" if criterion.better == Criterion.Better.LOWER else "higher",
    )


def _store(preset: RubricPreset, *, version: int) -> Rubric:
    rubric = Rubric.objects.create(
        key=preset.key,
        version=version,
        name_zh=preset.name_zh,
        name_en=preset.name_en,
        asks_for_verdicts=preset.asks_for_verdicts,
    )
    for position, wanted in enumerate(preset.criteria, start=1):
        criterion = rubric.criteria.create(
            position=position,
            key=wanted.key,
            letter=wanted.letter,
            name_zh=wanted.name_zh,
            name_en=wanted.name_en,
            better=wanted.better,
        )
        ScalePoint.objects.bulk_create(
            ScalePoint(criterion=criterion, score=point.score, label_zh=point.label_zh, label_en=point.label_en)
            for point in wanted.points
        )
    return rubric
