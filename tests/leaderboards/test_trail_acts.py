"""What is done about leaderboards, and each file that is taken out of the platform, leaves one line of the trail."""

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from dialogues.fault_policy import FaultPolicy
from leaderboards.actions import change_fault_policy
from publication.actions.freezing import carry_out_orders
from publication.actions.ordering import drop_order, order_freeze
from publication.actions.publishing import publish, withdraw
from publication.models import FreezeOrder
from tests.publication.conftest import add_records, bundles, record, scored, snapshot
from tests.trail import lines_of

__all__ = ["bundles", "scored", "snapshot"]
pytestmark = pytest.mark.django_db


def said(lines):
    return [(line.act, line.person, line.about) for line in lines]


def logged_in(person):
    client = Client()
    client.force_login(person)
    return client


def test_an_order_and_the_freeze_it_leads_to_are_a_line_each(scored, organizer):
    now = timezone.now()
    with lines_of() as lines:
        order_freeze(campaign=scored, hides_teams=True, by=organizer, at=now)
        carry_out_orders(at=now)
    assert said(lines) == [("freeze.ordered", "organizer", ""), ("board.frozen", "organizer", "1")]
    snapshot = scored.snapshots.get()
    assert lines[1].details == {
        "hides_teams": True, "sha256": snapshot.digest, "bundle_sha256": snapshot.bundle_digest,
    }  # fmt: skip


def test_an_order_that_is_taken_back_is_a_line_once(scored, organizer):
    order_freeze(campaign=scored, hides_teams=False, by=organizer, at=timezone.now())
    with lines_of() as lines:
        drop_order(campaign=scored, by=organizer)
        drop_order(campaign=scored, by=organizer)
    assert said(lines) == [("freeze.dropped", "organizer", "")]
    assert not FreezeOrder.objects.exists()


def test_publishing_says_from_when_and_withdrawing_why(snapshot, organizer):
    now = timezone.now()
    with lines_of() as lines:
        publish(snapshot=snapshot, public_from=now, by=organizer, at=now)
        withdraw(snapshot=snapshot, because=" a wrong name ", by=organizer, at=now)
    assert said(lines) == [("board.published", "organizer", "1"), ("board.withdrawn", "organizer", "1")]
    assert lines[0].details == {"number": 1, "public_from": now.isoformat(), "sha256": snapshot.digest}
    assert lines[1].because == "a wrong name"


def test_another_fault_policy_is_one_line_with_what_it_was(campaign, organizer):
    policy = FaultPolicy(failed_turns="charged")
    with lines_of() as lines:
        change_fault_policy(campaign=campaign, policy=policy, at=timezone.now(), by=organizer)
        change_fault_policy(campaign=campaign, policy=policy, at=timezone.now(), by=organizer)
    assert said(lines) == [("faults.changed", "organizer", "")]
    (change,) = lines[0].details["changes"]
    assert change.endswith("→ charged")


def test_imported_records_are_a_line_where_some_are_new(scored):
    with lines_of() as lines:
        add_records(scored, record("Team Beta", 1, True, 2))
        add_records(scored, record("Team Beta", 9, True, 2))
    assert [(line.act, line.details) for line in lines] == [("records.imported", {"n": 1})]


@pytest.mark.parametrize("root", ["/campaigns/small/export/", "/api/v1/campaigns/small/exports/"])
def test_an_export_says_what_and_in_which_format(campaign, organizer, root):
    client = logged_in(organizer)
    with lines_of() as lines:
        assert client.get(f"{root}turns.csv").status_code == 200
        assert client.get(f"{root}nothing.csv").status_code == 404
    assert said(lines) == [("export.made", "organizer", "turns")]
    assert lines[0].details == {"format": "csv"}


def test_an_export_by_command_is_nobodys(campaign, tmp_path):
    with lines_of() as lines:
        call_command("export", "small", what="dialogues", format="jsonl", out=tmp_path / "file")
    assert said(lines) == [("export.made", "", "dialogues")]


def test_only_what_is_not_public_is_an_export_of_a_snapshot(snapshot, organizer):
    address = "/campaigns/small/leaderboard/1/leaderboard.csv"
    client = logged_in(organizer)
    with lines_of() as lines:
        client.get(address)
        client.head(address)
    assert [(line.act, line.details) for line in lines] == [("export.made", {"format": "csv", "snapshot": 1})]
    now = timezone.now()
    publish(snapshot=snapshot, public_from=now, by=organizer, at=now)
    with lines_of() as lines:
        assert Client().get(address).status_code == 200
        client.get(address)
    assert lines == []
