"""Boards that join figures of several parts: what is drawn together, what apart, and what a total comes to."""

import numpy as np
import pytest

from measures.board_statistics import statistics
from measures.joined_samples import JoinedColumn, JoinedTotal, Part, joined_sample
from measures.ranking import RankingKey
from measures.samples import sample_of_sums

PEOPLE, AUTOMATIC, TOTAL = RankingKey("people", "higher"), RankingKey("bleu", "higher"), RankingKey("total", "higher")


def figures_of(total):
    return {"figure": total[0] / total[1]}


def part(rows, values, *, seed, n_resamples=400, n_permutations=200, can_grow=False):
    """`values` `(n_items, n_rows)`: a figure that is their mean."""
    sums = np.stack([values, np.ones_like(values)], axis=2)
    sample = sample_of_sums(
        rows=rows,
        keys=[RankingKey("figure", "higher")],
        sums=sums,
        figures_of=figures_of,
        figures=values.mean(axis=0)[:, None],
        intervals=[{"figure": (0.0, 1.0)} for _ in rows],
        seed=seed,
        n_resamples=n_resamples,
        n_permutations=n_permutations,
    )
    return Part(sample, sums, figures_of, can_grow)


@pytest.fixture
def values():
    rng = np.random.default_rng(5)
    return rng.normal([0.0, 1.0, 2.0], 1.0, (20, 3)), rng.normal([2.0, 1.0, 1.5], 2.0, (20, 3))


def columns(values, weight=0.5):
    people = part(["a", "b", "c"], values[0], seed=1, can_grow=True)
    runs = part(["c", "a", "b"], values[1][:, [2, 0, 1]], seed=2)
    return [JoinedColumn(PEOPLE, people, "figure"), JoinedColumn(AUTOMATIC, runs, "figure", weight)]


def test_rows_are_joined_by_name_and_a_total_is_the_weighted_sum_in_every_resample(values):
    joined = joined_sample(["b", "a"], columns(values), JoinedTotal(TOTAL, ["people", "bleu"], is_mean=False))
    people, bleu = values[0].mean(axis=0), values[1].mean(axis=0)
    expected = [[people[1], bleu[1], people[1] + bleu[1] / 2], [people[0], bleu[0], people[0] + bleu[0] / 2]]
    np.testing.assert_allclose(joined.figures, expected)
    np.testing.assert_allclose(joined.drawn[:, :, 2], joined.drawn[:, :, 0] + joined.drawn[:, :, 1] / 2)
    mean = joined_sample(["b", "a"], columns(values), JoinedTotal(TOTAL, ["people", "bleu"], is_mean=True))
    np.testing.assert_allclose(mean.drawn[:, :, 2], joined.drawn[:, :, 2] / 1.5)
    np.testing.assert_allclose(mean.figures[:, 2], joined.figures[:, 2] / 1.5)


def test_parts_are_drawn_apart_so_that_variances_add_up(values):
    """Parts of equal size drawn from one seed would go together, and the total's interval be wrong."""
    joined = joined_sample(["a", "b", "c"], columns(values, 1.0), JoinedTotal(TOTAL, ["people", "bleu"], is_mean=False))
    for row in range(3):
        assert abs(np.corrcoef(joined.drawn[:, row, 0], joined.drawn[:, row, 1])[0, 1]) < 0.15
        deviation = np.sqrt(values[0][:, row].var() / 20 + values[1][:, row].var() / 20)
        assert joined.drawn[:, row, 2].std() == pytest.approx(deviation, rel=0.12)
        low, high = joined.intervals[row]["total"]
        assert high - low == pytest.approx(2 * 2.14 * deviation, rel=0.15), "20 clusters: Student's t, and n − 1"


def test_the_statistics_of_a_joined_board_are_those_of_any(values):
    total = JoinedTotal(TOTAL, ["people", "bleu"], is_mean=False)
    joined = joined_sample(["a", "b", "c"], columns(values), total, n_permutations=200)
    made = statistics(joined, [TOTAL])
    assert [pair["decided_by"] for pair in made["pairs"]] == ["total"] * 3
    assert all(pair["plan"] is None for pair in made["pairs"]), "nobody can say what one more of each part would do"
    assert {name for pair in made["pairs"] for name in pair["tests"]} == {"people", "bleu", "total"}
    by_people = statistics(joined, [PEOPLE])
    assert all(pair["plan"]["n_now"] == 20 for pair in by_people["pairs"])
    by_runs = statistics(joined, [AUTOMATIC])
    assert all(pair["plan"] is None for pair in by_runs["pairs"]), "the items of a gold are what they are"


def test_a_total_is_tested_on_shuffles_within_both_parts(values):
    """Far apart in one part alone is far apart in the total; equal in both is not."""
    noise = np.zeros_like(values[0]) + np.random.default_rng(2).normal(size=(20, 1))
    people = part(["a", "b", "c"], values[0] + [0.0, 0.0, 5.0], seed=1)
    runs = part(["a", "b", "c"], noise, seed=2)
    both = [JoinedColumn(PEOPLE, people, "figure"), JoinedColumn(AUTOMATIC, runs, "figure")]
    far = joined_sample(["a", "b", "c"], both, JoinedTotal(TOTAL, ["people", "bleu"], is_mean=False), n_permutations=99)
    assert far.tests["total"]["c", "a"].p == 0.01
    assert far.tests["total"]["c", "a"].difference == pytest.approx(far.figures[2, 2] - far.figures[0, 2])
    assert far.tests["total"]["c", "a"].effect is None
    even = [JoinedColumn(PEOPLE, runs, "figure"), JoinedColumn(AUTOMATIC, runs, "figure")]
    same = joined_sample(
        ["a", "b", "c"], even, JoinedTotal(TOTAL, ["people", "bleu"], is_mean=False), n_permutations=99
    )
    assert same.tests["total"]["c", "a"].p == 1.0


def test_a_row_that_a_part_lacks_has_neither_its_figure_nor_the_total(values):
    people, _ = columns(values)
    fewer = JoinedColumn(AUTOMATIC, part(["a", "b"], values[1][:10, :2], seed=2), "figure")
    joined = joined_sample(["a", "b", "c"], [people, fewer], JoinedTotal(TOTAL, ["people", "bleu"], is_mean=False))
    assert np.isnan(joined.figures[2, 1:]).all()
    assert "total" not in joined.intervals[2]
    assert ("c", "a") not in joined.tests["total"]
    assert joined.n_clusters == 10
