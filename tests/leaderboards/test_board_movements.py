from leaderboards.board import Key, Row, Words, movements, ranked

DONE = Key("done", Words("完成", "done"), "higher", 3)
TURNS = Key("turns", Words("轮数", "turns"), "lower", 2)


def board(**rows):
    """Rows of (done, turns, n); None for a bot without a record."""
    made = [
        Row(name, name, {} if told is None else {"done": told[0], "turns": told[1]}, n=told[2] if told else 0,
            reason=None if told else Nothing())
        for name, told in rows.items()
    ]  # fmt: skip
    return ranked(keys=[DONE, TURNS], rule=[DONE, TURNS], rows=made)


class Nothing:
    value = label = "no records"


def said(found):
    return [
        (one.after.name, one.before.rank, one.after.rank, [(f.before, f.after) for f in one.figures if f.has_moved])
        for one in found
    ]


def test_ranks_and_figures_before_and_after():
    before = board(a=(0.5, 3.0, 4), b=(0.5, 4.0, 4), c=(0.2, 4.0, 4))
    after = board(a=(0.5, 5.0, 4), b=(0.5, 4.0, 4), c=(0.2, 4.0, 4))
    assert said(movements(before, after)) == [("b", 2, 1, []), ("a", 1, 2, [(3.0, 5.0)])]


def test_where_nothing_moves_there_is_nothing_to_say():
    same = board(a=(0.5, 3.0, 4), b=None)
    assert movements(same, board(a=(0.5, 3.0 + 1e-14, 4), b=None)) == ()


def test_a_row_that_loses_its_last_record_loses_its_rank():
    found = movements(board(a=(0.5, 3.0, 4), b=(0.1, 9.0, 1)), board(a=(0.5, 3.0, 4), b=None))
    assert said(found) == [("b", 2, None, [(0.1, None), (9.0, None)])]


def test_fewer_records_with_the_same_figures_are_a_movement():
    (moved,) = movements(board(a=(0.5, 3.0, 4)), board(a=(0.5, 3.0, 2)))
    assert (moved.before.n, moved.after.n, moved.has_new_rank) == (4, 2, False)


def test_rows_of_one_board_alone_have_not_moved():
    assert movements(board(a=(0.5, 3.0, 4)), board(b=(0.5, 3.0, 4))) == ()
