"""A closed dialogue to be scored, a panel with its people, and scores for it."""

from datetime import UTC, datetime

import pytest

from accounts.models import Person
from campaigns.models import Campaign, Role
from dialogues.models import Dialogue, Turn
from reviews.actions import submit_review
from tests.dialogues.test_actions import Talk

SCORES = {"satisfaction": 2, "fluency": -1, "guidance": 1}
NOON = datetime(2026, 5, 18, 12, tzinfo=UTC)


@pytest.fixture
def closed(dialogue, admission):
    talk = Talk(dialogue, admission)
    talk.turns(2)
    talk.close(1)
    talk.turns(1)
    talk.close(2, is_finished=False)
    return Dialogue.objects.get(pk=dialogue.pk)


def submit(dialogue, reviewer, **changed):
    handed_in = {"ratings": SCORES, "verdicts": {}, "comment": "", "based_on_version": 0, "at": NOON}
    return submit_review(dialogue=dialogue, reviewer=reviewer, **handed_in | changed)


def person(campaign, username, *roles):
    """Somebody with those roles in the campaign."""
    found, _ = Person.objects.get_or_create(username=username)
    for role in roles:
        campaign.roles.get_or_create(person=found, role=role)
    return found


def panel(campaign, size=3, **settings):
    """Makes the campaign one that panels score, with `size` reviewers per dialogue and as many people for it."""
    values = {"reviewed_by": "panel", "counted_reviews": "panel", "reviewers_per_dialogue": size} | settings
    Campaign.objects.filter(pk=campaign.pk).update(**values)
    campaign.refresh_from_db()
    people = [person(campaign, "reviewer", Role.REVIEWER)]
    return people + [person(campaign, f"reviewer-{number}", Role.REVIEWER) for number in range(2, size + 1)]


def closed_dialogue(campaign, tester, *, n_turns=1, closed_at=NOON, repetition=1000, **values):
    """A dialogue that was talked and closed, without the talk."""
    assignment, _ = campaign.assignments.get_or_create(
        tester=tester, entry=campaign.entries.first(), scenario=campaign.scenarios.first(), repetition=repetition,
        defaults={"position": repetition, "is_drawn": False, "started_at": closed_at},
    )  # fmt: skip
    dialogue = Dialogue.objects.create(
        assignment=assignment, tester=tester, turns_used=n_turns, opened_at=closed_at, closed_at=closed_at,
        **{"status": "completed"} | values,
    )  # fmt: skip
    dialogue.subtasks.create(index=1, kind="flight", turn_cap=9, turns_used=n_turns, status="finished")
    for number in range(1, n_turns + 1):
        Turn.objects.create(
            dialogue=dialogue, number=number, subtask=1, spent=number, turn_cap=9, key=str(number), text="你好",
            texts=["好的"], status="answered", seq=2 * number - 1, outcome_seq=2 * number, asked_at=closed_at, owner="x",
        )  # fmt: skip
    return dialogue


def closed_dialogues(campaign, tester, n, first=1000, **values):
    return [closed_dialogue(campaign, tester, repetition=first + number, **values) for number in range(n)]
