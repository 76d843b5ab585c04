from campaigns.actions.leaving import handed_to, may_name_somebody, with_moved
from campaigns.plans import PlanKind
from campaigns.redrawing import Standing

STANDING = [
    Standing(1, "li", "a", "s1", 1, is_begun=True),
    Standing(2, "li", "b", "s1", 3),
    Standing(3, "li", "a", "s2", 2),
    Standing(4, "han", "b", "s2", 7),
    Standing(5, "mei", "a", "s1", 1),
]


def test_what_is_not_begun_goes_to_the_end_of_the_heirs_order_in_the_leavers_own():
    moved = handed_to(STANDING, leaver="li", heir="han", has=set())
    assert [(row.id, row.tester, row.position) for row in moved] == [(3, "han", 8), (2, "han", 9)]


def test_what_the_heir_has_already_stays_for_the_others():
    moved = handed_to(STANDING, leaver="li", heir="han", has={("a", "s2")})
    assert [row.id for row in moved] == [2]


def test_whoever_had_nothing_begins_with_the_first_place():
    assert [row.position for row in handed_to(STANDING, leaver="li", heir="new", has=set())] == [1, 2]


def test_the_rest_stands_as_it_was():
    moved = handed_to(STANDING, leaver="li", heir="han", has={("a", "s2")})
    after = with_moved(STANDING, moved)
    assert [(row.id, row.tester) for row in after] == [(1, "li"), (2, "han"), (3, "li"), (4, "han"), (5, "mei")]


def test_nobody_is_named_in_the_full_plan_or_before_the_first_dialogue():
    assert may_name_somebody(PlanKind.PER_CELL, STANDING)
    assert not may_name_somebody(PlanKind.FULL, STANDING)
    assert not may_name_somebody(PlanKind.PER_CELL, STANDING[1:])
