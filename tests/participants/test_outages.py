"""Several bots that stop at once are our outage; one that is down, or three that always were, are not."""

import pytest

from participants.failures import BotFailure, FailureKind, Fault
from participants.outbound.outages import Outages, Place, is_unanswered
from reading.findings import sentence


def place(name):
    """Each team has a host of its own, but for what is written as `team@host`."""
    team, _, host = name.partition("@")
    return Place(team, host or team)


def story(*steps, answering=("a", "b", "c", "d")):
    """Whose each failure was, with what was corrected. A step is a time with a place, which begins with `+` where it answers, with `~` where it does so over its own connection."""
    outages, told = Outages(), []
    for name in answering:
        outages.answered(place(name), -100)
    for at, name in steps:
        if name.startswith("+"):
            outages.answered(place(name[1:]), at)
            continue
        if name.startswith("~"):
            outages.recovered(place(name[1:]), at)
            continue
        verdict = outages.unanswered(place(name), f"{name}{at}", at)
        told.append(("ours" if verdict.is_ours else "bot", *verdict.corrected))
    return told


def test_three_bots_that_stop_within_thirty_seconds_are_our_outage_and_the_first_two_are_corrected():
    assert story((0, "a"), (10, "b"), (29, "c")) == [("bot",), ("bot",), ("ours", "a0", "b10")]


def test_three_bots_that_stop_over_a_longer_time_are_their_own_faults():
    assert story((0, "a"), (10, "b"), (30, "c")) == [("bot",)] * 3


def test_one_bot_that_fails_often_is_alone_and_two_are_bots_that_fail():
    assert story((0, "a"), (1, "a"), (2, "a"), (3, "b"), (4, "b")) == [("bot",)] * 5


def test_bots_that_are_down_for_long_do_not_become_an_outage_when_they_are_asked_together():
    early = [(0, "a"), (40, "b"), (80, "c")]
    assert story(*early, (100, "a"), (101, "b"), (102, "c")) == [("bot",)] * 6


def test_what_was_booked_longer_ago_than_the_window_stays():
    steps = [(0, "a"), (5, "a"), (30, "b"), (31, "c"), (32, "d")]
    assert story(*steps) == [("bot",), ("bot",), ("bot",), ("bot",), ("ours", "a5", "b30", "c31")]


def test_each_is_corrected_once():
    assert story((0, "a"), (1, "b"), (2, "c"), (3, "d"), (4, "a"))[2:] == [("ours", "a0", "b1"), ("ours",), ("ours",)]


def test_an_outage_lasts_until_a_bot_answers_again():
    fallen = [(0, "a"), (1, "b"), (2, "c")]
    assert story(*fallen, (500, "a"), (501, "+b"), (502, "a"))[3:] == [("ours",), ("bot",)]


def test_the_answer_of_another_ends_it_at_once():
    assert story((0, "a"), (1, "b"), (2, "c"), (3, "+d"), (20, "a"), (60, "a"))[3:] == [("bot",), ("bot",)]


def test_bots_that_never_answered_are_excused_for_one_window_only():
    steps = [(0, "a"), (1, "b"), (2, "c"), (20, "a"), (60, "a")]
    assert story(*steps, answering=()) == [("bot",), ("bot",), ("ours", "a0", "b1"), ("ours",), ("bot",)]


def test_whether_it_goes_on_is_asked_without_a_failure():
    outages = Outages()
    for second, name in enumerate("abc"):
        outages.unanswered(place(name), None, second)
    assert outages.is_outage(29.9)
    assert not outages.is_outage(31.9)


def test_three_that_stop_while_a_fourth_goes_on_answering_are_their_own_faults():
    steps = [(0, "a"), (1, "b"), (2, "+d"), (3, "c"), (4, "+d"), (5, "a"), (6, "b"), (7, "c")]
    assert story(*steps) == [("bot",)] * 6


