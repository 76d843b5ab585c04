"""How many things wait, and since when the first does."""

from datetime import timedelta

import pytest
from django.utils import timezone

from dialogues.models import Problem
from organizing.wall.needs import NOTHING, Waiting
from organizing.wall.needs_reading import first_of

NOW = timezone.now()


@pytest.mark.django_db
def test_the_first_of_the_rows_says_since_when(dialogue, tester):
    assert first_of(Problem.objects.all(), "at") == NOTHING
    for hours in (1, 3, 2):
        Problem.objects.create(dialogue=dialogue, reported_by=tester, text="x", at=NOW - timedelta(hours=hours))
    assert first_of(Problem.objects.all(), "at") == Waiting(3, NOW - timedelta(hours=3))
