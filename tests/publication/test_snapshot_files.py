"""The files of a frozen leaderboard, and which download of them is on record."""

import json

import pytest
from django.http import Http404
from django.utils import timezone

from publication.queries import readable_by
from publication.snapshot_files import BUNDLE, CSV, JSON, snapshot_file
from tests.publishing import publish_now, snapshot_of
from tests.trail import lines_of

pytestmark = pytest.mark.django_db


def taken(found, what, person, *, is_taken=True):
    with lines_of() as lines:
        answer = snapshot_file(found, what, reader=person, at=timezone.now(), is_taken=is_taken)
        content = b"".join(answer)
    return answer, content, [(line.act, line.person) for line in lines]


def test_what_is_not_public_is_taken_on_record(scored, organizer):
    snapshot = snapshot_of(scored, has_bundle=True)
    found = readable_by(organizer, "small", snapshot.number, timezone.now())
    answer, content, lines = taken(found, JSON, organizer)
    assert (content.decode(), lines) == (snapshot.board, [("export.made", "organizer")])
    assert answer.headers["Content-Length"] == str(len(content))
    assert taken(found, JSON, organizer, is_taken=False)[2] == []


def test_what_is_public_leaves_no_line(scored, organizer):
    publish_now(scored, has_bundle=True)
    found = readable_by(organizer, "small", 1, timezone.now())
    answer, content, lines = taken(found, CSV, organizer)
    assert (answer.headers["Content-Type"], lines) == ("text/csv; charset=utf-8", [])
    assert content.decode("utf-8-sig").startswith("rank")
    assert taken(found, BUNDLE, organizer)[1] == b"x"
    assert json.loads(taken(found, JSON, organizer)[1])["number"] == 1


def test_without_a_bundle_there_is_none(scored, organizer):
    publish_now(scored)
    with pytest.raises(Http404):
        taken(readable_by(organizer, "small", 1, timezone.now()), BUNDLE, organizer)
