"""Rubrics as plain values."""

from rubrics.presets import CriterionPreset
from rubrics.scales import Point

SCALE = CriterionPreset("c", "C", "甲", "A", (Point(-1, "差", "bad"), Point(1, "好", "good")))
LABELS = CriterionPreset("n", "N", "乙", "B", (Point(1, "是", "yes", "Y"), Point(2, "否", "no", "N")), kind="label")


def test_the_scores_of_a_scale_are_those_of_its_points():
    assert SCALE.scores == (-1, 1)


def test_labels_are_no_scale():
    assert (SCALE.is_scale, LABELS.is_scale) == (True, False)
