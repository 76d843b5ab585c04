"""Where a tester's assignments stand, and which comes next."""

import pytest
from django.utils import timezone

from testing_console.models import Dialogue
from testing_console.progress import BEGUN, DONE, TO_DO, TO_SCORE, AssignmentRow, assignment_rows, next_row


def row(state: str) -> AssignmentRow:
    made = {
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


def test_when_all_is_done_nothing_is_next():
    assert next_row([row(DONE)]) is None
    assert next_row([]) is None


@pytest.mark.django_db
def test_a_void_dialogue_puts_its_assignment_back_to_be_done(dialogue, tester):
    assert [row.state for row in assignment_rows(tester)] == [BEGUN]
    Dialogue.objects.update(status="void", closed_at=timezone.now())
    assert [row.state for row in assignment_rows(tester)] == [TO_DO]


@pytest.mark.django_db
def test_assignments_of_a_campaign_where_one_is_no_tester_any_more_are_not_listed(dialogue, tester):
    tester.campaign_roles.all().delete()
    assert assignment_rows(tester) == []


@pytest.mark.django_db
def test_the_number_of_queries_does_not_grow_with_the_assignments(
    campaign, dialogue, tester, django_assert_num_queries
):
    from testing_console.actions import open_chosen_dialogue

    for _ in range(3):
        open_chosen_dialogue(
            campaign=campaign, tester=tester, entry=campaign.entries.get(), scenario=campaign.scenarios.get(),
            at=timezone.now(),
        )  # fmt: skip
    with django_assert_num_queries(2):
        assert len(assignment_rows(tester, campaign)) == 4
