"""Tables on a terminal: a Chinese character is two columns wide."""

from scoring.printed_figures import text_table, width


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
