from organizing.coverage_matrix import Cell, Fact, State, matrix_of

DONE, OPEN, LEFT, UNDRAWN, SHORT = State.DONE, State.OPEN, State.LEFT, State.UNDRAWN, State.SHORT


def cell_of(*facts):
    cell = Cell()
    for fact in facts:
        cell.add(fact)
    return cell


def fact(state, tester="t1", *, is_paused=False):
    return Fact(tester, "b", "s", state, is_paused=is_paused)


def test_a_cell_needs_what_is_done_begun_left_and_not_drawn_yet():
    cell = cell_of(fact(DONE), fact(DONE), fact(OPEN), fact(LEFT, "t2"), fact(UNDRAWN), fact(SHORT, ""))
    assert (cell.n_done, cell.n_missing, cell.n_needed) == (2, 4, 6)


def test_a_hole_is_what_nobody_fills_as_things_are():
    assert not cell_of(fact(DONE)).is_hole
    assert not cell_of(fact(OPEN), fact(LEFT)).is_hole
    assert cell_of(fact(DONE), fact(UNDRAWN)).is_hole
    assert cell_of(fact(DONE), fact(SHORT, "")).is_hole
    assert cell_of(fact(LEFT, is_paused=True)).is_hole


def test_what_the_platform_draws_by_itself_is_missing_but_no_hole():
    coming = cell_of(fact(DONE), fact(State.COMING, ""))
    assert (coming.n_missing, coming.n_needed, coming.is_hole) == (1, 2, False)


def test_a_ruler_is_full_only_when_all_is_done_and_empty_only_when_nothing_is():
    twenty = [fact(DONE)] * 19 + [fact(LEFT)]
    assert (cell_of(*twenty).n_ticks, cell_of(*twenty).n_filled) == (0, 34)
    assert cell_of(*[fact(DONE)] * 20).n_filled == 36
    assert cell_of(fact(DONE), *[fact(LEFT)] * 199).n_filled == 1
    assert (cell_of(*twenty[10:]).n_ticks, cell_of(*twenty[10:]).n_filled) == (10, 9)
    assert cell_of(*[fact(LEFT)] * 3).n_filled == 0


def test_facts_stand_in_their_row_and_column_and_in_the_totals():
    facts = [
        Fact("t1", "a", "s1", DONE),
        Fact("t2", "a", "s2", LEFT),
        Fact("", "a", "", SHORT),
        Fact("t1", "b", "s1", DONE),
        Fact("t1", "gone", "s1", DONE),
    ]
    matrix = matrix_of(
        facts, ["a", "b"], ["s1", "s2"], row_of=lambda fact: fact.bot, column_of=lambda fact: fact.scenario
    )
    first, second = matrix.rows
    assert [(cell.n_done, cell.n_needed) for cell in first.cells] == [(1, 1), (0, 1)]
    assert (first.total.n_done, first.total.n_needed) == (1, 3)
    assert [(cell.n_done, cell.n_needed) for cell in second.cells] == [(1, 1), (0, 0)]
    assert (matrix.total.n_done, matrix.total.n_needed) == (2, 4)
    assert matrix.rulers() == [(1, 0), (1, 1)]
