"""Records from files: the published SMP2018 table, idempotence, and bad lines."""

import csv
import io
import json

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from campaigns.models import Campaign, Role
from leaderboards.actions import refresh_leaderboard
from leaderboards.live_board import stored_board
from leaderboards.models import ImportedRecord
from reviews.actions import submit_review
from rubrics.models import Rubric
from tests.conftest import PUBLISHED, published_rows
from tests.leaderboards.test_figure_records import paper
from tests.reviews.conftest import NOON, closed_dialogue

pytestmark = pytest.mark.django_db

RECORDS = PUBLISHED / "smp2018" / "records.jsonl"
FIGURES = {"completion": 0.0005, "mean_turns": 0.005, "satisfaction": 0.001, "fluency": 0.001, "guidance": 0.001}

GOOD = {
    "team": "一队", "scenario": "case-01", "reviewer": "r1",
    "subtasks": [{"kind": "flight", "completed": True, "turns": 8, "cap": 20}],
    "ratings": {"satisfaction": 2, "fluency": 0, "guidance": 1}, "note": "kept",
}  # fmt: skip


def write(tmp_path, *lines):
    path = tmp_path / "records.jsonl"
    path.write_text(
        "\n".join(line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines)
    )
    return path


def load(path, slug="smp"):
    call_command("import_records", str(path), "--campaign", slug, stderr=io.StringIO())


def board(slug="smp", format="json"):
    out = io.StringIO()
    call_command("leaderboard", slug, "--format", format, stdout=out)
    return json.loads(out.getvalue()) if format == "json" else out.getvalue()


def test_the_records_of_smp2018_give_table_a2():
    load(RECORDS)
    published = published_rows("smp2018/task2.csv")
    rows = board()["rows"]
    assert [row["team"] for row in rows] == [row["team"] for row in published]
    assert [row["rank"] for row in rows] == list(range(1, 11))
    for row, wanted in zip(rows, published, strict=True):
        assert row["n_records"] == 63
        for figure, rounding in FIGURES.items():
            assert row[figure] == pytest.approx(float(wanted[figure]), abs=rounding), (row["team"], figure)


@pytest.mark.parametrize("wrong", ["raw turns", "any subtask", "share of subtasks", "cap of the dialogue"])
def test_each_wrong_reading_of_the_records_misses_table_a2(wrong):
    records = [json.loads(line) for line in RECORDS.read_text().splitlines()]

    def turns(subtasks):
        if wrong == "raw turns":
            return sum(s["turns"] for s in subtasks)
        if wrong == "cap of the dialogue" and not all(s["completed"] for s in subtasks):
            return 20
        return sum(s["turns"] if s["completed"] else s["cap"] for s in subtasks)

    def completion(subtasks):
        done = [s["completed"] for s in subtasks]
        return any(done) if wrong == "any subtask" else sum(done) / len(done) if "share" in wrong else all(done)

    published = {row["team"]: row for row in published_rows("smp2018/task2.csv")}
    misses = 0
    for team, wanted in published.items():
        own = [record["subtasks"] for record in records if record["team"] == team]
        misses += abs(sum(map(turns, own)) / 63 - float(wanted["mean_turns"])) > 0.005
        misses += abs(sum(map(completion, own)) / 63 - float(wanted["completion"])) > 0.0005
    assert misses > 0


def test_a_second_import_of_the_same_file_changes_nothing(tmp_path):
    path = write(tmp_path, GOOD)
    load(path)
    before = list(ImportedRecord.objects.values())
    load(path)
    assert list(ImportedRecord.objects.values()) == before


def test_unknown_keys_are_kept(tmp_path):
    load(write(tmp_path, GOOD))
    assert ImportedRecord.objects.get().content["note"] == "kept"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{not json", "is not JSON"), ("[1]", "must be an object, not a list"), ("[" * 5000, "is not usable JSON"),
        (GOOD | {"team": ""}, "line 3, team: "), (GOOD | {"reviewer": 7}, "line 3, reviewer: "), (GOOD | {"subtasks": {}}, "line 3, subtasks: "),
        (GOOD | {"subtasks": [{"completed": "yes", "turns": 1, "cap": 20}]}, "line 3, subtasks[0].completed: "),
        (GOOD | {"subtasks": [{"completed": True, "turns": -1, "cap": 20}]}, "line 3, subtasks[0].turns: "),
        (GOOD | {"subtasks": [{"completed": True, "turns": 21, "cap": 20}]}, "more than its cap"),
        (GOOD | {"subtasks": [{"completed": True, "turns": True, "cap": 20}]}, "line 3, subtasks[0].turns: "),
        (GOOD | {"ratings": {"satisfaction": 3}}, "must be on the scale"),
        (GOOD | {"ratings": {"fluency": 0.5}}, "must be on the scale"),
        (GOOD | {"ratings": []}, "line 3, ratings: "), ('{"team": NaN}', "NaN is not JSON"),
        (GOOD, "already appear at line 1"),
    ],
)  # fmt: skip
def test_a_bad_line_is_named_and_nothing_at_all_is_imported(tmp_path, line, words):
    path = write(tmp_path, GOOD, "", line)
    with pytest.raises(CommandError) as refused:
        load(path)
    assert "line 3" in str(refused.value)
    assert words in str(refused.value)
    assert not ImportedRecord.objects.exists()
    assert not Campaign.objects.exists()


