"""What was frozen never changes: neither through the models nor in the database; a publication only by being withdrawn."""

import hashlib
from datetime import timedelta

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.utils import timezone

from campaigns.models import Campaign
from publication.models import NeverChanges, Publication, Snapshot

pytestmark = pytest.mark.django_db
BOARD = '{"rows":[]}'


@pytest.fixture
def snapshot(campaign, organizer):
    return campaign.snapshots.create(
        number=1, made_at=timezone.now(), made_by=organizer, hides_teams=False, board=BOARD,
        digest=hashlib.sha256(BOARD.encode()).hexdigest(),
    )  # fmt: skip


@pytest.fixture
def publication(snapshot, organizer):
    now = timezone.now()
    return snapshot.publications.create(public_from=now, published_at=now, published_by=organizer)


def refused(sql):
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql)


@pytest.mark.parametrize(
    "change",
    [
        lambda one: one.save(),
        lambda one: one.delete(),
        lambda one: Snapshot.objects.update(board="{}"),
        lambda one: Snapshot.objects.filter(pk=one.pk).delete(),
        lambda one: Snapshot.objects.bulk_update([one], ["board"]),
    ],
    ids=["save", "delete", "update", "delete several", "update several"],
)
def test_a_snapshot_is_neither_changed_nor_deleted(snapshot, change):
    snapshot.board = "{}"
    with pytest.raises(NeverChanges):
        change(snapshot)
    assert Snapshot.objects.get().board == BOARD


def test_the_database_itself_refuses_to_change_a_snapshot(snapshot):
    refused("UPDATE publication_snapshot SET board = '{}'")
    refused("UPDATE publication_snapshot SET digest = ''")
    assert Snapshot.objects.get().is_intact


def test_a_snapshot_says_whether_its_text_has_its_digest(snapshot):
    assert snapshot.is_intact
    snapshot.board += " "
    assert not snapshot.is_intact


def test_a_publication_is_withdrawn_once_and_changes_no_other_way(publication, organizer):
    refused("UPDATE publication_publication SET public_from = '2000-01-01 00:00:00'")
    refused("UPDATE publication_publication SET published_by_id = NULL, withdrawn_at = published_at")
    Publication.objects.update(withdrawn_at=timezone.now(), withdrawn_by=organizer, withdrawn_because="a wrong rule")
    refused("UPDATE publication_publication SET withdrawn_because = 'another reason'")
    refused("UPDATE publication_publication SET withdrawn_at = NULL, withdrawn_because = ''")


def test_a_withdrawal_has_a_reason(publication):
    with pytest.raises(DatabaseError), transaction.atomic():
        Publication.objects.update(withdrawn_at=timezone.now())


def test_a_snapshot_is_published_once_at_a_time(publication, snapshot, organizer):
    now = timezone.now()
    with pytest.raises(IntegrityError), transaction.atomic():
        snapshot.publications.create(public_from=now, published_at=now)
    Publication.objects.update(withdrawn_at=now, withdrawn_by=organizer, withdrawn_because="a wrong rule")
    assert snapshot.publications.create(public_from=now, published_at=now)


def test_a_publication_is_public_from_its_day_until_it_is_withdrawn(publication):
    before = publication.public_from - timedelta(seconds=1)
    assert list(Publication.objects.public(before)) == []
    assert list(Publication.objects.public(publication.public_from)) == [publication]
    assert list(Publication.objects.waiting(before)) == [publication]
    assert list(Publication.objects.waiting(publication.public_from)) == []
    Publication.objects.update(withdrawn_at=publication.public_from, withdrawn_because="a wrong rule")
    assert list(Publication.objects.public(publication.public_from)) == []


def test_a_campaign_that_moves_its_day_behind_a_publication_has_it_wait_for_that_day(publication, campaign):
    at, day = publication.public_from, publication.public_from + timedelta(days=1)
    Campaign.objects.filter(pk=campaign.pk).update(publication_at=day)
    assert list(Publication.objects.public(at)) == []
    assert list(Publication.objects.waiting(at)) == [publication]
    assert list(Publication.objects.public(day)) == [publication]
    assert Publication.objects.get().opens_at == day
    Campaign.objects.filter(pk=campaign.pk).update(publication_at=at - timedelta(days=1))
    assert Publication.objects.get().opens_at == at
