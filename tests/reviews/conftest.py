"""A closed dialogue to be scored, and scores for it."""

from datetime import UTC, datetime

import pytest

from reviews.actions import submit_review
from testing_console.models import Dialogue
from tests.testing_console.test_actions import Talk

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
