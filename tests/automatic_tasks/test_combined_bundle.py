"""What a bundle tells of the runs of a combined board."""

import io

import pytest
from django.utils import timezone

from automatic_tasks.combined.boards import Reader, source_of
from automatic_tasks.combined.bundle import combined_files
from automatic_tasks.models import CombinedBoard, Score
from leaderboards.board import Row, Words, ranked
from leaderboards.live_board import RECORD_KEYS
from publication.bundle import bundle_pieces
from tests.automatic_tasks.test_combined_boards import bundles, played
from verification.verifying import verify

__all__ = ["bundles", "played"]
pytestmark = [pytest.mark.django_db(transaction=True)]


def test_a_team_without_a_run_on_the_board_is_told_with_the_reason(played, quality, tmp_path):
    Score.objects.filter(run__team__name="Team Beta").update(version="older:0")
    board, at = CombinedBoard.objects.get(), timezone.now()
    alpha, beta = combined_files(board, at).runs
    assert (alpha["run"], alpha["reason"], alpha["figures"].keys()) == (
        str(quality.runs.get(team__name="Team Alpha").pk), None, {"quality.A.nmd"},
    )  # fmt: skip
    assert (alpha["measure"], len(alpha["file_sha256"])) == (f"dialogue-quality {quality.task_type.version}", 64)
    assert (beta["team"], beta["run"], beta["figures"], beta["reason"]) == ("Team Beta", None, {}, "outdated")
    content = io.BytesIO()
    content.writelines(bundle_pieces(played, hides_teams=False, at=at, combined=lambda: combined_files(board, at)))
    path = tmp_path / "b.zip"
    path.write_bytes(content.getvalue())
    report = verify(path)
    assert report.is_verified, report.findings
    assert (report.counts["runs.jsonl"], report.counts["combined.json"]) == (1, 3)
    assert Reader.organizer(at).is_organizer


def test_of_equal_systems_of_a_team_the_first_by_name_speaks_whatever_the_order():
    """A bundle knows no other order; whoever made the board last must not decide."""
    keys = RECORD_KEYS[:1]
    rows = [Row(str(n), name, {keys[0].name: 0.5}, team="Team") for n, name in enumerate(["b", "a", "c"])]
    for order in (rows, rows[::-1]):
        assert source_of(Words("人", "People"), ranked(keys=keys, rule=keys, rows=order)).rows["Team"].name == "a"
