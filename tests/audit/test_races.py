"""People who act at the same moment, each in a thread with a connection of its own."""

from datetime import UTC, datetime
from functools import partial

import pytest
from django.db import transaction

from audit.actions import record
from audit.chain import breaks_in
from audit.models import TrailHead, TrailLine, stored_lines
from audit.trail_acts import trail_act
from tests.dialogues.test_races import at_once

pytestmark = pytest.mark.django_db(transaction=True)

AT = datetime(2026, 11, 22, 8, 0, tzinfo=UTC)
DONE = trail_act("test.done_at_once", "did %(about)s")
N_PEOPLE, N_ACTS = 20, 5


def act_again_and_again(number):
    for turn in range(N_ACTS):
        with transaction.atomic():
            record(DONE, by=None, at=AT, about=f"{number}.{turn}")


def test_of_many_acts_at_once_none_is_lost_and_the_chain_holds():
    """The first of them makes the head."""
    assert not TrailHead.objects.exists()
    failed = [one for one in at_once(*(partial(act_again_and_again, number) for number in range(N_PEOPLE))) if one]
    assert failed == []
    head, n = TrailHead.objects.get(), N_PEOPLE * N_ACTS
    assert list(TrailLine.objects.in_order().values_list("number", flat=True)) == list(range(1, n + 1))
    assert list(breaks_in(stored_lines(up_to=n), n_lines=head.n_lines, head=head.hash)) == []
    assert len(set(TrailLine.objects.values_list("about", flat=True))) == n
