"""The simulation behind docs/scaling.md: what queueing theory says of it at sizes worked out by hand."""

import pytest

from bench.scaling import Costs, processes_needed, simulate

# Four pieces of 10 ms a turn: a process is full at 25 turns/s, a writer that all share at 50.
COSTS = Costs(turn_s=0.040, writer_share=0.5)


def test_a_lone_dialogue_waits_for_nothing_but_its_own_work():
    found = simulate(1, 1, COSTS, shares_writer=True, seconds=600)
    assert found.added_p95_s == pytest.approx(0.040)
    # A turn each 4 + 1.04 s.
    assert found.turns_per_s == pytest.approx(1 / 5.04, rel=0.15)


@pytest.mark.parametrize("shares_writer", [True, False])
def test_no_more_turns_are_answered_than_the_busiest_queue_lets_through(shares_writer):
    found = simulate(2000, 1, COSTS, shares_writer=shares_writer, seconds=60)
    assert found.turns_per_s <= 25
    assert found.process_use == 1
    assert not found.holds


def test_a_shared_writer_is_what_breaks_first_and_own_writers_do_not():
    shared = simulate(1000, 8, COSTS, shares_writer=True, seconds=60)
    own = simulate(1000, 8, COSTS, shares_writer=False, seconds=60)
    assert shared.turns_per_s <= 50
    assert shared.writer_use == 1 > shared.process_use
    assert own.turns_per_s > 2 * shared.turns_per_s


def test_the_same_seed_gives_the_same_figures():
    assert simulate(50, 2, COSTS, shares_writer=True, seconds=30) == simulate(
        50, 2, COSTS, shares_writer=True, seconds=30
    )


def test_what_is_needed_holds_and_one_process_fewer_does_not():
    costs = Costs(turn_s=0.010, writer_share=0.5)
    n, found = processes_needed(1000, costs, shares_writer=False, seconds=60)
    assert 1 < n < 8
    assert found.holds
    assert not simulate(1000, n - 1, costs, shares_writer=False, seconds=60).holds


def test_no_number_of_processes_helps_where_the_writer_is_full():
    assert processes_needed(1000, COSTS, shares_writer=True, seconds=60)[0] == 0
