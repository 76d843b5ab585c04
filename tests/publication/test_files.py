"""The files of a snapshot: unrounded figures, safe for spreadsheets, silent about teams where they are hidden."""

import csv
import io

from leaderboards.board import Key, Named, Row, Words, ranked
from leaderboards.live_board import Unranked
from publication.documents import document_of
from publication.snapshot_files import csv_of, file_name
from rubrics.column_names import COLUMNS

SA = Key("satisfaction", Words("满意度", "Satisfaction"), "higher", 3, "Sa")
ROWS = [
    Row("1", "bot", {"satisfaction": -1 / 3}, team="=1+1", n=3),
    Row("2", "other", {}, team="T", n=0, reason=Unranked.NO_REVIEWS),
]
STATISTICS = {"rows": {"K1": {"intervals": {"satisfaction": [-0.5, 0.25]}, "rank_interval": [1, 2]}}, "pairs": []}


def table(names, statistics=None, keys=(SA,), **said):
    board = ranked(keys=keys, rule=keys, rows=ROWS)
    kind = "teams" if any(name.team for name in names.values()) else "aliases"
    head = {"campaign": "small", "number": 4, "names": kind} | said
    document = document_of(board, names=names, statistics=statistics, head=head)
    text = "".join(csv_of(document, {}))
    assert text.startswith("\ufeff")
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))


def test_figures_are_unrounded_and_no_team_is_a_formula():
    heads, first, second = table({row.key: Named(row.key, row.name, row.team) for row in ROWS})
    assert heads == ["rank", "team", "bot", "n_records", "satisfaction", "n_failed", "n_turns", "reason", "team_en"]
    assert {*heads} - {"satisfaction"} <= COLUMNS
    assert first == ["1", "'=1+1", "bot", "3", str(-1 / 3), "", "", "", ""]
    assert second == ["", "T", "other", "0", "", "", "", "no reviews", ""]


def test_with_aliases_there_is_no_column_of_teams():
    heads, first, _ = table({"1": Named("K1", "K1"), "2": Named("K2", "K2")}, STATISTICS)
    ends = ["satisfaction_low", "satisfaction_high", "rank_low", "rank_high"]
    assert heads == ["rank", "bot", "n_records", "satisfaction", *ends, "n_failed", "n_turns", "reason"]
    assert first == ["1", "K1", "3", str(-1 / 3), "-0.5", "0.25", "1", "2", "", "", ""]


def test_a_table_with_t_says_what_a_turn_is():
    turns = Key("mean_turns", Words("轮数", "Turns"), "lower", 2, "T")
    heads, first, _ = table({"1": Named("K1", "K1"), "2": Named("K2", "K2")}, keys=(SA, turns), turns_are="exchanges")
    assert (heads[-1], first[-1]) == ("turns_are", "exchanges")
    assert "turns_are" in COLUMNS, "no criterion takes the column's place"


def test_files_are_named_by_campaign_and_number():
    assert file_name({"campaign": "small", "number": 4}, "bundle.zip") == "small-4-bundle.zip"
