"""Alpha and kappa: published examples, cases by hand, second implementations, and what must never change them.

Sources: Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), §A–C and E; Fleiss' kappa: the worked
example of Wikipedia's article (10 subjects, 14 raters); with missing ratings: the documentation of R's irrCAC (Gwet), data
`cac.raw4raters`, which are Krippendorff's of §C.
"""

from itertools import permutations

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from statsmodels.stats.inter_rater import fleiss_kappa as fleiss_of_statsmodels

from measures.agreement import (
    agreement_by_pair,
    agreement_of_each,
    alpha_without_each,
    fleiss_kappa,
    krippendorff_alpha,
    raw_agreement,
)

NAN = np.nan
LEVELS = ("nominal", "ordinal", "interval")

FOUR_OBSERVERS = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
        [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
    ]
)
WIKIPEDIA = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]

ratings = arrays(
    float,
    st.tuples(st.integers(2, 5), st.integers(1, 8)),
    elements=st.sampled_from([NAN, NAN, 1.0, 2.0, 3.0, 5.0]),
)
complete = arrays(float, st.tuples(st.integers(2, 5), st.integers(1, 8)), elements=st.sampled_from([1.0, 2.0, 3.0]))


def rated(counts):
    """Ratings with these counts per item and value: which reviewer gave which plays no part."""
    return np.array([[value for value, n in enumerate(row) for _ in range(n)] for row in counts], dtype=float).T


