"""manage.py frames SLUG --into FOLDER."""

import io
import sys

import pandas as pd
import pytest
from django.core.management import CommandError, call_command

from analysis import board, frames
from analysis.columns import FRAMES
from audit.models import TrailLine
from tests.publication.conftest import bundles, scored

__all__ = ["bundles", "scored"]
pytestmark = pytest.mark.django_db


def test_it_writes_each_frame_as_parquet_beside_the_bundle(scored, tmp_path):
    into, said = tmp_path / "a" / "b", io.StringIO()
    call_command("frames", scored.slug, "--into", str(into), stderr=said)
    assert said.getvalue() == f"10 frames and bundle.zip written to {into}.\n"
    assert {one.name for one in into.iterdir()} == {"bundle.zip", *(f"{name}.parquet" for name in FRAMES)}
    made = frames(into)
    for name, frame in made.tables().items():
        written = pd.read_parquet(into / f"{name}.parquet")
        # A category that no row has, has no type in the file.
        pd.testing.assert_frame_equal(written, frame, check_categorical=bool(len(frame)))
    # Three of four records of one team, and one of the other's (tests/publication/conftest.py).
    assert board(made).dropna(subset="rank")["completion"].tolist() == [0.75, 0.25]
    assert TrailLine.objects.order_by("pk").last().about == "frames"


def test_with_aliases_no_team_is_named(scored, tmp_path):
    call_command("frames", scored.slug, "--into", str(tmp_path), "--aliases", stderr=io.StringIO())
    assert set(pd.read_parquet(tmp_path / "bots.parquet")["team"]) == {""}


def test_another_campaign_and_a_folder_that_is_a_file_are_told(scored, tmp_path):
    with pytest.raises(CommandError, match="no campaign 'x'"):
        call_command("frames", "x", "--into", str(tmp_path))
    (tmp_path / "file").write_text("")
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("frames", scored.slug, "--into", str(tmp_path / "file"))


@pytest.mark.parametrize("missing", ["pandas", "pyarrow"])
def test_without_the_extra_it_says_what_to_install(scored, tmp_path, monkeypatch, missing):
    monkeypatch.setitem(sys.modules, missing, None)
    for name in [one for one in sys.modules if one.startswith("analysis.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr("leaderboards.table_files.parquet_files.find_spec", lambda name: None if name == missing else 1)
    with pytest.raises(CommandError, match=rf"{missing}, of the extra `analysis`: pip install 'huace\[analysis\]'"):
        call_command("frames", scored.slug, "--into", str(tmp_path))
