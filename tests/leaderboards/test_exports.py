import csv
import io
import json
from datetime import UTC, datetime

import openpyxl
import pyarrow.parquet
import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts.models import Person
from campaigns.actions import note_changed_scores
from campaigns.models import Role
from dialogues.actions import open_chosen_dialogue, open_dialogue, record_failure
from dialogues.models import Dialogue, Turn
from leaderboards.actions import import_records, refresh_leaderboard, refresh_statistics
from leaderboards.exports import EXPORTS, requests
from leaderboards.exports.downloads import Download
from leaderboards.exports.parts import Export, parts
from leaderboards.exports.requests import BOT
from leaderboards.live_board import columns_of
from leaderboards.record_files import read_record_lines
from leaderboards.table_files import FORMATS
from leaderboards.table_files.column_kinds import TEXT
from leaderboards.table_files.text_files import blocks_of
from pairs.models import Pair, PairVote
from participants.failure_sentences import ITS_ERROR
from participants.failures import BotFailure, FailureKind
from reading.findings import sentence
from reviews.actions import submit_review
from reviews.models import Rating, Review
from rubrics.column_names import COLUMNS, is_an_end
from tests.conftest import Admitted
from tests.dialogues.test_actions import Talk

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


def test_dialogues_count_turns_and_caps_as_their_campaign_does(campaign, scored):
    campaign.turns_are, campaign.opened_by = "utterances", "bot"
    (row,) = EXPORTS["dialogues"].rows(campaign)
    told = dict(zip(EXPORTS["dialogues"].columns(campaign), row, strict=True))
    caps = [one.turn_cap for one in scored.subtasks.order_by("index")]
    # Two utterances per exchange, and the opening among those of the first part.
    assert told["turns_used"] == 5
    assert [(one["turns"], one["cap"]) for one in told["subtasks"]] == [(3, 2 * caps[0] + 1), (2, 2 * caps[1])]


N_ROWS = {
    "turns": 2, "dialogues": 1, "reviews": 1, "ratings": 3, "attempts": 2, "ledger": 7, "changes": 1, "records": 1, "minutes": 1,
    "leaderboard": 1,
}  # fmt: skip


def rows_of_csv(path):
    text = path.read_text(encoding="utf-8")
    assert text.startswith("\ufeff")
    return list(csv.DictReader(text.removeprefix("\ufeff").splitlines(keepends=True)))


def rows_of_xlsx(path):
    heads, *rows = openpyxl.load_workbook(path).active.iter_rows(values_only=True)
    return [dict(zip(heads, row, strict=True)) for row in rows]


READERS = {
    "csv": rows_of_csv,
    "jsonl": lambda path: [json.loads(line) for line in path.read_text().splitlines()],
    "xlsx": rows_of_xlsx,
    "parquet": lambda path: pyarrow.parquet.read_table(path).to_pylist(),
}


@pytest.mark.parametrize("what", EXPORTS)
@pytest.mark.parametrize("format", FORMATS)
def test_every_export_is_written_and_read_back(tmp_path, scored, what, format):
    rows = READERS[format](export(tmp_path, what, format))
    assert len(rows) == N_ROWS.get(what, len(rows))
    if "dialogue" in (rows[0] if rows else {}):
        assert {row["dialogue"] for row in rows} == {str(scored.pk)}


def test_texts_cannot_become_formulas_and_scores_stay_numbers(tmp_path, scored):
    (turn, *_) = csv.DictReader(export(tmp_path, "turns", "csv").read_text().removeprefix("\ufeff").splitlines())
    assert (turn["text"], turn["reply"]) == ("'=1+1", "'@SUM(A1)")
    ratings = csv.DictReader(export(tmp_path, "ratings", "csv").read_text().removeprefix("\ufeff").splitlines())
    assert next(row["score"] for row in ratings if row["criterion"] == "satisfaction") == "-2"
    (exact, *_) = map(json.loads, export(tmp_path, "turns", "jsonl").read_text().splitlines())
    assert exact["text"] == "=1+1"


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
    assert (turn["reply"], turn["flags"]) == ("好的\n'=2", "slow masked")


