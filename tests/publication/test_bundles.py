"""Bundles lie on the disk under their digest, whole or not at all."""

import hashlib
import re
import stat

import pytest
from django.utils import timezone

from campaigns.actions import note_publication
from publication import bundles
from publication import bundles as module
from publication.bundles import BYTES_AT_ONCE, discard_bundle, is_intact, pieces_of, store_bundle
from publication.models import Snapshot
from tests.publishing import DIGEST, path_of, publish_now, snapshot_of

CONTENT = b"PK" + b"x" * BYTES_AT_ONCE


def gives(content, error=None):
    def pieces(campaign, *, hides_teams, at, statistics_of, combined, report_progress):
        yield content
        if error is not None:
            raise error

    return pieces


def test_a_bundle_lies_under_its_digest_and_is_read_in_pieces(bundles, monkeypatch):
    monkeypatch.setattr(module, "bundle_pieces", gives(CONTENT))
    stored = store_bundle(None, hides_teams=True, at=timezone.now())
    assert stored.digest == hashlib.sha256(CONTENT).hexdigest()
    assert stored.n_bytes == len(CONTENT)
    assert [path.name for path in bundles.iterdir()] == [f"{stored.digest}.zip"]
    assert list(map(len, pieces_of(stored.digest))) == [BYTES_AT_ONCE, 2]
    discard_bundle(stored.digest)
    discard_bundle(stored.digest)
    assert not path_of(stored.digest).exists()


def test_half_a_bundle_is_left_nowhere(bundles, monkeypatch):
    monkeypatch.setattr(module, "bundle_pieces", gives(CONTENT, OSError(28, "No space left on device")))
    with pytest.raises(OSError, match="No space"):
        store_bundle(None, hides_teams=True, at=timezone.now())
    assert list(bundles.iterdir()) == []


def test_what_could_not_be_written_is_closed_before_anybody_notes_the_failure(bundles, monkeypatch):
    closed = []

    def pieces(campaign, **named):
        try:
            yield "no bytes"
        finally:
            closed.append(True)

    monkeypatch.setattr(module, "bundle_pieces", pieces)
    with pytest.raises(TypeError) as failure:
        store_bundle(None, hides_teams=True, at=timezone.now())
    # The traceback still holds the frame.
    assert failure.tb is not None
    assert closed == [True]


def test_a_bundle_is_for_the_server_alone_to_read(bundles, monkeypatch):
    monkeypatch.setattr(module, "bundle_pieces", gives(CONTENT))
    stored = store_bundle(None, hides_teams=False, at=timezone.now())
    assert stat.S_IMODE(path_of(stored.digest).stat().st_mode) == 0o600


BOARD = "/campaigns/small/leaderboard/"
ENGLISH = {"accept-language": "en"}
WARNING = "no longer has the digest that it was frozen with"


@pytest.fixture(autouse=True)
def nothing_known():
    bundles._digest_at.cache_clear()


def text_of(answer):
    return re.sub(r"\s+", " ", answer.content.decode())


def shown(client, path):
    return text_of(client.get(path, headers=ENGLISH))


def all_pages(client, organizer):
    """Every page that prints the digest of a snapshot."""
    found = [shown(client, BOARD), shown(client, f"{BOARD}1/")]
    client.force_login(organizer)
    return [*found, shown(client, "/campaigns/small/publication/1/"), shown(client, "/campaigns/small/publication/")]


def test_pages_of_an_intact_board_warn_of_nothing(scored, client, organizer):
    publish_now(scored, has_bundle=True)
    for page in all_pages(client, organizer):
        assert DIGEST in page
        assert WARNING not in page
        assert "changed since" not in page


def damaged_bundle(campaign):
    publish_now(campaign, has_bundle=True)
    path_of(DIGEST).write_bytes(b"y")


def lost_bundle(campaign):
    publish_now(campaign, has_bundle=True)
    path_of(DIGEST).unlink()


def damaged_text(campaign):
    """The triggers refuse a change of a stored row: one that somebody made who owns the database."""
    right, at = snapshot_of(campaign), timezone.now()
    number = right.number + 1
    snapshot = Snapshot(
        campaign=campaign, number=number, made_at=at, hides_teams=False, board=right.board + " ", digest=right.digest
    )
    snapshot.save()
    snapshot.publications.create(public_from=at, published_at=at)
    note_publication(campaign=campaign, is_public=True)


@pytest.mark.parametrize("damage", [damaged_bundle, lost_bundle])
def test_every_page_that_prints_the_digest_of_a_bundle_says_that_it_was_changed_or_is_gone(
    damage, scored, client, organizer
):
    damage(scored)
    *pages, listed = all_pages(client, organizer)
    assert all(WARNING in page for page in pages)
    assert "changed since" in listed


def test_a_stored_text_that_is_not_what_was_frozen_is_told_as_well(scored, client, organizer):
    damaged_text(scored)
    assert WARNING in shown(client, BOARD)
    assert not client.get("/api/v1/campaigns/small/leaderboard/").json()["snapshot"]["is_intact"]
    client.force_login(organizer)
    assert WARNING in shown(client, "/campaigns/small/publication/2/")
    assert shown(client, "/campaigns/small/publication/").count("changed since") == 1


def test_programs_are_told_too_and_which_digest_is_cited(scored, client, organizer):
    snapshot = publish_now(scored, has_bundle=True)
    told = client.get("/api/v1/campaigns/small/leaderboard/").json()["snapshot"]
    assert (told["sha256"], told["bundle_sha256"], told["is_intact"]) == (snapshot.digest, DIGEST, True)
    client.force_login(organizer)
    one = client.get("/api/v1/campaigns/small/publication/1/").json()
    assert (one["bundle_sha256"], one["is_intact"], one["has_bundle"]) == (DIGEST, True, True)
    path_of(DIGEST).write_bytes(b"y")
    assert not client.get("/api/v1/campaigns/small/publication/1/").json()["is_intact"]


def test_a_bundle_is_hashed_once_and_a_large_one_never(scored, settings, tmp_path, monkeypatch):
    publish_now(scored, has_bundle=True)
    hashed = []
    digest_of = bundles.digest_stored
    monkeypatch.setattr(bundles, "digest_stored", lambda digest: hashed.append(digest) or digest_of(digest))
    assert is_intact(DIGEST, 1)
    assert is_intact(DIGEST, 1)
    assert len(hashed) == 1
    assert not is_intact(DIGEST, 2)
    monkeypatch.setattr(bundles, "HASHED_UP_TO_BYTES", 0)
    path_of(DIGEST).write_bytes(b"z")
    assert is_intact(DIGEST, 1)
    assert len(hashed) == 1


def test_the_page_cites_the_digest_that_the_verifier_asks_for_and_says_of_which_version_it_is(scored, client):
    snapshot = publish_now(scored, has_bundle=True)
    page = shown(client, BOARD)
    assert f"(SHA-256 {DIGEST})" in page
    assert f". SHA-256 {DIGEST}}}" in page
    assert f"--digest {DIGEST}" in page
    assert page.count(snapshot.digest) == 1
    # One byte is no bundle of any version.
    assert "The bundle was written by Huace" not in page


def test_a_board_without_a_bundle_is_cited_by_its_json(scored, client):
    snapshot = publish_now(scored)
    page = shown(client, BOARD)
    assert f"(SHA-256 {snapshot.digest})" in page
    assert "leaderboard.json | sha256sum" in page
