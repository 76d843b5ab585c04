"""runs.jsonl and combined.json, read out of a zip."""

from collections import Counter
from contextlib import closing

from tests.verification.tampering import as_rows, document, zipped
from verification.archive import Archive
from verification.combined import NOBODY, digest_of_run, recomputed_run_board, verify_combined
from verification.findings import Findings

PLACE_OF_RUNS = {"task": "quality", "split": "hidden"}
TOLD = {
    "board": "quality/hidden",
    "name": {"zh": "质量", "en": "Quality"},
    "of_runs": True,
    "parts": [{**PLACE_OF_RUNS, "name": {"zh": "质量", "en": "Quality"}}],
    "columns": [{"key": "nmd", **PLACE_OF_RUNS, "figure": "nmd", "weight": 1.0}],
    "total": None,
    "keys": [{"key": "nmd", "letter": "", "better": "lower"}],
    "rule": [{"key": "nmd", "better": "lower"}],
}


def run(name, team, nmd):
    row = {**PLACE_OF_RUNS, "team": team, "run": "id", "name": name, "measure": "m 1", "file_sha256": None}
    row |= {"figures": {"nmd": nmd}, "reason": None}
    return row | {"sha256": digest_of_run(row)}


RUNS = [run("A-run1", "A", 0.5), run("BL-uniform", "", 0.25)]


def verified(tmp_path, board):
    path = tmp_path / "b.zip"
    path.write_bytes(zipped({"README.md": b"", "runs.jsonl": as_rows(RUNS), "combined.json": document(board)}))
    counts, findings = Counter(), Findings()
    with closing(Archive(path)) as archive:
        archive.check_names(Findings())
        verify_combined(archive, {**NOBODY, "campaign": "small"}, counts, findings)
    return counts, [one.figure for one in findings]


def test_a_board_of_runs_is_recomputed_compared_and_counted(tmp_path):
    board = recomputed_run_board(TOLD, "small", RUNS)
    assert verified(tmp_path, board) == ({"runs.jsonl": 2, "combined.json": 2}, [])
    board["rows"][0]["rank"] = 2
    assert verified(tmp_path, board)[1] == ["rows[0].rank"]
