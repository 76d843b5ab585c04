from datetime import UTC, datetime

import pytest
from django.db import transaction

from audit.actions import record
from audit.chain import START
from audit.models import TrailHead, TrailLine
from audit.trail_acts import trail_act

AT = datetime(2026, 11, 22, 8, 0, tzinfo=UTC)
TRIED = trail_act("test.tried", "tried %(about)s")


@pytest.mark.django_db
def test_a_line_says_who_did_what_to_what_and_why(organizer):
    record(TRIED, by=organizer, at=AT, campaign="small", about="K7", because="slow", details={"n": 1})
    line = TrailLine.objects.of_campaign("small").latest_first().first()
    assert (line.person, line.person_id, line.sentence, line.because) == ("organizer", organizer.pk, "tried K7", "slow")
    assert line.details == {"n": 1}


@pytest.mark.django_db
def test_each_line_follows_the_one_before():
    first, second = (record(TRIED, by=None, at=AT) for _ in range(2))
    head = TrailHead.objects.get()
    assert second.number == first.number + 1
    assert second.previous == first.hash
    assert (head.n_lines, head.hash) == (second.number, second.hash)


@pytest.mark.django_db
def test_the_first_line_follows_the_start():
    TrailHead.objects.all().delete()
    assert record(TRIED, by=None, at=AT).previous == START


@pytest.mark.django_db(transaction=True)
def test_what_is_not_stored_leaves_no_line():
    with transaction.atomic():
        record(TRIED, by=None, at=AT)
        transaction.set_rollback(True)
    assert not TrailLine.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_an_act_outside_of_a_transaction_is_refused():
    with pytest.raises(transaction.TransactionManagementError, match=r"test\.tried"):
        record(TRIED, by=None, at=AT)