def test_reviews_and_ratings_say_in_which_part_they_were_given_and_whether_they_count(tmp_path, scored, campaign):
    label = campaign.rubric.criteria.create(position=9, key="nugget", letter="N", scope="turn", kind="label")
    label.points.create(score=3, key="HNUG*", speaker="bot")
    panel = Review.objects.create(
        dialogue=scored, reviewer=Person.objects.create_user("p1"), part="panel", is_submitted=True,
        submitted_at=timezone.now(),
    )  # fmt: skip
    Rating.objects.create(
        review=panel, criterion=label, place="@1.bot", score=3, lowest=0, highest=3, evidence_turn=1
    )  # fmt: skip
    own, other = map(json.loads, export(tmp_path, "reviews", "jsonl").read_text().splitlines())
    assert [(row["part"], row["is_counted"]) for row in (own, other)] == [("self", True), ("panel", False)]
    *_, plain, labelled = map(json.loads, export(tmp_path, "ratings", "jsonl").read_text().splitlines())
    asked = ("reviewer", "place", "label", "evidence_turn", "part", "is_counted")
    assert [plain[name] for name in asked] == ["tester", "", None, None, "self", True]
    assert [labelled[name] for name in asked] == ["p1", "@1.bot", "HNUG*", 1, "panel", False]


def test_an_empty_export_still_has_its_columns(tmp_path, campaign):
    text = export(tmp_path, "turns", "csv").read_text()
    assert text.startswith("\ufeffdialogue,tester,bot,scenario")


def test_a_folder_that_cannot_be_written_is_an_error_in_words(campaign):
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("export", "small", "--what", "turns", "--out", "/nonexistent/turns.csv")


def test_a_file_that_cannot_be_written_whole_leaves_nothing_and_what_was_there(tmp_path, campaign, monkeypatch):
    def rows(campaign):
        yield ("a",)
        raise OSError(28, "No space left on device")

    (tmp_path / "turns.csv").write_text("before")
    monkeypatch.setitem(EXPORTS, "turns", Export("turns", "Every turn", {"text": TEXT}, rows=rows))
    with pytest.raises(CommandError, match="No space left on device"):
        export(tmp_path, "turns", "csv")
    (tmp_path / "folder").mkdir()
    for folder in (tmp_path / "folder", "/"):
        with pytest.raises(CommandError, match="cannot be written"):
            call_command("export", "small", "--what", "reviews", "--out", str(folder))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "turns.csv"]
    assert (tmp_path / "turns.csv").read_text() == "before"


def test_an_organizer_downloads_exports(scored, organizer, client):
    client.force_login(organizer)
    answer = client.get("/campaigns/small/export/turns.csv")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="small-turns.csv"'
    assert b"".join(answer).startswith(b"\xef\xbb\xbf")
    assert client.get("/campaigns/small/export/secrets.csv").status_code == 404


def test_the_rows_of_a_dialogue_stand_together_in_the_order_of_the_assignments(
    campaign, dialogue, admission, tester, tmp_path
):
    """The talks take turns, as testers at the same time do."""
    entry, scenario = campaign.entries.get(), campaign.scenarios.get()
    other = open_chosen_dialogue(campaign=campaign, tester=tester, entry=entry, scenario=scenario, at=timezone.now())
    talks = [Talk(other, admission), Talk(dialogue, admission)]
    for key in ("k1", "k2"):
        for talk in talks:
            talk.answer(talk.send(key).asked)
    rows = [json.loads(line) for line in export(tmp_path, "turns", "jsonl").read_text().splitlines()]
    first, second = str(dialogue.pk), str(other.pk)
    assert [(row["dialogue"], row["turn"]) for row in rows] == [(first, 1), (first, 2), (second, 1), (second, 2)]


def test_times_are_utc_to_the_microsecond_and_missing_ones_are_null(tmp_path, dialogue, admission):
    Talk(dialogue, admission).send("k")
    Turn.objects.filter(dialogue=dialogue).update(asked_at=datetime(2026, 3, 1, 12, 0, 0, 250, tzinfo=UTC))
    (row,) = map(json.loads, export(tmp_path, "turns", "jsonl").read_text().splitlines())
    assert (row["asked_at"], row["settled_at"]) == ("2026-03-01T12:00:00.000250+00:00", None)


