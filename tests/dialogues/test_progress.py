"""Where a tester's assignments stand, and which comes next."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from django.utils.translation import override

from campaigns.actions import pause_bot, send_back_bot, withdraw_bot
from campaigns.models import Assignment, Campaign
from dialogues.masking import masker_of
from dialogues.models import Dialogue, Turn
from dialogues.pauses import BotPause
from dialogues.progress import (
    BEGUN,
    DONE,
    PAUSED,
    TO_DO,
    TO_SCORE,
    USUAL_S,
    AssignmentRow,
    Bar,
    Share,
    assignment_places,
    assignment_rows,
    bar,
    ended_last,
    grouped,
    minutes_for,
    minutes_left,
    moments_of,
    next_row,
    part_pace,
    seconds_at_work,
    seconds_per_part,
    shares,
    with_reasons,
)
from dialogues.queries import masked_words

NOON = datetime(2026, 5, 18, 12, tzinfo=UTC)


def at_minutes(*minutes):
    return [NOON + timedelta(minutes=one) for one in minutes]


def test_time_at_work_leaves_out_the_gaps_that_are_longer_than_a_pause():
    assert seconds_at_work(at_minutes(0, 2, 5, 65, 66)) == (2 + 3 + 1) * 60
    assert seconds_at_work(at_minutes(0, 5)) == 300, "five minutes are still work"
    assert seconds_at_work(at_minutes(0, 5.1)) == 0


def test_moments_come_in_any_order():
    assert seconds_at_work(at_minutes(3, 0, 1)) == 180
    assert seconds_at_work([]) == seconds_at_work(at_minutes(1)) == 0


def test_without_an_ended_dialogue_the_usual_pace_holds():
    assert seconds_per_part([]) == USUAL_S == 360
    assert seconds_per_part([(0, 2), (100, 0)]) == USUAL_S


def test_the_pace_is_the_median_per_part():
    assert seconds_per_part([(200, 1), (600, 2), (1500, 3)]) == 300


def test_a_dialogue_that_dragged_on_counts_half_an_hour_per_part():
    assert seconds_per_part([(40_000, 2)]) == 1800


def test_a_dialogue_that_was_given_up_at_once_counts_a_minute_per_part():
    assert seconds_per_part([(5, 1)]) == 60


def test_minutes_are_rounded_up():
    assert [minutes_for(n, 361) for n in (0, 0.5, 1, 2)] == [0, 4, 7, 13]


def row(state: str) -> AssignmentRow:
    made = {
        PAUSED: AssignmentRow(None, None, "", 0, is_scored=False, pause=BotPause("x", None, "y")),
        TO_DO: AssignmentRow(None, None, "", 0, is_scored=False),
        BEGUN: AssignmentRow(None, "id", "open", 3, is_scored=False),
        TO_SCORE: AssignmentRow(None, "id", "unfinished", 3, is_scored=False),
        DONE: AssignmentRow(None, "id", "completed", 3, is_scored=True),
    }[state]
    assert made.state == state
    return made


def test_what_was_begun_comes_before_what_is_to_be_scored_and_both_before_the_next():
    rows = [row(state) for state in (DONE, TO_DO, TO_SCORE, BEGUN)]
    assert next_row(rows) is rows[3]
    assert next_row(rows[:3]) is rows[2]
    assert next_row(rows[:2]) is rows[1]


def test_of_several_that_were_begun_the_latest_comes_first():
    at = timezone.now()
    earlier, later = (replace(row(BEGUN), opened_at=at + timedelta(minutes=n)) for n in (0, 5))
    assert next_row([earlier, later]) is later


def test_when_all_is_done_nothing_is_next():
    assert next_row([row(DONE)]) is None
    assert next_row([]) is None


def test_what_pauses_is_never_next_and_takes_no_time_yet():
    paused = replace(row(PAUSED), kinds=("flight",))
    assert next_row([paused]) is None
    assert minutes_left([paused], 60) == 0
    assert grouped([row(DONE), paused, row(TO_DO)]) == [(TO_DO, [row(TO_DO)]), (PAUSED, [paused]), (DONE, [row(DONE)])]


def test_rows_are_grouped_by_what_is_to_be_done_and_the_latest_done_is_on_top():
    rows = [row(DONE), row(TO_DO), row(BEGUN), row(DONE)]
    assert grouped(rows) == [(BEGUN, [rows[2]]), (TO_DO, [rows[1]]), (DONE, [rows[3], rows[0]])]


def test_progress_is_counted_per_name():
    rows = [row(DONE), row(TO_DO), row(DONE)]
    names = {id(rows[0]): "K7", id(rows[1]): "K7", id(rows[2]): "A1"}
    assert shares(rows, lambda row: names[id(row)]) == [Share("A1", 1, 1), Share("K7", 1, 2)]


@pytest.mark.parametrize(("n_rows", "ticks", "pitch"), [(9, 9, 14), (42, 42, 3), (500, 42, 3), (0, 1, 126)])
def test_a_bar_has_one_tick_per_assignment_as_long_as_they_can_be_told_apart(n_rows, ticks, pitch):
    assert bar(n_rows, 126) == Bar(ticks, pitch)


def test_the_time_left_follows_the_testers_own_pace():
    noon = datetime(2026, 5, 18, 12, tzinfo=UTC)
    ended = replace(row(DONE), kinds=("flight", "hotel"), opened_at=noon, closed_at=noon + timedelta(minutes=8))
    moments = {"id": [noon + timedelta(minutes=minutes) for minutes in (1, 4, 6)]}
    rows = [ended, replace(row(TO_DO), kinds=("flight",) * 3), replace(row(BEGUN), kinds=("hotel", "train"))]
    assert part_pace(rows, moments) == 240
    assert minutes_left(rows, 240) == 4 * 3 + 4


def test_lunch_between_two_messages_is_no_part_of_the_pace():
    noon = datetime(2026, 5, 18, 12, tzinfo=UTC)
    minutes = (2, 62, 64, 66)  # sent; answered an hour later, after lunch; closed and scored
    asked, answered, closed, scored = (noon + timedelta(minutes=one) for one in minutes)
    ended = replace(row(DONE), kinds=("flight",), opened_at=noon, closed_at=closed, scored_at=scored)
    assert part_pace([ended], {"id": [asked, answered]}) == (2 + 2 + 2) * 60


def test_the_dialogues_that_ended_last_tell_the_pace():
    noon = datetime(2026, 5, 18, 12, tzinfo=UTC)
    rows = [replace(row(DONE), number=n, closed_at=noon - timedelta(minutes=n)) for n in range(25)]
    assert [one.number for one in ended_last([*rows, row(TO_DO)])] == list(range(19, -1, -1))


@pytest.mark.django_db
def test_the_moments_of_a_dialogue_are_when_its_messages_were_sent_and_settled(dialogue, tester):
    noon = datetime(2026, 5, 18, 12, tzinfo=UTC)
    times = [noon + timedelta(seconds=seconds) for seconds in (0, 2, 30)]
    for number, asked_at, settled_at in ((1, times[0], times[1]), (2, times[2], None)):
        Turn.objects.create(
            dialogue=dialogue, number=number, subtask=1, spent=number, turn_cap=3, key=str(number), text="你好",
            status="answered" if settled_at else "waiting", seq=2 * number - 1, outcome_seq=2 * number,
            asked_at=asked_at, settled_at=settled_at, owner="here:1:x",
        )  # fmt: skip
    assert moments_of(assignment_rows(tester, at=timezone.now())) == {dialogue.pk: times}


@pytest.mark.django_db
def test_a_row_knows_its_number_kinds_and_caps(dialogue, tester):
    (only,) = assignment_rows(tester, at=timezone.now())
    assert (only.number, only.kinds, only.caps, only.turn_cap) == (1, ("flight", "hotel"), (3, 2), 5)


@pytest.mark.django_db
def test_a_void_dialogue_puts_its_assignment_back_to_be_done(dialogue, tester):
    assert [row.state for row in assignment_rows(tester, at=timezone.now())] == [BEGUN]
    Dialogue.objects.update(status="void", closed_at=timezone.now())
    assert [row.state for row in assignment_rows(tester, at=timezone.now())] == [TO_DO]


@pytest.mark.django_db
def test_assignments_of_a_campaign_where_one_is_no_tester_any_more_are_not_listed(dialogue, tester):
    tester.campaign_roles.all().delete()
    assert assignment_rows(tester, at=timezone.now()) == []


@pytest.mark.django_db
def test_a_bot_pauses_what_is_not_begun_and_its_reason_tells_no_team(campaign, dialogue, tester):
    entry = campaign.entries.get()
    Assignment.objects.create(
        campaign=campaign, tester=tester, entry=entry, scenario=campaign.scenarios.get(), repetition=9, position=9
    )
    pause_bot(entry=entry, because="Team Alpha moves its server", at=timezone.now())
    rows = with_reasons(assignment_rows(tester, at=timezone.now()), masker_of(masked_words(campaign)))
    assert [(row.state, row.pause.because if row.pause else "") for row in rows] == [
        (BEGUN, ""),
        (PAUSED, "██████████ moves its server"),
    ]


@pytest.mark.django_db
def test_what_is_to_be_done_with_a_bot_that_was_sent_back_waits_for_its_admission(campaign, dialogue, tester):
    send_back_bot(entry=campaign.entries.get(), because="Its answers are another system's.", by=None, at=timezone.now())
    assert [row.state for row in assignment_rows(tester, at=timezone.now())] == [BEGUN]
    Dialogue.objects.update(status="void", closed_at=timezone.now())
    with override("en"):
        (only,) = with_reasons(assignment_rows(tester, at=timezone.now()), masker_of(masked_words(campaign)))
    assert (only.state, only.pause.because) == (PAUSED, "An organizer has to admit it again first.")
    assert next_row([only]) is None


@pytest.mark.django_db
def test_a_report_is_fresh_at_the_moment_that_the_rows_are_asked_for(campaign, dialogue, tester):
    noon = datetime(2026, 5, 18, 12, tzinfo=UTC)
    Campaign.objects.update(green_report_hours=24)
    campaign.entries.update(green_at=noon)
    Dialogue.objects.update(status="void", closed_at=noon)
    for later, state in ((timedelta(hours=24), TO_DO), (timedelta(hours=24, seconds=1), PAUSED)):
        assert [row.state for row in assignment_rows(tester, at=noon + later)] == [state]


@pytest.mark.django_db
def test_what_is_to_be_done_with_a_withdrawn_bot_is_not_listed_what_was_done_is(campaign, dialogue, tester):
    withdraw_bot(entry=campaign.entries.get(), because="asked for", at=timezone.now())
    assert [row.state for row in assignment_rows(tester, at=timezone.now())] == [BEGUN]
    Dialogue.objects.update(status="void", closed_at=timezone.now())
    assert assignment_rows(tester, at=timezone.now()) == []


@pytest.mark.django_db
def test_the_number_of_queries_does_not_grow_with_the_assignments(
    campaign, dialogue, tester, django_assert_num_queries
):
    from dialogues.actions import open_chosen_dialogue

    for _ in range(3):
        open_chosen_dialogue(
            campaign=campaign, tester=tester, entry=campaign.entries.get(), scenario=campaign.scenarios.get(),
            at=timezone.now(),
        )  # fmt: skip
    only = (campaign.slug, campaign.scenarios.get().key, campaign.entries.get().alias)
    with django_assert_num_queries(6):
        rows = [row.assignment for row in assignment_rows(tester, campaign, at=timezone.now())]
        assert [(one.campaign.slug, one.scenario.key, one.entry.alias) for one in rows] == [only] * 4
    assert len({id(one.scenario) for one in rows}) == 1, "a scenario is read once, however often it is assigned"
    told = assignment_rows(tester, campaign, at=timezone.now())
    with django_assert_num_queries(3):
        places = assignment_places(tester, campaign, at=timezone.now())
        assert [(one.number, one.state, one.assignment) for one in places] == [
            (one.number, one.state, one.assignment) for one in told
        ]
