"""A program learns beforehand what another cost of failures would move, and afterwards what it moved."""

import pytest
from django.utils import timezone

from leaderboards.actions import compute_asked_previews, refresh_outdated_leaderboards
from tests.leaderboards.diagnostics.test_fault_previews import organizers, played
from tests.leaderboards.test_live_sums import cast

__all__ = ["cast", "organizers", "played"]
pytestmark = pytest.mark.django_db
FAULTS = "/api/v1/campaigns/{}/faults/"
CHARGED = {"broken_dialogues": "counted", "failed_turns": "charged"}


def test_a_preview_is_asked_for_computed_and_read(played, cast, organizers):
    place = FAULTS.format(played.slug) + "preview/"
    nothing = organizers.get(place, CHARGED).json()
    assert (nothing["is_asked"], nothing["is_in_force"], nothing["moved"]) == (False, False, None)
    asked = organizers.post(place, CHARGED, content_type="application/json")
    assert (asked.status_code, asked.json()["is_asked"], asked.json()["computed_at"]) == (202, True, None)
    compute_asked_previews(at=timezone.now())
    told = organizers.get(place, CHARGED).json()
    assert (told["policy"], bool(told["computed_at"])) == (CHARGED, True)
    first, second = cast[0][:2]
    assert [(one["bot"], one["rank_before"], one["rank_after"]) for one in told["moved"]] == [
        (second.pk, 2, 1),
        (first.pk, 1, 2),
    ]
    assert told["moved"][1]["figures"] == [{"figure": "mean_turns", "before": 3.0, "after": 5.0}]
    played.refresh_from_db()
    assert played.failed_turns == "free", "asking changes nothing"


def test_after_the_change_the_policy_says_what_it_moved(played, organizers):
    place = FAULTS.format(played.slug)
    assert organizers.get(place).json()["last_change"] is None
    organizers.post(place + "preview/", CHARGED, content_type="application/json")
    compute_asked_previews(at=timezone.now())
    organizers.put(place, CHARGED, content_type="application/json")
    refresh_outdated_leaderboards(at=timezone.now())
    told = organizers.get(place).json()
    assert told["failed_turns"] == "charged"
    assert told["last_change"]["policy_before"] == CHARGED | {"failed_turns": "free"}
    assert told["last_change"]["policy_after"] == CHARGED
    assert [one["rank_after"] for one in told["last_change"]["moved"]] == [1, 2]


def test_what_the_address_leaves_out_is_as_it_is_in_force_and_what_there_is_not_is_refused(played, organizers):
    place = FAULTS.format(played.slug) + "preview/"
    told = organizers.get(place, {"failed_turns": "charged"}).json()
    assert (told["policy"], told["is_in_force"]) == (CHARGED, False)
    assert organizers.get(place).json()["is_in_force"]
    assert organizers.get(place, CHARGED | {"failed_turns": "x"}).status_code == 400
    assert organizers.post(place, {"failed_turns": "x"}, content_type="application/json").status_code == 422
    assert not played.stored_boards.exists()
