"""The files of a frozen leaderboard, and which download of them is on record."""

import csv
import io
import json

import pytest
from django.http import Http404
from django.utils import timezone

from leaderboards.board import Key, Named, Row, Words, ranked
from leaderboards.live_board import Unranked
from publication.documents import document_of
from publication.downloads import BUNDLE, CSV, JSON, csv_of, file_name, snapshot_file
from publication.queries import readable_by
from rubrics.column_names import COLUMNS
from tests.publishing import publish_now, snapshot_of
from tests.trail import lines_of

SA = Key("satisfaction", Words("满意度", "Satisfaction"), "higher", 3, "Sa")
ROWS = [
    Row("1", "bot", {"satisfaction": -1 / 3}, team="=1+1", n=9),
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
    assert first == ["1", "'=1+1", "bot", "9", str(-1 / 3), "", "", "", ""]
    assert second == ["", "T", "other", "0", "", "", "", "no reviews", ""]


def test_with_aliases_there_is_no_column_of_teams():
    heads, first, _ = table({"1": Named("K1", "K1"), "2": Named("K2", "K2")}, STATISTICS)
    ends = ["satisfaction_low", "satisfaction_high", "rank_low", "rank_high"]
    assert heads == ["rank", "bot", "n_records", "satisfaction", *ends, "n_failed", "n_turns", "reason"]
    assert first == ["1", "K1", "9", str(-1 / 3), "-0.5", "0.25", "1", "2", "", "", ""]


def test_a_table_with_t_says_what_a_turn_is():
    turns = Key("mean_turns", Words("轮数", "Turns"), "lower", 2, "T")
    heads, first, _ = table({"1": Named("K1", "K1"), "2": Named("K2", "K2")}, keys=(SA, turns), turns_are="exchanges")
    assert (heads[-1], first[-1]) == ("turns_are", "exchanges")
    assert "turns_are" in COLUMNS, "no criterion takes the column's place"


def test_files_are_named_by_campaign_and_number():
    assert file_name({"campaign": "small", "number": 4}, "bundle.zip") == "small-4-bundle.zip"


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


FILES = "/api/v1/campaigns/small/leaderboard/1/"


@pytest.mark.parametrize("what", ["leaderboard.csv", "leaderboard.json", "bundle.zip"])
def test_the_file_is_that_of_the_page(scored, client, what):
    publish_now(scored, has_bundle=True)
    answer = client.get(FILES + what, headers={"accept": "image/png"})
    page = client.get(f"/campaigns/small/leaderboard/1/{what}")
    assert (answer.status_code, b"".join(answer)) == (200, b"".join(page))
    assert answer.headers["Content-Disposition"] == page.headers["Content-Disposition"]


def test_before_its_day_it_is_for_organizers_alone(scored, client, organizer, tester):
    snapshot_of(scored, has_bundle=True)
    assert client.get(f"{FILES}leaderboard.json").status_code == 404
    client.force_login(tester)
    assert client.get(f"{FILES}leaderboard.json").status_code == 404
    client.force_login(organizer)
    with lines_of() as lines:
        assert client.head(f"{FILES}leaderboard.json").status_code == 200
        assert lines == []
        assert client.get(f"{FILES}leaderboard.json").status_code == 200
    assert [(line.act, line.person) for line in lines] == [("export.made", "organizer")]
