"""What can be done with rubrics."""

from django.db import transaction

from rubrics.models import Rubric, ScalePoint
from rubrics.presets import RubricPreset


@transaction.atomic
def rubric_from_preset(preset: RubricPreset) -> Rubric:
    """The stored rubric of a preset, made on first use."""
    rubric, is_new = Rubric.objects.get_or_create(
        key=preset.key,
        defaults={
            "name_zh": preset.name_zh,
            "name_en": preset.name_en,
            "asks_for_verdicts": preset.asks_for_verdicts,
        },
    )
    if not is_new:
        return rubric
    for position, wanted in enumerate(preset.criteria, start=1):
        criterion = rubric.criteria.create(
            position=position,
            key=wanted.key,
            letter=wanted.letter,
            name_zh=wanted.name_zh,
            name_en=wanted.name_en,
        )
        ScalePoint.objects.bulk_create(
            ScalePoint(criterion=criterion, score=point.score, label_zh=point.label_zh, label_en=point.label_en)
            for point in wanted.points
        )
    return rubric