def talks_of_a_program(campaign, n):
    """Beside the plan: no other export holds them."""
    program = Person.objects.create_user("program", kind=Person.Kind.PROGRAM)
    campaign.roles.create(person=program, role=Role.TESTER)
    entry, scenario = campaign.entries.get(), campaign.scenarios.get()
    for number in range(1, n + 1):
        assignment = campaign.assignments.create(
            tester=program, entry=entry, scenario=scenario, repetition=number, position=number, is_drawn=False,
            is_apart=True,
        )  # fmt: skip
        Talk(open_dialogue(assignment=assignment, at=timezone.now()), Admitted(program)).turns(2)


def votes_on_pairs(campaign, judge, n):
    """Each of two dialogues, whose texts the export measures."""
    (left, right, *_), entry = Dialogue.objects.order_by("pk"), campaign.entries.get()
    other = campaign.entries.create(bot=entry.bot.team.bots.create(name="other"), key="other", alias="Z9")
    for number in range(1, n + 1):
        pair = Pair.objects.create(
            campaign=campaign, scenario=campaign.scenarios.get(), kind="finished", left=entry, right=other,
            left_dialogue=left, right_dialogue=right, origin="imported", external_id=str(number), drawn_at=timezone.now(),
        )  # fmt: skip
        PairVote.objects.create(pair=pair, judge=judge, verdict="left", at=timezone.now())


@pytest.mark.parametrize("what", EXPORTS)
def test_the_number_of_queries_does_not_grow_with_the_dialogues_of_a_part(
    campaign, scored, admission, tester, what, django_assert_max_num_queries
):
    entry, scenario = campaign.entries.get(), campaign.scenarios.get()
    for _ in range(3):
        other = open_chosen_dialogue(
            campaign=campaign, tester=tester, entry=entry, scenario=scenario, at=timezone.now()
        )
        Talk(other, admission).turns(2)
    talks_of_a_program(campaign, 3)
    votes_on_pairs(campaign, tester, 3)
    with django_assert_max_num_queries(9):
        assert list(EXPORTS[what].rows(campaign))


def test_a_download_sends_its_heads_before_a_row_is_read(campaign):
    def rows():
        raise AssertionError("read too early")
        yield

    pieces = iter(
        Download(FORMATS["csv"].pieces({"a": TEXT}, blocks_of(rows())), name="a.csv", content_type="text/csv")
    )
    assert next(pieces) == b"\xef\xbb\xbfa\r\n"


def test_a_turn_comes_out_as_it_was_said_whatever_it_holds(tmp_path, dialogue, admission):
    text, reply = '"引号"\n\\ \t, {"a": [1]} \u2028😀', ['a"b\\n', "", "]['"]
    talk = Talk(dialogue, admission)
    talk.answer(talk.send("k1", text).asked)
    talk.send("k2")
    noon = datetime(2026, 3, 1, 12, tzinfo=UTC)
    Turn.objects.filter(number=1).update(texts=reply, flags=["slow"], asked_at=noon, settled_at=noon, latency_ms=7)
    answered, waiting = map(json.loads, export(tmp_path, "turns", "jsonl").read_text().split("\n")[:2])
    assert (answered["text"], answered["reply"], answered["flags"]) == (text, reply, ["slow"])
    assert (answered["asked_at"], answered["settled_at"]) == ("2026-03-01T12:00:00+00:00",) * 2
    assert [answered[name] for name in ("turn", "subtask", "attempts", "latency_ms")] == [1, 1, 1, 7]
    assert [waiting[name] for name in ("status", "reply", "latency_ms", "settled_at")] == ["waiting", [], None, None]


def test_dialogues_without_a_turn_have_no_rows_and_disturb_no_others(campaign, dialogue, admission, tester):
    entry, scenario = campaign.entries.get(), campaign.scenarios.get()
    assert list(EXPORTS["turns"].rows(campaign)) == []
    other = open_chosen_dialogue(campaign=campaign, tester=tester, entry=entry, scenario=scenario, at=timezone.now())
    Talk(other, admission).turns(1)
    ((pk, *_),) = EXPORTS["turns"].rows(campaign)
    assert pk == str(other.pk)


