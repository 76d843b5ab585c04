"""A refusal leaves the rest of a batch alone, also one that knows when it is over (test_group_commit.py has the others)."""

import pytest
from django.contrib.auth.models import Group

from serving.refused import NotYet
from tests.serving.commits.test_group_commit import in_loop, make


def refuse_for_now():
    raise NotYet(7)


@pytest.mark.django_db(transaction=True)
def test_who_comes_too_early_hears_how_long_to_wait_and_the_others_are_committed():
    _, refused, _ = in_loop(make("a"), refuse_for_now, make("b"))
    assert (type(refused), refused.after_s) == (NotYet, 7)
    assert set(Group.objects.values_list("name", flat=True)) == {"a", "b"}
