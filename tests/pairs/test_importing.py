"""Comparisons that arenas publish: read strictly, stored once, counted by the board."""

import io
import json
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.utils import timezone

from campaigns.actions import note_changed_scores
from campaigns.models import Campaign
from pairs.actions.boards import refresh_outdated_pair_boards
from pairs.actions.importing import import_battles
from pairs.board import stored
from pairs.board.battle_files import read_battles
from pairs.board.stored import pair_board_now
from pairs.models import Pair, PairVote
from reading.checking import BadFile

ROWS = [
    {"question_id": 1, "model_a": "m-1", "model_b": "m-2", "winner": "model_a", "judge": "j-1", "turn": 1},
    {"question_id": 2, "model_a": "m-2", "model_b": "m-1", "winner": "model_a", "judge": "j-1"},
    {"question_id": "3", "model_a": "m-1", "model_b": "m-2", "winner": "tie", "judge": "j-2"},
    {"question_id": 3, "model_a": "m-2", "model_b": "m-1", "winner": "tie (bothbad)", "judge": "j-3"},
]
CSV = "question_id,model_a,model_b,winner,judge,tstamp\n" + "".join(
    ",".join(str(row[name]) for name in ("question_id", "model_a", "model_b", "winner", "judge")) + ",1.5\n"
    for row in ROWS
)
JSONL = "".join(json.dumps(row) + "\n" for row in ROWS)


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.json", json.dumps(ROWS)), ("a.jsonl", JSONL), ("a.csv", CSV), ("a.csv", CSV.replace(",", ";"))],
)
def test_every_format_reads_as_the_same_comparisons(name, content):
    found = read_battles(name, content.encode(), "people")
    assert [(one.left, one.right, one.verdict, one.judge, one.question) for one in found] == [
        ("m-1", "m-2", "left", "j-1", "1"),
        ("m-2", "m-1", "left", "j-1", "2"),
        ("m-1", "m-2", "tie", "j-2", "3"),
        ("m-2", "m-1", "both_bad", "j-3", "3"),
    ]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"winner": "model_c"}, "model_c"),
        ({"model_b": "m-1"}, "same system"),
        ({"judge": None}, "judge"),
        ({"question_id": 1}, "already"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(changed, said):
    rows = [ROWS[0], ROWS[1] | {"model_a": "m-1", "model_b": "m-2"} | changed]
    with pytest.raises(BadFile) as bad:
        read_battles("a.jsonl", "".join(json.dumps(row) + "\n" for row in rows).encode(), "people")
    assert any("line 2" in str(one) and said in str(one) for one in bad.value.problems)


def test_a_name_of_another_format_and_a_missing_column_are_refused():
    with pytest.raises(BadFile):
        read_battles("a.txt", b"")
    with pytest.raises(BadFile, match="judge"):
        read_battles("a.csv", CSV.replace("judge", "who", 1).encode())


@pytest.mark.parametrize(("name", "content"), [("a.jsonl", JSONL), ("a.csv", CSV)])
def test_a_file_that_does_not_say_whose_votes_it_holds_is_refused(name, content):
    with pytest.raises(BadFile, match="judge_kind"):
        read_battles(name, content.encode())


def test_a_row_says_itself_whose_vote_it_is():
    csv = CSV.replace("tstamp", "judge_kind").replace("1.5", "program")
    assert {one.is_of_program for one in read_battles("a.csv", csv.encode(), "people")} == {True}


def test_more_systems_than_a_table_shows_are_refused():
    rows = [ROWS[0] | {"question_id": n, "model_a": f"a-{n}", "model_b": "b"} for n in range(101)]
    with pytest.raises(BadFile, match="102"):
        read_battles("a.json", json.dumps(rows).encode(), "people")


@pytest.mark.django_db
class TestStored:
    def imported(self, campaign, by, content=JSONL, judges="people"):
        battles = read_battles("a.jsonl", content.encode(), judges)
        return import_battles(campaign=campaign, battles=battles, by=by, at=timezone.now())

    def test_the_same_file_again_changes_nothing(self, campaign, organizer):
        first, again = self.imported(campaign, organizer), self.imported(campaign, organizer)
        assert (first.n_new, first.n_known, again.n_new, again.n_known) == (4, 0, 0, 4)
        assert Pair.objects.filter(origin="imported").count() == PairVote.objects.count() == 4
        assert {one.external_judge for one in PairVote.objects.all()} == {"j-1", "j-2", "j-3"}

    def test_a_changed_verdict_is_refused_and_nothing_is_stored(self, campaign, organizer):
        self.imported(campaign, organizer)
        other = ROWS[0] | {"winner": "model_b"}
        more = ROWS[0] | {"question_id": 9}
        with pytest.raises(BadFile, match="line 1"):
            self.imported(campaign, organizer, "".join(json.dumps(row) + "\n" for row in (other, more)))
        assert PairVote.objects.count() == 4

    def test_a_model_with_the_key_of_a_system_is_that_system(self, campaign, organizer):
        entry = campaign.entries.first()
        self.imported(campaign, organizer, json.dumps(ROWS[0] | {"model_a": entry.key}) + "\n")
        assert Pair.objects.get().left == entry

    def test_the_board_counts_them_beside_the_pages(self, campaign, organizer):
        self.imported(campaign, organizer)
        assert pair_board_now(campaign).document is None
        assert refresh_outdated_pair_boards(at=timezone.now()) == 1
        now = pair_board_now(campaign)
        assert not now.is_outdated
        assert (now.document["n_votes"], now.document["n_imported"], now.document["n_judges"]) == (4, 4, 3)
        assert refresh_outdated_pair_boards(at=timezone.now()) == 0

    def test_votes_of_programs_are_stored_and_in_no_board(self, campaign, organizer):
        rows = [ROWS[0] | {"judge_kind": "person"}, ROWS[1] | {"judge": "gpt-4"}, ROWS[2] | {"judge": "gpt-4"}]
        content = "".join(json.dumps(row) + "\n" for row in rows)
        brought = self.imported(campaign, organizer, content, "programs")
        assert (brought.n_new, brought.n_of_programs) == (3, 2)
        assert PairVote.objects.filter(is_of_program=True).count() == 2
        refresh_outdated_pair_boards(at=timezone.now())
        document = pair_board_now(campaign).document
        assert (document["n_votes"], document["n_imported"], document["n_judges"]) == (1, 1, 1)
        with pytest.raises(BadFile, match="line 2"):
            self.imported(campaign, organizer, content, "people")

    def test_the_board_reads_votes_only_after_a_change(self, campaign, organizer, monkeypatch):
        self.imported(campaign, organizer)
        refresh_outdated_pair_boards(at=timezone.now())
        n_read, mark_of = [], stored.mark_of
        monkeypatch.setattr(stored, "mark_of", lambda campaign: n_read.append(1) or mark_of(campaign))

        def board():
            return pair_board_now(Campaign.objects.get(pk=campaign.pk))

        assert (board().is_outdated, n_read) == (False, [])
        note_changed_scores(campaign=campaign)
        assert (board().is_outdated, len(n_read)) == (False, 1)
        assert refresh_outdated_pair_boards(at=timezone.now()) == 0
        assert (board().is_outdated, len(n_read)) == (False, 2)
        self.imported(campaign, organizer, json.dumps(ROWS[0] | {"question_id": 9}) + "\n")
        assert board().is_outdated
        assert refresh_outdated_pair_boards(at=timezone.now() + timedelta(hours=1)) == 1
        assert board().document["n_votes"] == 5

    def test_the_page_imports_or_only_checks(self, campaign, organizer, client):
        client.force_login(organizer)
        address = f"/campaigns/{campaign.slug}/imports/pairs/"
        checked = client.post(
            address, {"file": SimpleUploadedFile("a.jsonl", JSONL.encode()), "judges": "people", "then": "check"}
        )
        assert checked.status_code == 200
        assert not PairVote.objects.exists()
        done = client.post(address, {"file": SimpleUploadedFile("a.jsonl", JSONL.encode()), "judges": "people"})
        assert done.status_code == 302
        assert PairVote.objects.count() == 4
        bad = client.post(address, {"file": SimpleUploadedFile("a.jsonl", b"{}"), "judges": "people"})
        assert bad.status_code == 422

    def test_the_command_names_its_organizer(self, campaign, organizer, tester, tmp_path):
        path = tmp_path / "a.csv"
        path.write_text(CSV)
        err = io.StringIO()
        call_command(
            "import_battles", str(path), campaign=campaign.slug, by=organizer.username, judges="people", stderr=err
        )
        assert "4 comparisons imported, 0 were there already." in err.getvalue()
        with pytest.raises(CommandError, match="does not organize"):
            call_command("import_battles", str(path), campaign=campaign.slug, by=tester.username)
