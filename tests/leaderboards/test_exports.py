import csv
import json

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from leaderboards.exports import WHAT, spreadsheet_safe
from reviews.actions import submit_review
from testing_console.models import Dialogue
from tests.testing_console.test_actions import Talk

pytestmark = pytest.mark.django_db


@pytest.fixture
def scored(dialogue, admission, tester):
    talk = Talk(dialogue, admission)
    talk.answer(talk.send("k1", "=1+1").turn, "@SUM(A1)")
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
