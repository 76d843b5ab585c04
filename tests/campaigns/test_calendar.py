"""Dates open and close what may be done, to the second on both sides."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import translation

from campaigns.calendar import (
    DATES,
    FINISHING,
    Change,
    Dates,
    Doing,
    NotNow,
    NowAndNext,
    Phase,
    check_open,
    finished_before,
    has_dates,
    is_open,
    moment_in_zone,
    now_and_next,
    phase_at,
)
from campaigns.campaign_file.calendar_settings import out_of_order, pairs_in_order


def day(number: int, hour: int = 0) -> datetime:
    return datetime(2026, 3, number, hour, tzinfo=UTC)


SECOND = timedelta(seconds=1)
# Registration 1–3, frozen on 5, testing 10–15, reviewing 12–18, published on 20, over on 25.
WHOLE = Dates(
    registration_from=day(1),
    registration_until=day(3),
    frozen_at=day(5),
    testing_from=day(10),
    testing_until=day(15),
    review_from=day(12),
    review_until=day(18),
    publication_at=day(20),
    ends_at=day(25),
)
# First and last second of each doing, worked out by hand from the dates above.
OPEN = {
    Doing.REGISTER: (day(1), day(3)),
    Doing.ENTER_BOT: (day(1), day(5)),
    Doing.TEST: (day(10), day(15)),
    Doing.FINISH: (None, day(15) + timedelta(minutes=30)),
    Doing.SCORE_OWN: (None, day(18)),
    Doing.REVIEW: (day(12), day(18)),
    Doing.RUN: (day(1), day(20)),
    Doing.REPORT: (None, day(25)),
    Doing.ORGANIZE: (None, day(25)),
    Doing.PUBLISH: (day(20), None),
}
# A moment in the middle of each phase, and what is open then.
PHASES = {
    "before": (datetime(2026, 2, 20, tzinfo=UTC), "finish score_own report organize"),
    "registration": (day(2), "register enter_bot finish score_own run report organize"),
    "between": (day(4), "enter_bot finish score_own run report organize"),
    "frozen": (day(7), "finish score_own run report organize"),
    "testing": (day(11), "test finish score_own run report organize"),
    "testing and review": (day(13), "test finish score_own review run report organize"),
    "review": (day(16), "score_own review run report organize"),
    "waiting": (day(19), "run report organize"),
    "published": (day(21), "report organize publish"),
    "ended": (day(26), "publish"),
}


@pytest.mark.parametrize("doing", Doing)
@pytest.mark.parametrize("phase", PHASES)
def test_each_doing_is_open_in_its_phases_alone(doing, phase):
    at, opened = PHASES[phase]
    assert is_open(WHOLE, doing, at) == (doing.value in opened.split())


@pytest.mark.parametrize("doing", Doing)
def test_a_date_holds_to_the_second_on_both_sides(doing):
    first, last = OPEN[doing]
    if first is not None:
        assert not is_open(WHOLE, doing, first - SECOND)
        assert not is_open(WHOLE, doing, first - timedelta(microseconds=1))
        assert is_open(WHOLE, doing, first)
    if last is not None:
        assert is_open(WHOLE, doing, last)
        assert is_open(WHOLE, doing, last + timedelta(microseconds=999_999))
        assert not is_open(WHOLE, doing, last + SECOND)


@pytest.mark.parametrize("doing", Doing)
def test_a_campaign_without_dates_is_always_open(doing):
    check_open(Dates(), doing, day(1))
    assert not has_dates(Dates())
    assert has_dates(WHOLE)


@pytest.mark.parametrize("doing", [doing for doing in Doing if doing != Doing.PUBLISH])
def test_the_end_closes_everything_but_publication_whatever_else_is_said(doing):
    only_the_end = Dates(ends_at=day(25))
    assert is_open(only_the_end, doing, day(25))
    with pytest.raises(NotNow) as closed, translation.override("en"):
        check_open(only_the_end, doing, day(25) + SECOND)
    assert closed.value.in_english.startswith("The campaign ended on 2026-03-25 08:00 (UTC+08:00): everything stays")


@pytest.mark.parametrize("doing", Doing)
def test_what_is_closed_says_so_in_a_sentence_with_the_moment_and_its_zone(doing):
    first, last = OPEN[doing]
    for at, moment in ((first and first - SECOND, first), (last and last + SECOND, last)):
        if at is None:
            continue
        with pytest.raises(NotNow) as closed:
            check_open(WHOLE, doing, at)
        assert closed.value.doing is doing
        assert closed.value.code == "not_now"
        with translation.override("en"):
            assert moment_in_zone(moment, "Asia/Shanghai") in str(closed.value)


def test_without_a_freeze_systems_may_change_until_registration_closes_and_the_other_way_round():
    assert not is_open(Dates(registration_until=day(3)), Doing.ENTER_BOT, day(4))
    assert not is_open(Dates(frozen_at=day(3)), Doing.REGISTER, day(4))


def test_statements_and_rules_agree_on_when_open_dialogues_are_over():
    last = day(15) + FINISHING
    for at, is_over in ((last, False), (last + timedelta(microseconds=999_999), False), (last + SECOND, True)):
        testing, campaign = finished_before(at)
        assert (
            (WHOLE.testing_until < testing or WHOLE.ends_at < campaign)
            == is_over
            == (not is_open(WHOLE, Doing.FINISH, at))
        )


def test_a_campaign_that_ends_before_the_grace_is_over_gives_no_grace():
    ends_early = Dates(testing_until=day(15), ends_at=day(15))
    assert not is_open(ends_early, Doing.FINISH, day(15) + SECOND)


@pytest.mark.parametrize(
    ("at", "phases"),
    [
        (day(1) - SECOND, ()),
        (day(1), (Phase.REGISTRATION,)),
        (day(3), (Phase.REGISTRATION,)),
        (day(3) + SECOND, ()),
        (day(5), ()),
        (day(5) + SECOND, (Phase.FREEZE,)),
        (day(10) - SECOND, (Phase.FREEZE,)),
        (day(10), (Phase.TESTING,)),
        (day(12), (Phase.TESTING, Phase.REVIEW)),
        (day(15), (Phase.TESTING, Phase.REVIEW)),
        (day(15) + SECOND, (Phase.REVIEW,)),
        (day(18) + SECOND, ()),
        (day(20), (Phase.PUBLICATION,)),
        (day(25), (Phase.PUBLICATION,)),
        (day(25) + SECOND, (Phase.END,)),
    ],
)
def test_each_moment_is_in_its_phase(at, phases):
    assert phase_at(WHOLE, at) == phases


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        (day(1) - SECOND, NowAndNext((), Change(Phase.REGISTRATION, day(1), True))),
        (day(2), NowAndNext(((Phase.REGISTRATION, day(3)),), Change(Phase.FREEZE, day(5), True))),
        (day(4), NowAndNext((), Change(Phase.FREEZE, day(5), True))),
        (day(7), NowAndNext(((Phase.FREEZE, None),), Change(Phase.TESTING, day(10), True))),
        (day(11), NowAndNext(((Phase.TESTING, day(15)),), Change(Phase.REVIEW, day(12), True))),
        (
            day(15),
            NowAndNext(((Phase.TESTING, day(15)), (Phase.REVIEW, day(18))), Change(Phase.PUBLICATION, day(20), True)),
        ),
        (day(19), NowAndNext((), Change(Phase.PUBLICATION, day(20), True))),
        (day(25), NowAndNext(((Phase.PUBLICATION, None),), Change(Phase.END, day(25), True))),
        (day(26), NowAndNext(((Phase.END, None),), None)),
    ],
)
def test_now_and_next_at_each_moment(at, expected):
    assert now_and_next(WHOLE, at) == expected


def test_where_nothing_begins_any_more_the_end_of_a_phase_is_next():
    dates = Dates(testing_from=day(10), testing_until=day(15))
    assert now_and_next(dates, day(11)).next == Change(Phase.TESTING, day(15), False)


def test_without_dates_nothing_is_now_and_nothing_is_next():
    assert now_and_next(Dates(), day(1)) == NowAndNext((), None)


@pytest.mark.parametrize("pair", pairs_in_order(), ids=lambda pair: f"{pair.earlier} before {pair.later}")
def test_two_dates_in_the_wrong_order_are_named(pair):
    wrong = Dates(**{pair.earlier: day(2), pair.later: day(1)})
    assert out_of_order(wrong) == [pair]
    assert out_of_order(Dates(**{pair.earlier: day(1), pair.later: day(2)})) == []
    same = out_of_order(Dates(**{pair.earlier: day(1), pair.later: day(1)}))
    assert same == ([pair] if pair.later.removesuffix("until") == pair.earlier.removesuffix("from") else [])


def test_reviewing_may_overlap_testing_and_nothing_else_may_be_swapped():
    assert {(pair.earlier, pair.later) for pair in pairs_in_order()} == {
        (earlier, later) for index, earlier in enumerate(DATES) for later in DATES[index + 1 :]
    } - {("testing_until", "review_from")}
    assert out_of_order(WHOLE) == out_of_order(Dates()) == []


def test_a_moment_is_said_on_the_clocks_of_the_campaign():
    assert moment_in_zone(day(10, 10), "Asia/Shanghai") == "2026-03-10 18:00 (UTC+08:00)"
    assert moment_in_zone(day(10, 10) + SECOND, "Europe/Berlin") == "2026-03-10 11:00:01 (UTC+01:00)"
