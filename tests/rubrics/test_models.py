"""What the database refuses of a rubric, whoever writes it."""

import pytest
from django.db import IntegrityError, transaction

from campaigns.presets import PRESETS
from rubrics.actions import rubric_from_preset
from rubrics.models import Criterion, ScalePoint

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("criterion", "wrong"),
    [
        ("satisfaction", {"better": "both"}),
        ("satisfaction", {"scope": "sentence"}),
        ("satisfaction", {"kind": "text"}),
        ("nugget", {"evidence_below": 1}),
        ("satisfaction", {"key": "nugget"}),
    ],
)
def test_a_criterion_is_of_a_known_kind_and_only_scores_ask_for_evidence(criterion, wrong):
    rubric = rubric_from_preset(PRESETS["ntcir14"].rubric)
    with pytest.raises(IntegrityError), transaction.atomic():
        Criterion.objects.filter(rubric=rubric, key=criterion).update(**wrong)


@pytest.mark.parametrize("wrong", [{"speaker": "robot"}, {"key": "CNUG"}, {"score": 2}])
def test_a_label_stands_once_and_is_for_a_known_speaker(wrong):
    rubric = rubric_from_preset(PRESETS["ntcir14"].rubric)
    with pytest.raises(IntegrityError), transaction.atomic():
        ScalePoint.objects.filter(criterion__rubric=rubric, key="CNUG0").update(**wrong)
