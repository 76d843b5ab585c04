"""The rule of minutes at work, on times worked out by hand."""

from datetime import UTC, datetime, timedelta

import pytest

from leaderboards.exports.minutes import PAUSE_LIMIT, Act, work_by_role

NINE = datetime(2026, 3, 1, 9, tzinfo=UTC)


def at(minutes, role="tester", finishes=False):
    return Act(NINE + timedelta(minutes=minutes), role, finishes)


def test_nobody_without_an_act_was_at_work():
    assert work_by_role([]) == {}


def test_the_time_between_acts_counts_in_whatever_order_they_come():
    work = work_by_role([at(4.5, finishes=True), at(0), at(1)])["tester"]
    assert (work.minutes, work.n_finished, work.n_pauses) == (4.5, 1, 0)
    assert (work.first_at, work.last_at) == (NINE, NINE + timedelta(minutes=4.5))


@pytest.mark.parametrize(("more", "minutes", "n_pauses"), [(0, 25, 0), (1, 10, 1)])
def test_a_pause_over_the_limit_is_left_out_whole(more, minutes, n_pauses):
    acts = [at(0), at(5), Act(NINE + timedelta(minutes=5, seconds=more) + PAUSE_LIMIT, "tester")]
    acts.append(Act(acts[-1].at + timedelta(minutes=5), "tester"))
    work = work_by_role(acts)["tester"]
    assert (work.minutes, work.n_pauses) == (minutes, n_pauses)


def test_the_limit_is_a_quarter_of_an_hour():
    assert timedelta(minutes=15) == PAUSE_LIMIT


def test_what_goes_on_at_once_is_not_counted_twice():
    one, other = [at(0), at(4), at(8)], [at(1), at(5), at(9)]
    assert work_by_role([*one, *other])["tester"].minutes == 9


def test_the_time_before_an_act_belongs_to_its_role():
    acts = [at(0), at(3), at(10, "reviewer", finishes=True), at(12), at(40, "expert", finishes=True)]
    works = work_by_role(acts)
    assert {role: (work.minutes, work.n_finished, work.n_pauses) for role, work in works.items()} == {
        "tester": (5, 0, 0), "reviewer": (7, 1, 0), "expert": (0, 1, 1),
    }  # fmt: skip
