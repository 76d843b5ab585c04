"""Two machines with a folder each, on one database and one storage: what one freezes, the other hands out."""

import hashlib
import urllib.request

import pytest

from tests.live.server import ROOT, Live
from tests.operating.test_storage import free_port, s3_url, server
from tests.waiting import until

pytestmark = [pytest.mark.server]
SMP2018 = ROOT / "examples" / "published" / "smp2018"
FROZEN = """
from datetime import timedelta
from django.utils import timezone
from campaigns.models import Campaign
from leaderboards.actions import refresh_leaderboard
from publication.actions.freezing import freeze
from publication.actions.publishing import publish
campaign, at = Campaign.objects.get(slug="published"), timezone.now()
refresh_leaderboard(campaign=campaign, at=at)
snapshot = freeze(campaign=campaign, hides_teams=False, by=None, at=at)
publish(snapshot=snapshot, public_from=at, by=None, at=at)
print(snapshot.bundle_digest)
"""


ORDERED = """
from django.utils import timezone
from accounts.models import Person
from campaigns.models import Campaign, CampaignRole
from leaderboards.actions import refresh_leaderboard
from publication.actions.ordering import order_freeze
campaign, at = Campaign.objects.get(slug="published"), timezone.now()
refresh_leaderboard(campaign=campaign, at=at)
person = Person.objects.create_user("publisher")
CampaignRole.objects.create(campaign=campaign, person=person, role="organizer")
order_freeze(campaign=campaign, hides_teams=False, by=person, at=at)
"""
ORDER = "SELECT failure FROM publication_freezeorder WHERE asked_by_id IS NOT NULL"


def test_a_bundle_frozen_on_one_machine_downloads_from_the_other(tmp_path):
    port = free_port()
    with server(tmp_path / "s3", port):
        one = machine(tmp_path / "one", port, None)
        one.manage("load_campaign", str(SMP2018 / "campaign.toml"))
        one.manage("import_records", str(SMP2018 / "records.jsonl"), "--campaign", "published")
        digest = one.manage("shell", "-v0", "-c", FROZEN).split()[-1]
        other = machine(tmp_path / "other", port, one.database)
        other.start()
        try:
            path = "/campaigns/published/leaderboard/1/bundle.zip"
            with urllib.request.urlopen(other.base + path, timeout=60) as answer:
                content = answer.read()
        finally:
            other.stop()
    assert hashlib.sha256(content).hexdigest() == digest
    for made in (one, other):
        assert not (made.folder / "var" / "bundles").exists()


def test_a_freeze_waits_for_a_storage_that_is_away(tmp_path):
    port = free_port()
    made = machine(tmp_path / "one", port, None)
    made.manage("load_campaign", str(SMP2018 / "campaign.toml"))
    made.manage("import_records", str(SMP2018 / "records.jsonl"), "--campaign", "published")
    made.manage("shell", "-v0", "-c", ORDERED)
    made.start()
    try:
        until(lambda: made.rows(ORDER + " AND next_at > asked_at AND began_at IS NULL"))
        assert made.rows(ORDER) == [("",)]
        with server(tmp_path / "s3", port):
            until(lambda: made.rows("SELECT 1 FROM publication_snapshot"))
            assert len(list((tmp_path / "s3").rglob("*.zip"))) == 1
    finally:
        made.stop()


def machine(folder, port, database):
    folder.mkdir()
    made = Live(folder, "http://127.0.0.1:9/", database=database)
    made.environment = {
        "HUACE_HOME": str(folder / "var"),
        "HUACE_SECRET_KEY": "the-same-on-each-machine",
        "HUACE_STORAGE_URL": s3_url(port),
    }
    made.set_up()
    return made