def test_a_record_that_differs_from_the_imported_one_is_refused(tmp_path):
    load(write(tmp_path, GOOD))
    with pytest.raises(CommandError, match=r"line 1: differs"):
        load(write(tmp_path, GOOD | {"ratings": {"satisfaction": 1}}))


def test_a_missing_score_is_not_zero(tmp_path):
    load(write(tmp_path, GOOD, GOOD | {"reviewer": "r2", "ratings": {"satisfaction": None}}))
    (row,) = board()["rows"]
    assert (row["satisfaction"], row["fluency"], row["n_records"]) == (2, 0, 2)


def test_the_json_has_the_shape_that_programs_expect(campaign):
    shown = board("small")
    assert set(shown) >= {"campaign", "rule", "columns", "rows", "unranked"}
    assert [key["key"] for key in shown["rule"]] == ["completion", "mean_turns", "satisfaction", "fluency", "guidance"]
    (unranked,) = shown["unranked"]
    assert (unranked["team"], unranked["n_records"], unranked["completion"]) == ("Team Alpha", 0, None)


def test_the_table_and_the_csv_are_for_people(tmp_path, capsys):
    load(write(tmp_path, GOOD))
    assert "一队" in board(format="table")
    call_command("leaderboard", "smp", "--format", "csv")
    out = capsys.readouterr().out
    assert out.startswith("\ufeffrank,")
    head, row, *_ = csv.reader(io.StringIO(out))
    assert (head[-1], dict(zip(head, row, strict=True))["turns_are"]) == ("team_en", "exchanges")


def test_a_printed_table_with_t_says_what_a_turn_is(campaign):
    assert "A turn is what the tester says together with the answer to it." in board("small", format="table")
    Campaign.objects.update(ranking_rule=["fluency"])
    Rubric.objects.update(asks_for_verdicts=False)
    assert "A turn is" not in board("small", format="table")


def test_an_unknown_campaign_is_an_error_that_names_the_known_ones(campaign):
    with pytest.raises(CommandError, match="small"):
        call_command("leaderboard", "nowhere")


def test_text_that_cannot_be_stored_is_named_even_in_a_key_that_is_only_kept(tmp_path):
    with pytest.raises(CommandError, match="line 1, note: holds a NUL"):
        load(write(tmp_path, GOOD | {"note": "a\x00b"}))


def test_true_in_the_place_of_one_differs_from_what_was_imported(tmp_path):
    load(write(tmp_path, GOOD | {"note": 1}))
    with pytest.raises(CommandError, match="differs from the record"):
        load(write(tmp_path, GOOD | {"note": True}))


@pytest.mark.parametrize("slug", ["", "two words", "a/b", "评测"])
def test_a_new_campaign_needs_a_name_that_addresses_can_hold(tmp_path, slug):
    with pytest.raises(CommandError, match="must be letters, digits, - and _"):
        load(write(tmp_path, GOOD), slug)
    assert not Campaign.objects.exists()


__all__ = ["paper"]


@pytest.fixture
def program(client, organizer):
    client.force_login(organizer)
    return client


def test_the_mean_of_all_pages_is_the_figure(paper, client, django_user_model):
    person = django_user_model.objects.create_user("organizer")
    paper.roles.create(person=person, role=Role.ORGANIZER)
    client.force_login(person)
    entry = paper.entries.earliest("pk")
    figure = stored_board(paper).rows[str(entry.pk)]["figures"]["mean_turns"]
    address, values = f"/api/v1/campaigns/paper/leaderboard/records/{entry.pk}/mean_turns/?per_page=40", []
    for number in (1, 2):
        answer = client.get(f"{address}&page={number}")
        assert answer.headers["X-Total-Count"] == "63"
        values += [row["value"] for row in answer.json()]
    assert len(values) == 63
    assert sum(values) / 63 == pytest.approx(figure)
    assert all(row["dialogue"] is None and row["subtasks"] for row in answer.json())


def test_a_record_of_a_dialogue_here_names_it_with_its_subtasks(campaign, tester, program):
    dialogue = closed_dialogue(campaign, tester)
    submit_review(
        dialogue=dialogue, reviewer=tester, verdicts={"1": True}, comment="", at=NOON,
        ratings={"satisfaction": 1, "fluency": 0, "guidance": 1}, based_on_version=0,
    )  # fmt: skip
    refresh_leaderboard(campaign=campaign, at=timezone.now())
    address = f"/api/v1/campaigns/small/leaderboard/records/{campaign.entries.get().pk}/satisfaction/"
    assert program.get(address).json() == [
        {
            "dialogue": str(dialogue.pk),
            "part": "self",
            "scenario": "flight-then-hotel",
            "reviewer": "tester",
            "subtasks": [{"kind": "flight", "completed": True, "turns": 0, "cap": 9}],
            "value": 1.0,
            "weight": 1.0,
        }
    ]


def test_a_figure_or_bot_that_the_board_does_not_have_is_404(campaign, program):
    entry = campaign.entries.get().pk
    assert program.get(f"/api/v1/campaigns/small/leaderboard/records/{entry}/completion/").json() == []
    assert program.get(f"/api/v1/campaigns/small/leaderboard/records/{entry}/luck/").status_code == 404
    assert program.get("/api/v1/campaigns/small/leaderboard/records/0/completion/").status_code == 404
