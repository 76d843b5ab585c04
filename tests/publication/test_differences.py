"""What differs between a frozen board and today's: rank, figures, records; rows that came and went."""

from leaderboards.board import Key, Row, Words, ranked
from publication.queries import differences

C = Key("completion", Words("完成率", "Completion"), "higher", 3, "C")


def board(**rows):
    made = [Row(key, key, {"completion": figure}, n=n) for key, (figure, n) in rows.items()]
    return ranked(keys=[C], rule=[C], rows=made)


def test_equal_boards_differ_in_nothing():
    assert len(differences(board(a=(0.5, 4)), board(a=(0.5, 4)))) == 0


def test_a_row_that_overtakes_another_moves_both():
    found = differences(board(a=(0.5, 4), b=(0.4, 4)), board(a=(0.5, 4), b=(0.6, 5)))
    assert [(one.after.key, one.before.rank, one.after.rank) for one in found.moved] == [("b", 2, 1), ("a", 1, 2)]
    assert len(found) == 2


def test_more_records_with_the_same_figures_are_a_difference():
    assert len(differences(board(a=(0.5, 4)), board(a=(0.5, 8)))) == 1


def test_rows_that_came_and_went_are_told():
    found = differences(board(a=(0.5, 4), gone=(0.4, 4)), board(a=(0.5, 4), new=(0.3, 4)))
    assert (found.moved, [row.key for row in found.came], [row.key for row in found.gone]) == ((), ["new"], ["gone"])
    assert len(found) == 2
