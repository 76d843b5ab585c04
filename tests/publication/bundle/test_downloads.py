"""Bundles by command and from the organizer's page."""

import io
import threading

import pytest
from django.core.management import call_command
from django.db import connections
from django.utils import timezone

from audit.models import TrailLine
from dialogues.actions import open_chosen_dialogue
from publication.bundle import bundle_pieces
from tests.verification.tampering import files_of
from verification.verifying import verify


def test_the_command_writes_a_bundle_and_says_its_digest(campaign, dialogue, tmp_path):
    out, said = tmp_path / "b.zip", io.StringIO()
    call_command("export", "small", "--what", "bundle", "--out", str(out), stderr=said)
    report = verify(out)
    assert report.is_verified
    assert f"Bundle written to {out}. SHA-256: {report.digest}" in said.getvalue()
    assert "Team Alpha" in files_of(out.read_bytes())["entries.jsonl"].decode()
    call_command("export", "small", "--what", "bundle", "--aliases", "--out", str(out), stderr=said)
    assert verify(out).manifest["names"] == "aliases"
    assert "Alpha" not in files_of(out.read_bytes())["entries.jsonl"].decode()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("what", ["bundle", "bundle-aliases"])
def test_an_organizer_downloads_a_bundle_that_is_verified(
    campaign, dialogue, organizer, outsider, client, tmp_path, what
):
    """The bundle is read in a thread of its own, which sees what is committed alone."""
    client.force_login(organizer)
    assert f"/campaigns/small/export/{what}.zip" in client.get("/campaigns/small/organize/").content.decode()
    answer = client.get(f"/campaigns/small/export/{what}.zip")
    assert answer.headers["Content-Type"] == "application/zip"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="small-{what}.zip"'
    (tmp_path / "b.zip").write_bytes(b"".join(answer))
    assert verify(tmp_path / "b.zip").is_verified
    assert client.get(f"/campaigns/small/export/{what}.csv").status_code == 404
    client.force_login(outsider)
    assert client.get(f"/campaigns/small/export/{what}.zip").status_code == 404


@pytest.mark.django_db(transaction=True)
def test_a_bundle_is_of_one_moment_whatever_is_written_meanwhile(campaign, dialogue, tester, tmp_path):
    """Another dialogue is opened between two files; nobody waits for the bundle."""

    def open_another():
        entry, scenario = campaign.entries.get(), campaign.scenarios.get()
        open_chosen_dialogue(campaign=campaign, tester=tester, entry=entry, scenario=scenario, at=timezone.now())
        connections.close_all()

    pieces = bundle_pieces(campaign, hides_teams=False, at=timezone.now())
    read = [next(pieces)]
    another = threading.Thread(target=open_another)
    another.start()
    another.join(10)
    assert not another.is_alive()
    read += pieces
    (tmp_path / "b.zip").write_bytes(b"".join(read))
    report = verify(tmp_path / "b.zip")
    assert report.is_verified
    assert report.counts["dialogues.jsonl"] == 1
    assert campaign.assignments.count() == 2


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("what", "names_team"), [("bundle", True), ("bundle-aliases", False)])
def test_a_program_downloads_the_same_bundle_over_the_api(
    campaign, dialogue, organizer, client, tmp_path, what, names_team
):
    client.force_login(organizer)
    answer = client.get(f"/api/v1/campaigns/small/exports/{what}.zip", headers={"accept": "application/json"})
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/zip")
    content = b"".join(answer)
    (tmp_path / "b.zip").write_bytes(content)
    assert verify(tmp_path / "b.zip").is_verified
    assert ("Team Alpha" in files_of(content)["entries.jsonl"].decode()) == names_team
    line = TrailLine.objects.order_by("number").last()
    assert (line.act, line.person, line.details["format"]) == ("export.made", "organizer", "zip")


@pytest.mark.django_db
def test_bundles_over_the_api_are_for_organizers_and_come_as_zip_alone(campaign, organizer, participant, client):
    client.force_login(organizer)
    assert client.get("/api/v1/campaigns/small/exports/bundle.csv").status_code == 404
    client.force_login(participant)
    assert client.get("/api/v1/campaigns/small/exports/bundle.zip").status_code == 404
