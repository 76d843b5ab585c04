import numpy as np
import pytest

from measures import samples
from measures.board_statistics import statistics
from measures.ranking import RankingKey
from measures.resampling import figure_interval, intervals, totals_in_chunks
from measures.samples import mean_intervals, sample_of_means, sample_of_sums, say_nothing, tables_of

MEAN, F1, PRINTED = RankingKey("mean", "higher"), RankingKey("f1", "higher"), RankingKey("printed", "higher")


def figures_of(total):
    """Columns: a score, 1 per item; true positives, predicted and expected ones."""
    scores, n, hits, said, wanted = total
    return {"mean": scores / n, "f1": 2 * hits / (said + wanted) if said + wanted else None}


@pytest.fixture
def sums():
    """Three runs over eight items."""
    rng = np.random.default_rng(3)
    scores = rng.normal(size=(8, 3))
    said, wanted = rng.integers(1, 4, (2, 8, 3))
    return np.stack([scores, np.ones((8, 3)), np.minimum(said, wanted), said, wanted], axis=2)


def sample(sums, keys, figures, **options):
    return sample_of_sums(
        rows=["a", "b", "c"], keys=keys, sums=sums, figures_of=figures_of, figures=figures,
        intervals=[{"mean": (0.0, 1.0)}, {}, {}], **({"n_resamples": 30, "n_permutations": 30} | options),
    )  # fmt: skip


def test_a_figure_of_sums_over_items_is_drawn_and_tested_like_a_mean(sums):
    """The same means, once as sums over items and once as cells of scenarios."""
    figures = sums[:, :, 0].mean(axis=0)[:, None]
    of_sums = sample(sums, [MEAN], figures)
    cells = sums[:, :, None, :2]
    of_means = sample_of_means(rows=["a", "b", "c"], keys=[MEAN], cells=cells, n_resamples=30, n_permutations=30)
    np.testing.assert_allclose(of_sums.drawn, of_means.drawn)
    np.testing.assert_allclose(of_sums.figures, of_means.figures)
    np.testing.assert_allclose(of_sums.tables["mean"], of_means.tables["mean"])
    one, other = statistics(of_sums, [MEAN]), statistics(of_means, [MEAN])
    for ours, theirs in zip(one["pairs"], other["pairs"], strict=True):
        assert ours["tests"]["mean"] == pytest.approx(theirs["tests"]["mean"])
        assert (ours["ahead"], ours["plan"]) == (theirs["ahead"], pytest.approx(theirs["plan"]))


def test_intervals_of_a_board_of_runs_are_those_that_it_shows(sums):
    made = statistics(sample(sums, [MEAN], np.zeros((3, 1))), [MEAN])
    assert made["rows"]["a"]["intervals"] == {"mean": [0.0, 1.0]}


def test_a_figure_that_is_no_mean_over_items_has_neither_effect_size_nor_plan(sums):
    whole = np.array([[figures_of(total)["f1"]] for total in sums.sum(axis=0)])
    made = statistics(sample(sums, [F1], whole), [F1])
    for pair in made["pairs"]:
        assert pair["tests"]["f1"]["effect"] is None
        assert pair["plan"] is None
        assert 0 < pair["tests"]["f1"]["p"] <= 1


def test_a_figure_that_sums_do_not_give_stands_as_it_is_in_every_resample(sums):
    figures = np.array([[0.1], [0.3], [0.2]])
    made = statistics(sample(sums, [PRINTED], figures), [PRINTED])
    assert made["rows"]["b"]["rank_probabilities"] == [1.0, 0.0, 0.0]
    assert all(pair["tests"] == {} and pair["decided_by"] == "printed" for pair in made["pairs"])


def test_only_figures_that_are_means_over_items_have_a_table(sums):
    tables = tables_of(sums, figures_of, ["mean", "f1"])
    assert set(tables) == {"mean"}
    np.testing.assert_array_equal(tables["mean"], sums[:, :, 0].T)
    assert tables_of(sums[:0], figures_of, ["mean"]) == {}


def test_scenarios_without_a_score_take_no_part_in_an_interval():
    values = [2.0, 4.0, 9.0]
    cells = np.array([*([value, 1.0] for value in values), [0.0, 0.0]])
    theirs = intervals(cells[:3], lambda total: {"mean": total[0] / total[1]}, seed=2, n_resamples=50)
    found = mean_intervals(cells[:, None, None], seed=2, n_resamples=50)
    assert found[0, 0] == pytest.approx(theirs["mean"])
    assert mean_intervals(cells[2:, None, None], seed=2, n_resamples=50) == {}


def test_intervals_of_many_means_are_to_the_last_digit_those_of_each_alone():
    """They share what is drawn; some lack a scenario, so that fewer are drawn for them."""
    rng = np.random.default_rng(3)
    cells = np.stack([rng.integers(0, 7, (40, 3, 2)) / 3, rng.integers(0, 3, (40, 3, 2))], axis=-1)
    together = mean_intervals(cells, seed=1, n_resamples=250)
    assert len(together) == 6
    for (row, column), ends in together.items():
        alone = mean_intervals(cells[:, row : row + 1, column : column + 1], seed=1, n_resamples=250)
        assert alone == {(0, 0): ends}
        scored = cells[cells[:, row, column, 1] > 0, row, column]
        drawn = np.concatenate(list(totals_in_chunks(scored, seed=1, n_resamples=250)))
        assert ends == figure_interval(drawn[:, 0] / drawn[:, 1], len(scored), 0.95)


def test_rows_that_share_no_scenario_are_not_tested():
    apart = np.array([[1.0, 2.0, np.nan, np.nan], [np.nan, np.nan, -1.0, -2.0]])
    shared = np.array([[1.0, 2.0, np.nan, np.nan], [np.nan, 3.0, -1.0, -2.0]])
    how = {"seed": 1, "n_permutations": 20, "report_progress": say_nothing}
    tests = samples.tests_of_pairs(["a", "b"], {"apart": apart, "shared": shared}, **how)
    assert (tests["apart"], set(tests["shared"])) == ({}, {("a", "b"), ("b", "a")})
