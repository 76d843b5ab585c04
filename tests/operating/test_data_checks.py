"""Each check says what is wrong with data that somebody damaged, and nothing of data that is sound."""

import hashlib
import json
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from accounts.models import Person
from audit.actions import record
from audit.guards import SQLITE
from automatic_tasks.actions import keep_file
from automatic_tasks.models import StoredFile
from campaigns.models import Entry
from dialogues.actions import open_chosen_dialogue
from dialogues.models import Attempt, Dialogue, LedgerEvent, Turn
from leaderboards.actions import refresh_leaderboard
from leaderboards.models import StoredBoard
from operating.data_checks import CHECKS
from operating.trail_acts import BACKED_UP
from participants.secrets import Sealed, seal
from registration.models import DataPackage
from reviews.actions.contents import line_of
from reviews.models import Rating, Review, ReviewChange
from reviews.trail import digest_of
from tests.dialogues.test_actions import Talk
from tests.publishing import snapshot_of
from tests.reviews.conftest import submit

pytestmark = pytest.mark.django_db


@pytest.fixture
def data(dialogue, admission, tester, campaign, settings, tmp_path):
    """A dialogue with answers, a failure, one that was asked again, and one that was given up; its scores; and files."""
    settings.VAR_DIR = tmp_path
    talk = Talk(dialogue, admission)
    talk.answer(talk.send("k1").asked)
    failed = talk.send("k2").asked
    talk.fail(failed)
    talk.answer(talk.retry(2))
    talk.fail(talk.send("k3").asked)
    talk.end()
    submit(Dialogue.objects.get(), tester)
    campaign.refresh_from_db()
    refresh_leaderboard(campaign=campaign, at=timezone.now())
    snapshot_of(campaign, has_bundle=True)
    keep_file(b"gold")
    package = DataPackage.objects.create(
        campaign=campaign,
        file_name="data.zip",
        size=1,
        sha256=hashlib.sha256(b"x").hexdigest(),
        uploaded_at=timezone.now(),
    )
    package.pieces.create(number=0, content=b"x")
    Entry.objects.update(secret=seal("of the bot"))
    record(BACKED_UP, by=None)
    return Dialogue.objects.get()


def open_another_dialogue(campaign, tester):
    return open_chosen_dialogue(
        campaign=campaign,
        tester=tester,
        entry=campaign.entries.get(),
        scenario=campaign.scenarios.get(),
        at=timezone.now(),
    )


def found():
    """What each check finds, without those that find nothing."""
    at = timezone.now()
    return {name: list(wrong) for name, check in CHECKS.items() if (wrong := list(check(at)))}


def test_sound_data_hold(data):
    assert Turn.objects.filter(status="failed").count() == 1
    assert Attempt.objects.count() > 1
    assert found() == {}


DAMAGE = {
    "turns": lambda: Turn.objects.filter(number=1).update(number=7),
    "ledger": lambda: LedgerEvent.objects.filter(kind="dialogue.closed").delete(),
    "attempts": lambda: Attempt.objects.filter(is_current=True).update(is_current=False),
    "reviews": lambda: Rating.objects.filter(criterion__key="fluency").update(score=1),
    "leaderboards": lambda: StoredBoard.objects.update(rows={}),
    "secrets": lambda: Entry.objects.update(secret=Sealed(seal("x").swapcase())),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_damage_is_found_by_its_check(data, name):
    DAMAGE[name]()
    wrong = found()
    # The figures of the board were made of what was damaged.
    assert wrong.keys() - {"leaderboards"} == {name} - {"leaderboards"}
    assert wrong[name]


def test_sound_data_that_look_odd_raise_no_alarm(data, campaign, tester, admission):
    """A dialogue that closed without a score after the board was computed; a turn that was asked again late."""
    another = open_another_dialogue(campaign, tester)
    talk = Talk(another, admission)
    talk.fail(talk.send("k1").asked)
    talk.end()
    talk = Talk(open_another_dialogue(campaign, tester), admission)
    talk.fail(talk.send("k1").asked)
    Turn.objects.filter(dialogue=talk.id).update(asked_at=timezone.now() - timedelta(minutes=9))
    talk.retry(1)
    assert found() == {}


def test_turns_that_hang_are_found(data):
    last = Turn.objects.filter(number=2)
    last.update(status="waiting")
    assert "its dialogue is closed" in found()["waiting turns"][0].sentence
    Dialogue.objects.update(status="open", closed_at=None)
    assert "waiting turns" not in found()
    last.update(asked_at=timezone.now() - timedelta(minutes=3))
    assert "waiting turns" not in found()
    LedgerEvent.objects.filter(kind="turn.retried").update(at=timezone.now() - timedelta(minutes=4))
    [hanging] = found()["waiting turns"]
    assert (hanging.where, hanging.since) == (f"turn 2 of dialogue {data.pk}", last.get().asked_at)


def test_a_change_of_a_review_that_somebody_rewrote_is_found(data):
    ReviewChange.objects.update(reason="better so")
    assert [wrong.sentence for wrong in found()["reviews"]] == ["change 1 is not what was recorded"]
    ReviewChange.objects.all().delete()
    assert [wrong.sentence for wrong in found()["reviews"]] == ["is of version 1, and has 0 changes"]


def test_a_trail_without_its_guards_is_found(data):
    with connection.cursor() as cursor:
        for name in SQLITE:
            table = name.split("_never")[0]
            on = "" if connection.vendor == "sqlite" else f" ON {table}"
            cursor.execute(f"DROP TRIGGER {name}{on}") if "replace" not in name or not on else None
        cursor.execute("UPDATE audit_trailline SET about = 'x'")
    sentences = [wrong.sentence for wrong in found()["audit trail"]]
    assert "Its content is not what was recorded." in sentences
    assert any("audit_trailline_never_update" in sentence for sentence in sentences)


def test_files_that_changed_are_found(data, tmp_path):
    StoredFile.objects.update(content=b"x")
    DataPackage.objects.get().pieces.update(content=b"y")
    [bundle] = (tmp_path / "bundles").iterdir()
    bundle.unlink()
    assert len(found()["digests"]) == 3


def test_the_command_says_what_it_found_and_since_when(data):
    out = StringIO()
    call_command("check_data", "--format", "json", stdout=out, stderr=StringIO())
    assert not any(json.loads(out.getvalue())["checks"].values())
    Review.objects.update(version=2)
    out = StringIO()
    with pytest.raises(SystemExit):
        call_command("check_data", stdout=out, stderr=StringIO())
    assert (
        f"reviews: 1 found\n  review {Review.objects.get().pk} of dialogue {data.pk}: is of version 2" in out.getvalue()
    )
    assert "(since 2026-05-18 12:00 UTC)" in out.getvalue()


def test_many_reviews_are_read_together(data, django_assert_num_queries):
    review = Review.objects.get()
    content, changes = [*review.ratings.all(), *review.verdicts.all()], list(review.changes.all())
    for reviewer in Person.objects.exclude(pk=review.reviewer_id)[:3]:
        review.pk, review.reviewer = None, reviewer
        review.save()
        for one in content:
            one.pk, one.review = None, review
            one.save()
        for change in changes:
            change.pk, change.review = None, review
            change.digest = digest_of(line_of(change), "")
            change.save()
    # Reviews, changes, verdicts, ratings, criteria, points.
    with django_assert_num_queries(6):
        assert list(CHECKS["reviews"](timezone.now())) == []
    assert Review.objects.count() == 4