@pytest.mark.parametrize(("level", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_of_krippendorffs_four_observers_with_missing_data(level, alpha):
    assert krippendorff_alpha(FOUR_OBSERVERS, level) == pytest.approx(alpha, abs=0.0005)


@pytest.mark.parametrize(
    ("one", "other", "alpha"),
    [("0100000010", "1110010000", 0.095), ("aabbdcccedda", "babbbccceddd", 0.692)],
)
def test_alpha_of_krippendorffs_two_observers(one, other, alpha):
    pair = np.array([[float(ord(letter)) for letter in coder] for coder in (one, other)])
    assert krippendorff_alpha(pair, "nominal") == pytest.approx(alpha, abs=0.0005)


def test_kappa_of_the_published_ten_subjects_and_fourteen_raters():
    assert fleiss_kappa(rated(WIKIPEDIA)) == pytest.approx(0.210, abs=0.0005)
    assert raw_agreement(rated(WIKIPEDIA)) == pytest.approx(0.378, abs=0.0005)


def test_kappa_and_raw_agreement_with_missing_ratings_as_gwet_has_them():
    assert raw_agreement(FOUR_OBSERVERS) == pytest.approx(0.8181818, abs=5e-8)
    assert fleiss_kappa(FOUR_OBSERVERS) == pytest.approx(0.76117, abs=5e-6)


def test_a_small_case_by_hand():
    # Items: {1, 1}, {1, 2}, {2}. Observed disagreement 2/4; expected 2·3·1/(4·3) = 1/2: alpha 0.
    small = np.array([[1, 1, 2], [1, 2, NAN]])
    assert krippendorff_alpha(small, "nominal") == pytest.approx(0)
    assert raw_agreement(small) == 0.5
    # Mean shares over three items: (1 + 1/2 + 0)/3 = 1/2 each; chance 1/2.
    assert fleiss_kappa(small) == pytest.approx(0)


def test_ordinal_distances_depend_on_how_many_ratings_lie_between():
    # Ratings 1 1 | 1 3 | 2 2 | 2 2: totals 3, 4, 1; middles 1.5, 5, 7.5; δ²(1,3) = 36, δ²(1,2) = 12.25, δ²(2,3) = 6.25.
    # Observed 2·36/8 = 9; expected 2·(12·12.25 + 3·36 + 4·6.25)/(8·7) = 10; alpha = 0.1.
    assert krippendorff_alpha(np.array([[1, 1, 2, 2], [1, 3, 2, 2.0]]), "ordinal") == pytest.approx(0.1)


@pytest.mark.parametrize(
    "nothing_to_say",
    [
        np.empty((0, 0)),
        np.full((2, 3), NAN),
        np.array([[1, NAN], [NAN, 2.0]]),
        np.array([[3.0, 3], [3, NAN]]),
    ],
    ids=["nobody", "nothing rated", "nothing shared", "one value"],
)
def test_agreement_that_is_undefined_is_none_and_not_a_number(nothing_to_say):
    assert [krippendorff_alpha(nothing_to_say, level) for level in LEVELS] == [None] * 3
    assert fleiss_kappa(nothing_to_say) is None


def test_raw_agreement_of_one_value_is_whole_and_of_nothing_shared_none():
    assert raw_agreement(np.array([[3.0, 3], [3, NAN]])) == 1
    assert raw_agreement(np.array([[1, NAN], [NAN, 2.0]])) is None


@settings(deadline=None)
@given(ratings, st.sampled_from(LEVELS))
def test_alpha_is_that_of_the_library_on_random_data_with_missing_values(table, level):
    ours = krippendorff_alpha(table, level)
    assume(ours is not None)
    theirs = krippendorff.alpha(reliability_data=table, level_of_measurement=level)
    assert ours == pytest.approx(theirs, abs=1e-9)


@settings(deadline=None)
@given(complete)
def test_kappa_of_complete_ratings_is_that_of_the_library(table):
    ours = fleiss_kappa(table)
    assume(ours is not None)
    counts = np.array([[(item == value).sum() for value in (1, 2, 3)] for item in table.T])
    assert ours == pytest.approx(fleiss_of_statsmodels(counts), abs=1e-9)


def pairs_of(item):
    given = item[~np.isnan(item)]
    return [one == other for one, other in permutations(given, 2)]


@settings(deadline=None)
@given(ratings)
def test_raw_agreement_is_that_of_all_pairs_counted_one_by_one(table):
    shares = [np.mean(pairs) for item in table.T if (pairs := pairs_of(item))]
    assert raw_agreement(table) == (pytest.approx(np.mean(shares)) if shares else None)


@settings(deadline=None)
@given(ratings, st.randoms(use_true_random=False))
def test_neither_the_order_of_reviewers_nor_that_of_items_matters(table, rng):
    rows, columns = ([*range(n)] for n in table.shape)
    rng.shuffle(rows)
    rng.shuffle(columns)
    shuffled = table[np.ix_(rows, columns)]
    for figure in (fleiss_kappa, raw_agreement, *(lambda t, a=level: krippendorff_alpha(t, a) for level in LEVELS)):
        assert figure(shuffled) == pytest.approx(figure(table), abs=1e-12)


@settings(deadline=None)
@given(ratings)
def test_each_level_sees_only_what_it_measures(table):
    assert krippendorff_alpha(7 * table - 2, "interval") == pytest.approx(krippendorff_alpha(table, "interval"))
    assert krippendorff_alpha(np.exp(table), "ordinal") == pytest.approx(krippendorff_alpha(table, "ordinal"))
    relabelled = np.select([table == 1, table == 2, table == 3, table == 5], [9.0, 4.0, 8.0, 0.0], NAN)
    for figure in (fleiss_kappa, raw_agreement, lambda t: krippendorff_alpha(t, "nominal")):
        assert figure(relabelled) == pytest.approx(figure(table))


@settings(deadline=None)
@given(ratings)
def test_perfect_agreement_is_one_and_none_is_above_it(table):
    for level in LEVELS:
        alpha = krippendorff_alpha(table, level)
        assert alpha is None or alpha <= 1 + 1e-12
    same = np.where(np.isnan(table), NAN, np.arange(table.shape[1]))
    assert krippendorff_alpha(same, "ordinal") in (None, pytest.approx(1))
    assert fleiss_kappa(same) in (None, pytest.approx(1))


@pytest.mark.parametrize("seed", range(5))
def test_two_reviewers_agree_as_on_a_table_of_their_own(seed):
    rng = np.random.default_rng(seed)
    table = rng.integers(0, 3, (5, 30)).astype(float)
    table[rng.random(table.shape) < 0.6] = NAN
    shares, n_shared = agreement_by_pair(table)
    for one in range(5):
        for other in range(5):
            both = ~np.isnan(table[one]) & ~np.isnan(table[other])
            assert n_shared[one, other] == both.sum()
            if one != other:
                expected = raw_agreement(table[[one, other]])
                assert shares[one, other] == pytest.approx(NAN if expected is None else expected, nan_ok=True)


def test_agreement_of_each_is_the_share_of_others_who_gave_the_same():
    table = np.array([[1, 2, NAN], [1, 3, 4], [1, 2, NAN], [2, NAN, NAN]])
    # First: 2 of 3 and 1 of 2; second: 2 of 3 and 0 of 2, the third item is not shared; fourth: 0 of 3.
    wanted = [(2 / 3 + 1 / 2) / 2, (2 / 3) / 2, (2 / 3 + 1 / 2) / 2, 0]
    assert agreement_of_each(table) == pytest.approx(wanted)
    assert agreement_of_each(np.array([[1.0, NAN], [NAN, 2]])) == [None, None]


def test_the_careless_reviewer_is_the_one_without_whom_alpha_rises():
    rng = np.random.default_rng(3)
    deserved = rng.integers(1, 6, 60).astype(float)
    careful = np.clip(deserved + rng.integers(0, 2, (3, 60)), 1, 5)
    panel = np.vstack([careful, rng.integers(1, 6, 60)])
    alpha = krippendorff_alpha(panel, "ordinal")
    without = alpha_without_each(panel, "ordinal")
    assert [value > alpha for value in without] == [False, False, False, True]
    assert without[3] == krippendorff_alpha(careful, "ordinal")
    assert np.argmin(agreement_of_each(panel)) == 3
