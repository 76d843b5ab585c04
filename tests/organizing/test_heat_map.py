"""Shades of correlations, and which metric stands beside which criterion."""

import pytest

from leaderboards.board import Key, Words
from organizing.heat_maps import Cell, ShownMap, heat_maps
from organizing.metrics import Metric


def row(metric, criterion, value, skill="", n=10):
    coefficients = dict.fromkeys(("pearson", "spearman", "kendall"), value)
    more = {f"{name}_interval": [-1, 1] for name in coefficients} | {f"{name}_p": 0.04 for name in coefficients}
    return {"skill": skill, "metric": metric, "criterion": criterion, "n": n} | coefficients | more


@pytest.mark.parametrize(
    ("value", "shade"),
    [(None, 0), (0, 0), (0.19, 0), (0.2, 1), (0.6, 3), (0.79, 3), (0.8, 4), (1, 4), (-0.2, -1), (-0.41, -2), (-1, -4)],
)
def test_a_shade_is_darker_every_fifth_and_knows_the_sign(value, shade):
    assert Cell(value).shade == shade


def test_a_cell_is_significant_below_five_percent_alone():
    assert Cell(0.5, p=0.049).is_significant
    assert not Cell(0.5, p=0.05).is_significant
    assert not Cell(None).is_significant


def test_a_map_has_metrics_and_criteria_in_the_given_order_and_none_that_has_no_row():
    rows = [row("f1", "G", 0.5), row("f1", "S", 0.6), row("bleu", "S", 0.7)]
    (only,) = heat_maps(rows, "spearman", metrics=["bleu", "f1", "cider"], criteria=["S", "F", "G"])
    assert (only.skill, only.criteria) == ("", ["S", "G"])
    assert [(metric, [cell.value for cell in cells]) for metric, cells in only.rows] == [
        ("bleu", [0.7, None]),
        ("f1", [0.6, 0.5]),
    ]
    assert only.rows[0][1][1] == Cell()


def test_each_skill_has_a_map_of_its_own():
    rows = [row("f1", "S", 0.5), row("f1", "S", 0.1, skill="persona"), row("gone", "S", 0.1, skill="chat")]
    maps = heat_maps(rows, "kendall", metrics=["f1"], criteria=["S"])
    assert [(one.skill, one.rows[0][1][0].value) for one in maps] == [("", 0.5), ("persona", 0.1)]


def test_a_coefficient_comes_with_its_own_interval_and_p():
    mixed = row("f1", "S", 0.5) | {"kendall": 0.25, "kendall_interval": None, "kendall_p": 0.5}
    (only,) = heat_maps([mixed], "kendall", metrics=["f1"], criteria=["S"])
    assert only.rows[0][1][0] == Cell(0.25, None, 0.5, 10)


def test_a_metric_that_falls_as_a_lower_figure_gets_better_agrees():
    turns = Key("charged_turns", Words("轮数", "turns"), "lower", 2, "T")
    score = Key("satisfaction", Words("满意度", "satisfaction"), "higher", 2, "Sa")
    rows = [row("f1", "charged_turns", -0.82), row("f1", "satisfaction", 0.7)]
    (only,) = heat_maps(rows, "spearman", metrics=["f1"], criteria=["charged_turns", "satisfaction"])
    for better, shades in (("higher", [4, 3]), ("", [4, 3]), ("lower", [-4, -3])):
        metric = Metric("f1", Words("F1", "F1"), better)
        shown = ShownMap(only, {"f1": metric}, {turns.name: turns, score.name: score})
        ((_head, cells),) = shown.rows
        assert [shade for _cell, shade in cells] == shades, better
