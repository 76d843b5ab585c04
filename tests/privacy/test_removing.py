"""A campaign is deleted as a whole or not at all, and archived into a file that verifies."""

import io
import itertools
import json
from datetime import timedelta
from functools import partial
from zipfile import ZipFile

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import models
from django.utils import timezone

from accounts.models import Person
from audit.actions import record
from audit.models import TrailLine
from automatic_tasks.models import Run, StoredFile
from campaigns.models import Campaign
from dialogues.models import Dialogue, Turn
from judging.actions.judgements import store_report
from judging.workbench import report_of
from language_models.actions.calls import begin_call
from language_models.actions.runs import begin_run
from language_models.models import Purpose
from language_models.prompts import Most
from participants.models import Bot, Team
from privacy.actions.archiving import ABOUT, BUNDLE, PACKAGES, TRAIL, BadArchive, archive_campaign, read_back
from privacy.actions.removing import (
    CannotRemove,
    delete_campaign,
    in_order_of_removal,
    preview_deletion,
    rows_of,
    ways_to_campaign,
)
from privacy.actions.talks import erase_talk
from privacy.trail_acts import CAMPAIGN_ARCHIVED
from publication.models import Snapshot
from registration.models import DataPackage, PackageContent
from reviews.models import Review
from serving.processes import ProcessName
from serving.stored_files import FilesOnDisk, StorageGone, remove_files
from tests.judging.conftest import NOON, Script, judged, seated
from tests.privacy.conftest import MARK, damage, rows_that_hold, trail_breaks
from tests.publishing import path_of, publish_now, snapshot_of
from tests.reviews.conftest import closed_dialogues, panel
from tests.world import client_of, waiting_run
from verification.verifying import verify

pytestmark = pytest.mark.django_db


@pytest.fixture
def full(marked, campaign):
    """A campaign with rows in most tables: talks, reviews, a run with its task, a package, a snapshot with its bundle."""
    run = waiting_run(campaign)
    Run.objects.filter(pk=run.pk).update(state="failed")
    DataPackage.objects.update(sha256="3a6eb0790f39ac87c94f3856b2dd2c5d110e6811602261a9a923d3bb23adc8b7")
    snapshot_of(campaign, has_bundle=True)
    return campaign


def delete(campaign, typed="small"):
    return delete_campaign(campaign=campaign, typed=typed, by=None, at=timezone.now())


def test_every_model_that_belongs_to_campaigns_is_found():
    """A model with a way to a campaign that is not found here would keep its rows, or the database would refuse."""
    ways = ways_to_campaign()
    named = {model._meta.label for model in ways}
    assert named >= {
        "dialogues.Attempt", "dialogues.BotState", "reviews.ReviewChange", "publication.Publication", "automatic_tasks.Comparison",
        "registration.PackageContent", "registration.TeamRequest_declined_by", "conformance.Fingerprint", "campaigns.Subtask",
    }  # fmt: skip
    assert not named & {"accounts.Person", "participants.Team", "rubrics.Rubric", "audit.TrailLine"}
    order = in_order_of_removal(ways)
    for model in order:
        for field in model._meta.concrete_fields:
            if (
                isinstance(field, models.ForeignKey)
                and field.related_model in ways
                and field.related_model is not model
            ):
                assert order.index(model) < order.index(field.related_model), (model, field)


def test_the_list_counts_what_goes_and_changes_nothing(full):
    before = {model: model._base_manager.count() for model in apps.get_models()}
    listed = preview_deletion(campaign=full)
    assert listed.rows["dialogues.Turn"] == Turn.objects.count()
    assert listed.rows["publication.Snapshot"] == 1
    assert listed.bundles
    assert {model: model._base_manager.count() for model in apps.get_models()} == before


def test_nothing_of_the_campaign_is_left(full, campaign):
    bundle = path_of(Snapshot.objects.get().bundle_digest)
    people = Person.objects.count()
    gone = delete(full)
    assert gone.n_rows > 50
    for model, ways in ways_to_campaign().items():
        assert not rows_of(campaign, model, ways).exists(), model
    assert not any(model.objects.exists() for model in (Campaign, Dialogue, Run, Bot, Team, StoredFile))
    assert not bundle.exists()
    assert set(rows_that_hold(MARK)) <= {"audit_trailline"}
    assert Person.objects.count() == people
    assert TrailLine.objects.latest("number").act == "privacy.campaign_deleted"
    assert damage() == {}
    assert trail_breaks() == []


