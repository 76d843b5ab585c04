from automatic_tasks.boards.feedback import best_of, is_revealed, rounded
from measures.ranking import RankingKey

F1, NMD = RankingKey("f1", "higher"), RankingKey("nmd", "lower")


def test_without_a_minimum_everything_is_shown():
    assert is_revealed({"f1": 0.1}, {"f1": 0.9}, F1, None)


def test_the_first_run_is_always_shown():
    assert is_revealed({"f1": 0.1}, None, F1, 0.5)


def test_a_gain_counts_in_the_direction_of_the_figure():
    assert is_revealed({"f1": 0.75}, {"f1": 0.5}, F1, 0.25)
    assert not is_revealed({"f1": 0.7}, {"f1": 0.5}, F1, 0.25)
    assert is_revealed({"nmd": 0.25}, {"nmd": 0.5}, NMD, 0.25)
    assert not is_revealed({"nmd": 0.75}, {"nmd": 0.5}, NMD, 0.25)


def test_an_undefined_figure_is_no_gain():
    assert not is_revealed({"f1": None}, {"f1": 0.5}, F1, 0.0)
    assert is_revealed({"f1": 0.5}, {"f1": None}, F1, 0.1)


def test_the_best_row_follows_the_direction():
    rows = [{"f1": 0.2, "nmd": 0.2}, {"f1": 0.8, "nmd": 0.8}, {"f1": None, "nmd": None}]
    assert best_of(rows, F1) == rows[1]
    assert best_of(rows, NMD) == rows[0]
    assert best_of([{"f1": None}], F1) is None


def test_rounding_leaves_what_is_undefined():
    assert rounded({"a": 0.12345, "b": None}, 2) == {"a": 0.12, "b": None}
    assert rounded({"a": 0.12345}, None) == {"a": 0.12345}
