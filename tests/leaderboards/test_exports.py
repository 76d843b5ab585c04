import csv
import io
import json

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from leaderboards.exports import WHAT, spreadsheet_safe, write_csv
from reviews.actions import submit_review
from testing_console.models import Dialogue, Turn
from tests.testing_console.test_actions import Talk

pytestmark = pytest.mark.django_db


@pytest.fixture
def scored(dialogue, admission, tester):
    talk = Talk(dialogue, admission)
    talk.answer(talk.send("k1", "=1+1").asked, "@SUM(A1)")
    talk.close(1)
    talk.turns(1)
    talk.close(2)
    closed = Dialogue.objects.get(pk=dialogue.pk)
    submit_review(
        dialogue=closed, reviewer=tester, ratings={"satisfaction": -2, "fluency": 0, "guidance": 0}, verdicts={},
        comment="好,\n“引号”", based_on_version=0, at=timezone.now(),
    )  # fmt: skip
    return closed


def export(tmp_path, what, format):
    out = tmp_path / f"{what}.{format}"
    call_command("export", "small", "--what", what, "--format", format, "--out", str(out))
    return out


@pytest.mark.parametrize("what", WHAT)
@pytest.mark.parametrize("format", ["csv", "jsonl"])
def test_every_export_is_written_and_read_back(tmp_path, scored, what, format):
    text = export(tmp_path, what, format).read_text(encoding="utf-8")
    if format == "jsonl":
        rows = [json.loads(line) for line in text.splitlines()]
    else:
        assert text.startswith("\ufeff")
        rows = list(csv.DictReader(text.removeprefix("\ufeff").splitlines(keepends=True)))
    assert len(rows) == {"turns": 2, "dialogues": 1, "reviews": 1, "ratings": 3, "leaderboard": 1}[what]
    if what != "leaderboard":
        assert {row["dialogue"] for row in rows} == {str(scored.pk)}


def test_texts_cannot_become_formulas_and_scores_stay_numbers(tmp_path, scored):
    (turn, *_) = csv.DictReader(export(tmp_path, "turns", "csv").read_text().removeprefix("\ufeff").splitlines())
    assert (turn["text"], turn["reply"]) == ("'=1+1", "'@SUM(A1)")
    ratings = csv.DictReader(export(tmp_path, "ratings", "csv").read_text().removeprefix("\ufeff").splitlines())
    assert next(row["score"] for row in ratings if row["criterion"] == "satisfaction") == "-2"
    (exact, *_) = map(json.loads, export(tmp_path, "turns", "jsonl").read_text().splitlines())
    assert exact["text"] == "=1+1"
    assert spreadsheet_safe(-2) == -2


@pytest.mark.parametrize(
    "text",
    [
        "=1+1", "+1", "-1", "@SUM(A1)", "＝1+1", "＋1", "－1", "＠SUM(A1)", " =1+1", "\n=1+1", "\r\n=1+1", "\t=1+1",
        "\u3000＝1", "\u00a0=1", "\u200b=1", "\ufeff=1", "\x0b=1", "\ttext", "\rtext", "\ntext",
    ],
)  # fmt: skip
def test_a_text_that_could_become_a_formula_gets_an_apostrophe(text):
    assert spreadsheet_safe(text) == "'" + text


@pytest.mark.parametrize("value", ["你好", "a=b", "1-2", "", " ", "'=1", "你好\n=1", -2, -0.5, None, True, 0])
def test_everything_else_stays_as_it_is(value):
    assert spreadsheet_safe(value) is value


def test_the_heads_of_columns_are_safe_too():
    out = io.StringIO()
    write_csv([{"＝1": 1}], out, [])
    assert out.getvalue().splitlines()[0] == "\ufeff'＝1"


def test_json_lines_hold_lists_and_tables_as_json_and_csv_as_one_cell(tmp_path, scored):
    Turn.objects.filter(number=1).update(texts=["好的", "=2"], flags=["slow", "masked"])
    (turn, *_) = map(json.loads, export(tmp_path, "turns", "jsonl").read_text().splitlines())
    assert (turn["reply"], turn["flags"]) == (["好的", "=2"], ["slow", "masked"])
    (dialogue,) = map(json.loads, export(tmp_path, "dialogues", "jsonl").read_text().splitlines())
    assert dialogue["subtasks"][0] == {"kind": "flight", "status": "finished", "turns": 1, "cap": 3}
    (review,) = map(json.loads, export(tmp_path, "reviews", "jsonl").read_text().splitlines())
    assert review["verdicts"] == {"1": True, "2": True}
    text = export(tmp_path, "turns", "csv").read_text().removeprefix("\ufeff")
    (turn, *_) = csv.DictReader(io.StringIO(text, newline=""))
    assert (turn["reply"], turn["flags"]) == ("好的\n=2", "slow masked")


def test_an_empty_export_still_has_its_columns(tmp_path, campaign):
    text = export(tmp_path, "turns", "csv").read_text()
    assert text.startswith("\ufeffdialogue,tester,bot,scenario")


def test_a_folder_that_cannot_be_written_is_an_error_in_words(campaign):
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("export", "small", "--what", "turns", "--out", "/nonexistent/turns.csv")


def test_an_organizer_downloads_exports(scored, organizer, client):
    client.force_login(organizer)
    answer = client.get("/campaigns/small/export/turns.csv")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="small-turns.csv"'
    assert b"".join(answer.streaming_content).startswith(b"\xef\xbb\xbf")
    assert client.get("/campaigns/small/export/secrets.csv").status_code == 404