@pytest.mark.django_db(transaction=True)
def test_judges_their_scores_and_their_models_go_too(campaign, tester):
    panel(campaign)
    closed_dialogues(campaign, tester, 2)
    judge = seated(campaign)
    judged(judge, Script())
    store_report(judge=judge, content=report_of(judge, epsilon=0.2), at=NOON)
    begin_call(endpoint=judge.endpoint, purpose="judge", digest="0", most=Most(1, 1), at=NOON)
    begin_run(campaign=campaign, purpose=Purpose.JUDGE, asks_for="scribe", process=ProcessName(), at=NOON)
    listed = preview_deletion(campaign=campaign).rows
    own = [model for room in ("judging", "language_models") for model in apps.get_app_config(room).get_models()]
    assert {model._meta.label for model in own} <= listed.keys()
    assert (listed["judging.JudgeReview"], listed["reviews.Review"]) == (2, 2)
    delete(campaign)
    assert not any(model.objects.exists() for model in (*own, Review))
    # The account stays, as those of people do, and nothing is left that it could open.
    assert judge.account.campaign_roles.count() == 0
    assert damage() == {}


def test_another_campaign_keeps_what_is_its_own(full, campaign):
    other = Campaign.objects.create(slug="other", name_zh="x", name_en="x", preset="smp2018", rubric=campaign.rubric)
    team = Team.objects.get(name="Team Alpha")
    other.known_teams.create(team=team, name="Team Alpha", is_owner=False)
    bot = campaign.entries.order_by("pk").first().bot
    other.entries.create(bot=bot, key="k", alias="A1")
    delete(full)
    assert (Team.objects.get(), Bot.objects.get()) == (team, bot)
    assert other.entries.count() == 1
    assert damage() == {}


def test_another_name_deletes_nothing(full):
    with pytest.raises(CannotRemove, match="short name, small"):
        delete(full, typed="smal")
    assert Campaign.objects.exists()


def test_what_is_published_is_withdrawn_first(full):
    publish_now(full)
    with pytest.raises(CannotRemove, match="Withdraw it first"):
        delete(full)
    assert Campaign.objects.exists()


def test_it_stays_while_the_storage_of_its_bundles_is_away(full, settings):
    settings.STORAGES = settings.STORAGES | {
        "default": {"BACKEND": "serving.s3_files.S3Files", "OPTIONS": {
            "endpoint_url": "http://127.0.0.1:9", "access_key": "a", "secret_key": "b", "bucket_name": "c", "region_name": "d",
        }},
    }  # fmt: skip
    with pytest.raises(CannotRemove, match="does not answer"):
        delete(full)
    assert Campaign.objects.exists()


def test_a_storage_that_goes_away_meanwhile_keeps_litter_and_nothing_else(full, monkeypatch):
    def refused(*_):
        raise StorageGone("away")

    bundle = path_of(Snapshot.objects.get().bundle_digest)
    monkeypatch.setattr(FilesOnDisk, "remove", refused)
    monkeypatch.setattr(FilesOnDisk, "remove_folder", refused)
    delete(full)
    assert not Campaign.objects.exists()
    assert bundle.exists()


@pytest.mark.parametrize(("error", "left"), [(PermissionError, ["a"]), (StorageGone, ["a", "b", "c"])])
def test_a_file_that_cannot_be_removed_holds_up_no_other(monkeypatch, error, left):
    stored = {"a", "b", "c"}

    def remove(self, name):
        if name == "a":
            raise error
        stored.remove(name)

    monkeypatch.setattr(FilesOnDisk, "remove", remove)
    remove_files(["a", "b", "c"])
    assert sorted(stored) == left


def test_the_command_lists_asks_and_deletes(full, monkeypatch):
    out = io.StringIO()
    call_command("delete_campaign", "small", "--dry-run", "--format", "json", stdout=out)
    assert json.loads(out.getvalue())["rows"]["campaigns.Campaign"] == 1
    monkeypatch.setattr("sys.stdin", io.StringIO("small"))
    with pytest.raises(CommandError, match="Nothing was deleted"):
        call_command("delete_campaign", "small", stdout=out, stderr=io.StringIO())
    call_command("delete_campaign", "small", "--yes", stdout=out, stderr=io.StringIO())
    assert "Deleted:" in out.getvalue()
    assert not Campaign.objects.exists()


@pytest.fixture
def over(full):
    Campaign.objects.update(ends_at=timezone.now() - timedelta(hours=1))
    full.refresh_from_db()
    return full


