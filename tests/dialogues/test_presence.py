"""Who is there, in which process, and for how long that is believed."""

from datetime import timedelta

import pytest
from django.utils import timezone

from dialogues.actions.reports import note_presence
from dialogues.models import Presence
from dialogues.queries import LOST_AFTER, present_among

pytestmark = pytest.mark.django_db
NOW = timezone.now()
SECOND = timedelta(seconds=1)


def noted(there=(), left=(), process="one", at=NOW):
    note_presence(process=process, there=[one.pk for one in there], left=[one.pk for one in left], at=at)


def present(*people, at=NOW):
    return present_among([one.pk for one in people], at)


def test_who_has_a_console_open_is_there(tester, reviewer):
    noted([tester])
    found = present(tester, reviewer)
    assert (found.online, found.seen_at) == ({"tester"}, {"tester": NOW})


def test_who_closed_it_was_seen_last_then(tester):
    noted([tester])
    noted(left=[tester], at=NOW + 5 * SECOND)
    found = present(tester, at=NOW + 9 * SECOND)
    assert (found.online, found.seen_at) == (frozenset(), {"tester": NOW + 5 * SECOND})
    assert Presence.objects.count() == 1


def test_a_process_that_says_nothing_any_more_holds_nobody(tester):
    noted([tester])
    assert present(tester, at=NOW + LOST_AFTER - SECOND).online == {"tester"}
    assert present(tester, at=NOW + LOST_AFTER).online == frozenset()


def test_who_left_one_process_may_be_in_another(tester):
    noted([tester], process="one")
    noted([tester], process="two")
    noted(left=[tester], process="one", at=NOW + SECOND)
    found = present(tester, at=NOW + 2 * SECOND)
    assert (found.online, found.seen_at) == ({"tester"}, {"tester": NOW + SECOND})


def test_others_are_not_told_of(tester, reviewer):
    noted([tester])
    assert present(reviewer).seen_at == {}