@pytest.mark.parametrize(
    ("language", "detail"),
    [
        ([], "The system answered with an error: No answer began within 30 s."),
        (["--language", "zh"], "系统回答了一个错误，收到的原文：No answer began within 30 s."),
    ],
)
def test_why_a_call_failed_is_told_in_the_language_that_is_asked_for(tmp_path, dialogue, admission, language, detail):
    """A bot that answers with a sentence of ours is not translated: the words are its own."""
    talk = Talk(dialogue, admission)
    said = sentence(ITS_ERROR, received="No answer began within 30 s.")
    failure = BotFailure(FailureKind.HTTP_5XX, said, status=500)
    record_failure(asked=talk.send("k1", "你好").asked, failure=failure, at=timezone.now())
    out = tmp_path / "attempts.jsonl"
    call_command("export", "small", "--what", "attempts", "--format", "jsonl", *language, "--out", str(out))
    (told,) = map(json.loads, out.read_text().splitlines())
    assert (told["kind"], told["detail"]) == ("http_5xx", detail)


def test_a_bot_that_is_entered_while_the_file_is_sent_is_in_it(dialogue, admission, campaign, monkeypatch):
    talk = Talk(dialogue, admission)
    talk.fail(talk.send("k1", "你好").asked)
    talk.retry(1)

    def enters_first(of):
        campaign.entries.update(key="entered-late")
        yield from parts(of)

    monkeypatch.setattr(requests, "parts", enters_first)
    assert {row[BOT] for row in requests.attempts(campaign)} == {"entered-late"}


def test_the_leaderboard_says_how_sure_it_is_what_failed_and_why_a_row_has_no_rank(
    tmp_path, campaign, scored, few_are_enough
):
    bot = campaign.entries.get().bot.team.bots.create(name="newcomer")
    campaign.entries.create(bot=bot, key="n", alias="newest")
    records = [
        {"team": team, "scenario": scenario, "reviewer": "r", "ratings": {"fluency": fluency},
         "subtasks": [{"kind": "flight", "completed": True, "turns": 2, "cap": 9}]}
        for team, scores in (("A", (1, 0)), ("B", (0, -1))) for scenario, fluency in zip("ab", scores, strict=True)
    ]  # fmt: skip
    import_records(campaign=campaign, lines=read_record_lines([json.dumps(one).encode() for one in records], {}))
    refresh_leaderboard(campaign=campaign, at=timezone.now())
    rows = {row["team"] or row["bot"]: row for row in READERS["jsonl"](export(tmp_path, "leaderboard", "jsonl"))}
    assert (rows["A"]["fluency"], rows["A"]["fluency_low"], rows["A"]["rank_low"]) == (0.5, None, None)
    refresh_statistics(campaign=campaign, at=timezone.now())
    told = READERS["jsonl"](export(tmp_path, "leaderboard", "jsonl"))
    rows = {(row["team"], row["bot"]): row for row in told}
    # Drawn from a and b: fluency is 0 at the least and 1 at the most.
    assert (rows["A", "A"]["fluency_low"], rows["A", "A"]["fluency_high"]) == (0.0, 1.0)
    assert rows["A", "A"]["rank_low"] <= rows["A", "A"]["rank"] <= rows["A", "A"]["rank_high"]
    assert (rows["A", "A"]["n_failed"], rows["A", "A"]["reason"]) == (None, None)
    played = next(row for row in told if row["n_turns"] == 2)
    assert played["n_failed"] == 0
    waiting = next(row for row in told if row["bot"] == "newcomer")
    assert (waiting["rank"], waiting["reason"], waiting["fluency_low"]) == (None, "no records", None)
    # Old columns stay where they were: what is new comes after them.
    assert list(told[0])[:5] == ["rank", "team", "bot", "n_records", "completion"]
    # No criterion takes the place of another column: its key is none of these.
    figures = {key.name for key in columns_of(campaign)}
    assert {name for name in told[0] if not is_an_end(name, figures)} - figures <= COLUMNS
    # Intervals of older scores are not told beside newer figures.
    note_changed_scores(campaign=campaign)
    refresh_leaderboard(campaign=campaign, at=timezone.now())
    assert {row["fluency_low"] for row in READERS["jsonl"](export(tmp_path, "leaderboard", "jsonl"))} == {None}
