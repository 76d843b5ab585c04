import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from measures.crossed import column_means, crossed, effects

NAN = np.nan


def test_cells_become_a_table_in_the_order_in_which_names_come():
    found = crossed([("b", "x", 1.0), ("a", "y", 2.0), ("b", "y", 3.0)])
    assert (found.rows, found.columns) == (("b", "a"), ("x", "y"))
    np.testing.assert_array_equal(found.table, [[1, 3], [NAN, 2]])


def test_a_cell_given_twice_is_refused():
    with pytest.raises(ValueError, match="a × x is given twice"):
        crossed([("a", "x", 1.0), ("a", "x", 1.0)])


def test_no_cells_are_an_empty_table():
    assert crossed([]).table.shape == (0, 0)


def test_means_leave_out_what_is_missing():
    np.testing.assert_array_equal(column_means(np.array([[1, NAN, NAN], [3, 4, NAN]])), [2, 4, NAN])


def test_effects_of_a_complete_table_are_the_differences_of_means():
    # Rows are 1 below, 1 above, level; nothing is left over.
    left = effects(np.array([[1.0, 3, 5], [3, 5, 7], [2, 4, 6]]))
    np.testing.assert_allclose(left.rows, [-1, 1, 0], atol=1e-12)
    np.testing.assert_allclose(left.residuals, 0, atol=1e-12)
    assert left.n_free == 4


def test_a_row_that_has_only_low_columns_is_not_taken_for_low():
    # b is 2 above a on the one shared column; b's mean over its own columns is lower all the same.
    left = effects(np.array([[4.0, 9, NAN], [6, NAN, 0]]))
    np.testing.assert_allclose(left.rows, [-1, 1])


def test_rows_are_compared_through_others_and_each_group_is_centred_on_its_own():
    table = np.array([[1.0, NAN, NAN], [2, 5, NAN], [NAN, 8, NAN], [NAN, NAN, 3], [NAN, NAN, 7]])
    # b − a = 1 and c − b = 3, so a, b, c are −5/3, −2/3, 7/3; d and e share nothing with them.
    np.testing.assert_allclose(effects(table).rows, [-5 / 3, -2 / 3, 7 / 3, -2, 2])
    assert effects(table).n_free == 0


def test_a_long_chain_of_rows_is_compared_from_end_to_end():
    # Each row shares one column with the next and is 1 above the row before.
    table = np.full((41, 40), NAN)
    for place in range(40):
        table[[place, place + 1], place] = [5, 6]
    np.testing.assert_allclose(effects(table).rows, np.arange(-20, 21), atol=1e-9)


def test_a_row_alone_on_its_columns_has_no_effect():
    left = effects(np.array([[1.0, 2, NAN], [2, 1, NAN], [NAN, NAN, 5], [NAN, NAN, NAN]]))
    np.testing.assert_allclose(left.rows, [0, 0, NAN, NAN])


cells = st.one_of(st.just(NAN), st.floats(-5, 5))


@settings(deadline=None)
@given(arrays(float, st.tuples(st.integers(1, 6), st.integers(1, 8)), elements=cells))
def test_the_fit_is_that_of_least_squares_over_dummies(table):
    rows, columns = np.nonzero(~np.isnan(table))
    dummies = np.zeros((len(rows), sum(table.shape)))
    dummies[np.arange(len(rows)), rows] = dummies[np.arange(len(rows)), table.shape[0] + columns] = 1
    solution, _, rank, _ = np.linalg.lstsq(dummies, table[rows, columns], rcond=1e-12)
    left = effects(table)
    np.testing.assert_allclose(left.residuals[rows, columns], table[rows, columns] - dummies @ solution, atol=1e-9)
    assert left.n_free == len(rows) - rank
