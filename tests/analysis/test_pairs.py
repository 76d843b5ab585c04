"""The frame of votes on pairs: a row per vote of the bundle, and an empty one where nobody compared two systems."""

import io
from datetime import UTC, datetime

import pytest

from analysis import frames
from pairs.actions.importing import import_battles
from pairs.board.battle_files import read_battles
from publication.bundle import bundle_pieces
from tests.pairs.test_importing import JSONL

pytestmark = pytest.mark.django_db
AT = datetime(2026, 5, 1, 8, tzinfo=UTC)


def read(campaign, folder):
    out = io.BytesIO()
    out.writelines(bundle_pieces(campaign, hides_teams=False, at=AT))
    path = folder / "bundle.zip"
    path.write_bytes(out.getvalue())
    return frames(path).pairs


def test_votes_are_rows_with_missing_texts_where_they_were_imported(campaign, organizer, tmp_path):
    assert len(read(campaign, tmp_path)) == 0
    battles = read_battles("a.jsonl", JSONL.encode(), "people")
    import_battles(campaign=campaign, battles=battles, by=organizer, at=AT)
    found = read(campaign, tmp_path)
    assert sorted(found["verdict"]) == ["both_bad", "left", "left", "tie"]
    assert found["left_characters"].isna().all()
    assert found["judge"].nunique() == 3
    assert set(found["external_id"]) == {"1", "2", "3"}
