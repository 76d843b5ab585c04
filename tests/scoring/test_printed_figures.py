"""Figures as people read them."""

from scoring.printed_figures import fixed, text_table, told_p, width


def test_a_p_that_is_too_small_to_print_is_not_zero_and_no_zero_has_a_sign():
    assert (told_p(0.0002), told_p(0.04)) == ("p < 0.001", "p = 0.040")
    assert (fixed(-0.0001, 3), fixed(-0.1, 2)) == ("0.000", "−0.10")


def test_wide_and_full_width_characters_count_twice():
    assert (width("abc"), width("中文"), width("Ａ=１"), width("")) == (3, 4, 5, 0)


def test_columns_are_aligned_by_what_is_seen():
    table = text_table(["#", "team", "C"], [["1", "一队", "0.5"], ["10", "B", "0.25"]], right_from=2)
    assert table.splitlines() == [
        " #  team     C",
        "──  ────  ────",
        " 1  一队   0.5",
        "10  B     0.25",
    ]