def archive(campaign, typed="small", after=timedelta(), **named):
    return archive_campaign(campaign=campaign, typed=typed, by=None, at=timezone.now() + after, **named)


def test_an_archive_holds_all_and_verifies_and_the_database_keeps_the_figures(over, tmp_path):
    made = archive(over)
    files = read_back(made.path)
    assert {BUNDLE, TRAIL, "campaign.json"} < set(files)
    assert any(name.startswith(PACKAGES) for name in files)
    with ZipFile(made.path) as zipped:
        told = zipped.read(BUNDLE)
        (tmp_path / "bundle.zip").write_bytes(told)
        assert json.loads(zipped.read(ABOUT))["campaign"] == "small"
        assert zipped.read(next(name for name in files if name.startswith(PACKAGES))) == b"data"
    with ZipFile(tmp_path / "bundle.zip") as bundle:
        assert MARK in bundle.read("turns.jsonl").decode()
    assert verify(tmp_path / "bundle.zip").findings == []
    assert set(rows_that_hold(MARK)) == {"audit_trailline"}
    assert not PackageContent.objects.exists()
    assert damage() == {}
    assert trail_breaks() == []
    line = TrailLine.objects.latest("number")
    assert (line.act, line.details["sha256"]) == ("privacy.campaign_archived", made.sha256)


def test_only_what_is_over_is_archived_once(full):
    with pytest.raises(CannotRemove, match="that is over"):
        archive(full)
    Campaign.objects.update(ends_at=timezone.now() - timedelta(hours=1))
    full.refresh_from_db()
    archive(full)
    full.refresh_from_db()
    with pytest.raises(CannotRemove, match="nothing left"):
        archive(full)


def test_an_archive_that_cannot_be_written_removes_nothing(over, tmp_path):
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(CannotRemove, match="nothing was removed"):
        archive(over, into=tmp_path / "file")
    assert MARK in Turn.objects.first().text
    assert PackageContent.objects.exists()


def test_what_an_interrupted_run_removed_is_in_its_archive(over, tester, organizer, monkeypatch):
    closed_dialogues(over, tester, 1)
    before = over.created_at - timedelta(days=1)
    record(
        CAMPAIGN_ARCHIVED, by=None, at=before, campaign="small", about="small", details={"file": "of a namesake.zip"}
    )
    page = partial(client_of(organizer).get, "/campaigns/small/removal/", headers={"accept-language": "en"})
    assert "of a namesake" not in page().content.decode()
    monkeypatch.setattr("privacy.actions.talks.AT_ONCE", 1)
    n_parts = itertools.count()
    with monkeypatch.context() as patched:
        # It dies in the second part.
        patched.setattr("privacy.actions.retention.erase_talk", lambda some: erase_talk(some) / (1 - next(n_parts)))
        with pytest.raises(ZeroDivisionError):
            archive(over)
    first = TrailLine.objects.latest("number")
    over.refresh_from_db()
    assert (first.act, over.texts_gone_at) == ("privacy.campaign_archived", None)
    assert "Archive again to finish it" in " ".join(page().content.decode().split())
    made = archive(over, after=timedelta(minutes=1))
    assert made.earlier == [first.details["file"]]
    assert made.path.name not in made.earlier
    told = [ZipFile(made.path.with_name(name)).read(BUNDLE) for name in (*made.earlier, made.path.name)]
    said = [ZipFile(io.BytesIO(one)).read("turns.jsonl") for one in told]
    assert said[0] != said[1]
    assert MARK in b"".join(said).decode()
    assert TrailLine.objects.latest("number").details["earlier"] == made.earlier
    told = page().content.decode()
    assert "Archive again" not in told
    assert "Keep the files of interrupted runs" in told
    assert first.details["file"] in told


@pytest.mark.parametrize("damage", [lambda data: data[:-40], lambda data: data.replace(b"campaign", b"campaigN", 1)])
def test_a_damaged_archive_is_refused(over, damage):
    made = archive(over)
    made.path.write_bytes(damage(made.path.read_bytes()))
    with pytest.raises(BadArchive):
        read_back(made.path)


def test_the_command_archives(over, tmp_path):
    out = io.StringIO()
    call_command(
        "archive_campaign",
        "small",
        "--into",
        str(tmp_path / "to"),
        "--yes",
        "--format",
        "json",
        stdout=out,
        stderr=io.StringIO(),
    )
    told = json.loads(out.getvalue())
    assert told["is_archived"]
    assert read_back(tmp_path / "to" / told["file"].rpartition("/")[2])
