import json
import zipfile
from datetime import UTC, datetime

import pytest

from campaigns.presets import PRESETS
from leaderboards.bundle import write_bundle
from leaderboards.verification.verifying import verify
from tests.leaderboards.played import example, play

pytestmark = pytest.mark.django_db
AT = datetime(2026, 5, 1, 8, tzinfo=UTC)


def written(campaign, path, *, hides_teams=False):
    with path.open("wb") as file:
        write_bundle(campaign, hides_teams=hides_teams, to=file, at=AT)
    return path


@pytest.mark.parametrize("hides_teams", [False, True], ids=["teams", "aliases"])
@pytest.mark.parametrize("preset", PRESETS)
def test_a_fresh_bundle_of_each_example_is_verified(preset, hides_teams, tmp_path):
    path = written(play(example(preset)), tmp_path / "b.zip", hides_teams=hides_teams)
    report = verify(path)
    assert [str(one) for one in report.findings] == []
    board = json.loads(zipfile.ZipFile(path).read("leaderboard.json"))
    assert board["rows"]
    print(report.counts)