def test_three_that_fail_in_turn_and_answer_between_excuse_nothing():
    steps = [(0, "a"), (1, "+a"), (2, "b"), (3, "+b"), (4, "c"), (5, "+c"), (6, "a"), (7, "b"), (8, "+c"), (9, "c")]
    assert story(*steps) == [("bot",)] * 6


def test_flaky_bots_among_healthy_ones_keep_all_their_failures():
    """Forty that answer once per second, four that fail once per second: nothing is ours."""
    steps = [(second + n / 100, f"+healthy {n}") for second in range(60) for n in range(40)]
    steps += [(second + (50 + n) / 100, f"flaky {n}") for second in range(60) for n in range(4)]
    # The healthy ones answer between two of the flaky ones too.
    steps += [(second + (50.5 + n) / 100, f"+healthy {n}") for second in range(60) for n in range(4)]
    assert story(*sorted(steps)) == [("bot",)] * 240


def test_what_failed_before_the_latest_answer_stays_its_bots():
    assert story((0, "a"), (1, "+e"), (2, "b"), (3, "c"), (4, "d"))[3:] == [("ours", "b2", "c3")]


def test_a_bot_that_connects_to_us_shows_nothing_about_our_way_out():
    steps = [(0, "a"), (1, "~d"), (2, "b"), (3, "~d"), (4, "c"), (5, "~d"), (60, "a")]
    assert story(*steps) == [("bot",), ("bot",), ("ours", "a0", "b2"), ("ours",)]


def test_a_bot_that_connects_to_us_and_answers_again_has_not_stopped():
    assert story((0, "a"), (1, "d"), (2, "~d"), (3, "b"), (4, "a")) == [("bot",)] * 4


def test_one_team_excuses_nobody_however_many_hosts_it_has():
    steps = [(n, f"a@host {n}") for n in range(10)]
    assert story(*steps) == [("bot",)] * 10
    assert story(*steps, (10, "b")) == [("bot",)] * 11


def test_teams_on_one_host_count_once_since_they_fail_with_it():
    steps = [(n, f"{team}@shared") for n, team in enumerate("abcde")]
    assert story(*steps) == [("bot",)] * 5


def test_an_answer_that_was_heard_before_the_bots_stopped_ends_nothing():
    """Half a reply came, the network went, and the reply's deadline passed long after that of calls that got nothing."""
    outages = Outages()
    for name, at in (("a", 31), ("b", 32), ("c", 33)):
        outages.unanswered(place(name), name, at)
    outages.answered(place("d"), 5)
    outages.answered(place("a"), 6)
    assert outages.unanswered(place("e"), "e", 40).is_ours
    outages.answered(place("d"), 41)
    assert not outages.unanswered(place("e"), "e", 42).is_ours


def failure(kind, *, heard_ago_s=None, **named):
    failed = BotFailure(kind, sentence(""), **named)
    failed.heard_ago_s = heard_ago_s
    return failed


@pytest.mark.parametrize("kind", ["dns", "connect", "tls", "timeout_first_byte"])
def test_a_call_to_which_nothing_came_back_may_be_an_outage(kind):
    assert is_unanswered(failure(FailureKind(kind)))


@pytest.mark.parametrize("kind", FailureKind)
def test_a_call_in_which_anything_came_back_is_none_however_it_ended(kind):
    assert not is_unanswered(failure(kind, heard_ago_s=9.0))


@pytest.mark.parametrize(
    "named",
    [
        {"kind": FailureKind.BLOCKED_ADDRESS, "reached_bot": False},
        {"kind": FailureKind.BAD_SHAPE, "reached_bot": False},
        {"kind": FailureKind.INTERRUPTED},
        {"kind": FailureKind.CONNECT, "fault": Fault.NOBODY},
    ],
)
def test_what_never_left_or_is_nobodys_says_nothing(named):
    untold = failure(**named)
    assert not is_unanswered(untold)
