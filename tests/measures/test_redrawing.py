import numpy as np
import pytest

from measures.board_statistics import statistics
from measures.joined_samples import JoinedColumn, JoinedTotal, Part, joined_sample
from measures.ranking import RankingKey
from measures.samples import figures_of_means, sample_of_means, whole_resamples

NAN = np.nan
SCORE, OTHER, TOTAL = (RankingKey(name, "higher") for name in ("score", "other", "total"))


def test_the_first_resamples_that_lack_nothing_needed_are_taken():
    """Two rows, two keys; the second row need not have its second figure."""
    needed = np.array([[True, True], [True, False]])
    one, gap, other = [[1, 1], [1, NAN]], [[1, 1], [NAN, 1]], [[2, 2], [2, 2]]

    def chunks():
        yield np.array([one, gap])
        yield np.array([gap, other, one, gap])
        raise AssertionError("enough was drawn")

    found = whole_resamples(chunks(), needed, 2)
    np.testing.assert_array_equal(found.figures, [one, other])
    assert found.n_redrawn == 2, "those before the last that was taken"


def test_it_is_given_up_where_fewer_than_one_in_ten_has_all():
    needed, gap, whole = np.array([[True]]), np.array([[[NAN]]] * 10), np.array([[[1.0]]])
    drawn = []

    def chunks(*parts):
        for part in parts:
            drawn.append(part)
            yield part

    given_up = whole_resamples(chunks(whole, gap, gap, whole), needed, 2)
    assert (len(given_up.figures), given_up.n_redrawn, len(drawn)) == (0, None, 2)
    assert whole_resamples([whole, gap[:9], whole], needed, 2).n_redrawn == 9


def sample(*bots, keys=(SCORE,), needed=None, n_resamples=2000):
    """Of scores by scenario, None for no record; one record each."""
    cells = np.array(
        [[[(score or 0, score is not None)] * len(keys) for score in row] for row in zip(*bots, strict=True)]
    )
    names = [f"bot {number}" for number in range(len(bots))]
    return sample_of_means(
        rows=names, keys=keys, cells=cells.astype(float), needed=needed, n_resamples=n_resamples, n_permutations=20
    )


def test_a_row_is_not_last_for_the_resamples_that_have_none_of_its_records():
    """Bot 1 has records on the last of three scenarios alone, which 8 of 27 resamples lack; it is better wherever it was seen."""
    made = statistics(sample([0, 0, 0], [None, None, 1]), [SCORE])
    assert made["rows"]["bot 1"]["rank_probabilities"] == [1.0, 0.0]
    assert made["n_redrawn"] == pytest.approx(2000 * 8 / 19, rel=0.1)
    (pair,) = made["pairs"]
    assert (pair["one"], pair["ahead"], pair["behind"]) == ("bot 1", 1.0, 0.0)


def test_full_data_are_drawn_once_and_a_figure_that_ranks_nobody_asks_for_no_more():
    assert sample([0, 1, 0], [1, 0, 0]).n_redrawn == 0
    gaps = np.zeros((3, 2, 2, 2))
    gaps[:, :, 0] = [[[0, 1], [1, 1]]] * 3
    gaps[2, :, 1] = [1, 1]
    options = {"rows": "ab", "keys": [SCORE, OTHER], "cells": gaps, "n_resamples": 50, "n_permutations": 5}
    assert sample_of_means(needed=[SCORE], **options).n_redrawn == 0
    assert sample_of_means(**options).n_redrawn > 0


def test_where_hardly_any_resample_has_every_row_no_ranks_are_told_but_tests_are():
    """Eight bots with a scenario each of their own: 8!/8⁸, 1 in 416 resamples, has all. Two more on all scenarios have intervals."""
    alone = [[1.0 if number == place else None for number in range(8)] for place in range(8)]
    made = statistics(sample(*alone, [0.0, 1.0] * 4, [0.5, 0.0] * 4, n_resamples=100), [SCORE])
    assert made["n_redrawn"] is None
    assert set(made["rows"]["bot 8"]) == {"intervals"}
    assert made["rows"]["bot 8"]["intervals"]["score"]
    assert {(pair["ahead"], pair["behind"]) for pair in made["pairs"]} == {(None, None)}
    assert all("score" in pair["tests"] for pair in made["pairs"])


def joined(*parts):
    columns = [
        JoinedColumn(key, Part(one, one_sums, figures_of_means([SCORE]), can_grow=True), "score")
        for key, (one, one_sums) in zip((SCORE, OTHER), parts, strict=True)
    ]
    total = JoinedTotal(TOTAL, ["score", "other"], is_mean=False)
    return joined_sample(["bot 0", "bot 1"], columns, total, n_permutations=20)


def test_a_total_has_its_interval_where_a_row_misses_a_scenario_of_a_part():
    people = sample([0, 1, 0, 1], [None, 0, 1, 1]), np.ones((4, 2, 2))
    runs = sample([0, 1, 1], [1, 0, 0]), np.ones((3, 2, 2))
    made = joined(people, runs)
    assert made.n_redrawn == people[0].n_redrawn > 0
    assert not np.isnan(made.drawn).any()
    assert all("total" in intervals for intervals in made.intervals)


def test_a_board_is_not_drawn_where_a_part_is_not():
    runs = sample([0, 1, 1], [1, 0, 0]), np.ones((3, 2, 2))
    lonely = sample(*([1.0 if n == place else None for n in range(9)] for place in range(9)), n_resamples=100)
    made = joined((lonely, np.ones((9, 9, 2))), runs)
    assert (made.n_redrawn, len(made.drawn)) == (None, 0)
    assert "total" not in made.intervals[0]
    assert statistics(made, [TOTAL])["n_redrawn"] is None
