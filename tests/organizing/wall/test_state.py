"""The wall's rows from what a look saw, and the changes between two looks."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from organizing.wall.health import CallOutcome
from organizing.wall.state import Seen, SeenBot, SeenTalk, Tally, Terms, Wall, change_between, changed

NOON = datetime(2026, 5, 17, 12, tzinfo=UTC)
TERMS = Terms(reply_deadline=timedelta(seconds=30), silence_limit=timedelta(minutes=45))


def talk(id="d1", tester="ann", bot="K7", waits_for="bot", ago_s=10, **named):
    named = {"scenario": "case-1", "part": 1, "n_parts": 2, "turns": 3, "cap": 20} | named
    return SeenTalk(id, tester, bot, waits_for=waits_for, since=NOON - timedelta(seconds=ago_s), **named)


def sections_of(seen):
    wall = Wall(TERMS)
    wall.take(seen)
    return wall.sections()


def failed(n=1, bot="K7"):
    return [(bot, CallOutcome(NOON, "d1", 3, kind="connect", fault="bot")) for _ in range(n)]


def test_a_dialogue_waits_for_a_bot_until_its_deadline_and_for_a_tester_until_it_is_closed():
    rows = sections_of(Seen(NOON, talks=[talk(), talk("d2", waits_for="tester")]))["dialogues"]
    assert rows["d1"]["since"] == "2026-05-17T11:59:50+00:00"
    assert rows["d1"]["until"] == "2026-05-17T12:00:20+00:00"
    assert rows["d2"]["until"] == "2026-05-17T12:44:50+00:00"


def test_a_tester_is_waited_for_until_open_dialogues_are_closed():
    wall = Wall(replace(TERMS, finishing_until=NOON + timedelta(minutes=5)))
    wall.take(Seen(NOON, talks=[talk(), talk("d2", waits_for="tester")]))
    rows = wall.sections()["dialogues"]
    assert (rows["d1"]["until"], rows["d2"]["until"]) == ("2026-05-17T12:00:20+00:00", "2026-05-17T12:05:00+00:00")


def test_figures_add_up_what_is_done_and_left():
    hour = timedelta(hours=1)
    tallies = [
        Tally("ann", "K7", n_done=10, n_today=6, first_at=NOON - 2 * hour, last_at=NOON - hour),
        Tally("bob", "M2", n_done=4, n_today=2, n_unscored=1, first_at=NOON - hour, last_at=NOON),
    ]
    figures = sections_of(Seen(NOON, talks=[talk(), talk("d2", waits_for="tester")], tallies=tallies, needed=30))
    assert figures["figures"]["all"] == {
        # 8 today in the 2 hours from 10 to 12 o'clock are 4 per hour; 16 are left.
        "done": 14, "needed": 30, "today": 8, "unscored": 1, "live": 2, "waiting_for_bots": 1, "failing": [],
        "failed": 0, "called": 0, "left": 16, "hours_left": 4.0, "pace_hours": 2.0,
        "pace_since": "2026-05-17T10:00:00+00:00", "closes_at": None,
    }  # fmt: skip


def test_what_testers_choose_freely_has_no_end():
    figures = sections_of(Seen(NOON, needed=None))["figures"]["all"]
    assert (figures["left"], figures["hours_left"]) == (None, None)


def test_a_pause_of_an_hour_does_not_slow_the_day_down():
    """The pace ends with the last thing that was done, so at night it is what it was in the evening."""
    tally = Tally("ann", "K7", 8, 8, first_at=NOON - timedelta(hours=3), last_at=NOON - timedelta(hours=1))
    assert sections_of(Seen(NOON, tallies=[tally], needed=16))["figures"]["all"]["hours_left"] == 2.0


def test_a_bot_that_failed_three_times_is_failing_and_a_paused_one_is_not():
    bots = [SeenBot("K7"), SeenBot("M2", paused_at=NOON, because="restarts")]
    found = sections_of(Seen(NOON, bots=bots, outcomes=failed(3) + failed(3, "M2")))
    assert found["figures"]["all"]["failing"] == ["K7"]
    assert found["bots"]["K7"]["state"] == "failing"
    assert (found["bots"]["M2"]["state"], found["bots"]["M2"]["because"]) == ("paused", "restarts")


def test_a_tester_s_row_says_what_was_done_how_fast_and_whether_they_are_there():
    tally = Tally("ann", "K7", 9, 6, first_at=NOON - timedelta(hours=2), last_at=NOON)
    seen = Seen(NOON, talks=[talk()], testers=["ann", "bob"], tallies=[tally], assigned={("ann", "K7"): 20},
                online=frozenset({"ann"}))  # fmt: skip
    rows = sections_of(seen)["testers"]
    assert rows["ann"] == {
        "done": 9, "today": 6, "unscored": 0, "per_hour": 3.0, "seen_at": "2026-05-17T12:00:00+00:00",
        "assigned": 20, "talking": ["K7"], "online": True,
    }  # fmt: skip
    assert rows["bob"] == {
        "done": 0, "today": 0, "unscored": 0, "per_hour": None, "seen_at": None,
        "assigned": 0, "talking": [], "online": False,
    }  # fmt: skip


def test_a_change_names_only_what_is_different():
    wall = Wall(TERMS)
    wall.take(Seen(NOON, talks=[talk(), talk("d2"), talk("d3")], bots=[SeenBot("K7"), SeenBot("M2")]))
    before = wall.sections()
    wall.take(Seen(NOON, talks=[talk(), talk("d2", turns=4)], bots=[SeenBot("K7"), SeenBot("M2")], outcomes=failed()))
    change = change_between(before, wall.sections())
    assert list(change.rows["dialogues"]) == ["d2"]
    assert list(change.rows["bots"]) == ["K7"]
    assert change.gone == {"dialogues": ["d3"]}


def test_nothing_new_is_no_change():
    wall = Wall(TERMS)
    wall.take(Seen(NOON, talks=[talk()], bots=[SeenBot("K7")]))
    assert not change_between(wall.sections(), wall.sections())


TALKS = st.lists(
    st.builds(talk, st.sampled_from(["d1", "d2", "d3", "d4"]), bot=st.sampled_from(["K7", "M2"]),
              turns=st.integers(0, 3), waits_for=st.sampled_from(["bot", "tester"])),
    unique_by=lambda one: one.id,
)  # fmt: skip
SEEN = st.builds(
    lambda talks, n_failed: Seen(NOON, talks=talks, bots=[SeenBot("K7"), SeenBot("M2")], outcomes=failed(n_failed)),
    TALKS,
    st.integers(0, 4),
)


@given(st.lists(SEEN, min_size=1, max_size=6))
def test_changes_applied_to_an_old_state_give_the_fresh_one(looks):
    wall = Wall(TERMS)
    wall.take(looks[0])
    browser = wall.sections()
    for seen in looks[1:]:
        before = wall.sections()
        wall.take(seen)
        browser = changed(browser, change_between(before, wall.sections()))
    assert browser == wall.sections()
