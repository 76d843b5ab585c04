"""runs.jsonl and combined.json of a bundle: read, recomputed and compared. Pure."""

from collections import Counter

from verification.archive import Archive
from verification.bundle_format import COMBINED, RUNS
from verification.combined import check_people, check_places, recomputed_combined, runs_in
from verification.comparing import compare_board
from verification.findings import Findings
from verification.run_boards import recomputed_run_board
from verification.tables import Object, lines_of, parsed


def verify_combined(archive: Archive, people: Object, counts: Counter[str], findings: Findings) -> None:
    """`people` is the recomputed leaderboard. Errors: those of odd values."""
    runs = runs_in(lines_of(archive, RUNS, findings), findings)
    content = archive.document(COMBINED)
    told = parsed(content)
    check_places(told, runs, findings)
    check_people(told, people, findings)
    if told.get("of_runs"):
        board = recomputed_run_board(told, people["campaign"], runs)
    else:
        board = recomputed_combined(told, people, runs)
    compare_board(content, board, findings, file=COMBINED)
    counts[RUNS] = sum(row["run"] is not None for row in runs)
    counts[COMBINED] = len(board["rows"]) + len(board["unranked"])
