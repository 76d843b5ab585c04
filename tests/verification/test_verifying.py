"""A bundle that was changed is not verified, and the file or figure that differs is named."""

import json
import re
from pathlib import Path

import pytest

from reviews.trail import digest_of
from tests.verification.tampering import as_rows, changed_row, document, files_of, rows_in
from verification.bundle_format import line_of_trail
from verification.verifying import verify


def test_a_fresh_bundle_is_verified(bundle, tmp_path):
    (tmp_path / "b.zip").write_bytes(bundle)
    report = verify(tmp_path / "b.zip")
    assert report.is_verified
    assert min(report.counts[f"{name}.jsonl"] for name in ("disputes", "changes", "attempts", "records")) > 0


def test_hashes_that_were_made_again_are_those_of_a_fresh_bundle(files, culprits):
    assert culprits(files, remade=True) == []


def test_a_bundle_from_before_a_column_was_added_is_verified_still(files, culprits):
    older = [{name: row[name] for name in row if name != "canary"} for row in rows_in(files["entries.jsonl"])]
    assert culprits(files | {"entries.jsonl": as_rows(older)}, remade=True) == []


# Played campaigns as the last version before `huace-bundle/4` wrote them: with ids of the database, and records without weights. Of the
# experts of the vetted one a majority decided before all had answered.
FORMER_BUNDLE, FORMER_VETTED = (Path(__file__).with_name(f"{name}.zip") for name in ("format_3", "format_3_vetted"))


@pytest.mark.parametrize("former", [FORMER_BUNDLE, FORMER_VETTED], ids=["disputed", "vetted"])
def test_a_bundle_of_the_format_before_is_verified_by_the_rules_that_it_was_written_by(former):
    assert verify(former).is_verified


def test_a_bundle_of_the_format_before_is_verified_as_far_as_it_was(files, culprits, matches):
    former = files_of(FORMER_BUNDLE.read_bytes())
    other_person = changed_row(former, "changes.jsonl", lambda row: row.update(changed_by_id=4711))
    assert matches("changes.jsonl, line 1: the trail of person", culprits(other_person, remade=True))
    assert matches(
        "changes.jsonl, line 1: does not have the columns",
        culprits(former | {"changes.jsonl": files["changes.jsonl"]}, remade=True),
    )


def test_records_of_the_format_before_are_compared_without_weights(culprits, matches):
    former = files_of(FORMER_BUNDLE.read_bytes())
    weighed = changed_row(former, "records.jsonl", lambda row: row.update(weight=0.5))
    assert matches("records.jsonl, line 1: the record of person", culprits(weighed, remade=True))


def one_score_changed(files):
    def change(row):
        row["score"] = 1 if row["score"] != 1 else 0

    return changed_row(files, "ratings.jsonl", change)


def one_turn_removed(files):
    return files | {"turns.jsonl": as_rows(rows_in(files["turns.jsonl"])[1:])}


def last_turn_removed(files):
    return files | {"turns.jsonl": as_rows(rows_in(files["turns.jsonl"])[:-1])}


def counted_otherwise(files):
    return changed_row(files, "reviews.jsonl", lambda row: row.update(is_counted=not row["is_counted"]))


def a_file_added(files):
    return files | {"notes.txt": b"hello"}


def a_rule_reordered(files):
    campaign = json.loads(files["campaign.json"])
    campaign["rule"].insert(0, campaign["rule"].pop())
    return files | {"campaign.json": document(campaign)}


def a_hash_edited(files):
    manifest = json.loads(files["manifest.json"])
    manifest["files"][1]["sha256"] = "0" * 64
    return files | {"manifest.json": document(manifest)}


def a_point_relabelled(files):
    campaign = json.loads(files["campaign.json"])
    campaign["rubric"]["criteria"][0]["points"][0]["label"]["en"] = "splendid"
    return files | {"campaign.json": document(campaign)}


def a_point_moved(files):
    campaign = json.loads(files["campaign.json"])
    point = campaign["rubric"]["criteria"][0]["points"]
    point[0]["score"] = -7
    return files | {"campaign.json": document(campaign)}


def repeated(name, at):
    def change(files):
        rows = rows_in(files[name])
        rows.insert(at % len(rows), rows[at])
        return files | {name: as_rows(rows)}

    return change


def set_in(name, column, value, at=0):
    def change(files):
        return changed_row(files, name, lambda row: row.update({column: value}), at)

    return change


def with_canary(**changed):
    return lambda files: changed_row(files, "entries.jsonl", lambda row: row["canary"].update(changed))


def fingerprints_swapped(files):
    rows = rows_in(files["entries.jsonl"])
    rows[0]["canary"], rows[1]["canary"] = rows[1]["canary"], rows[0]["canary"]
    return files | {"entries.jsonl": as_rows(rows)}


def in_part(**changed):
    """Changes the first part of the first dialogue that closed because its bot failed."""

    def change(files):
        rows = rows_in(files["dialogues.jsonl"])
        at = next(at for at, row in enumerate(rows) if row["subtasks"][0]["status"] == "failed")
        rows[at]["subtasks"][0].update(changed)
        return files | {"dialogues.jsonl": as_rows(rows)}

    return change


def in_frame(**changed):
    return lambda files: changed_row(files, "ledger.jsonl", lambda row: row["frame"].update(changed))


def in_document(name, *path, value):
    def change(files):
        made = json.loads(files[name])
        inner = made
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = value
        return files | {name: document(made)}

    return change


def handed_in_by_another(files):
    """With digests that fit."""
    rows = rows_in(files["changes.jsonl"])
    first = rows[0]["dialogue"], rows[0]["reviewer"]
    digest = ""
    for row in rows:
        if (row["dialogue"], row["reviewer"]) == first:
            row["changed_by"] = "person-99"
            digest = row["digest"] = digest_of(line_of_trail(row), digest)
    return files | {"changes.jsonl": as_rows(rows)}


def a_request_answered_otherwise(files):
    rows = rows_in(files["attempts.jsonl"])
    next(row for row in rows if row["outcome"] == "reply")["reply"] = ["完美"]
    return files | {"attempts.jsonl": as_rows(rows)}


def a_dead_dialogue_left_in(files):
    """A campaign that leaves out what the bot broke: with its part called open the dialogue would become records."""
    return in_part(status="open", turns=0)(
        in_document("campaign.json", "settings", "broken_dialogues", value="left_out")(files)
    )


# The change, the file that is named without new hashes, and what is said where the tamperer made new ones.
CHANGES = {
    "one score changed": (one_score_changed, "ratings.jsonl: its digest", r"ratings.jsonl, line 1: ratings of person-\d+ .* last change"),
    "one turn removed": (one_turn_removed, "turns.jsonl: its digest", "turns.jsonl: turn 1 of dialogue .* is missing: ledger.jsonl has it"),
    "the last turn removed": (last_turn_removed, "turns.jsonl: its digest", "turns.jsonl: .* has 1 turns"),
    "a file added": (a_file_added, "notes.txt: is in the zip, but does not belong", "notes.txt: is in the zip, but does not belong"),
    "a rule reordered": (a_rule_reordered, "campaign.json: its digest", r"leaderboard.json: rule\[0\].key is completion; recomputed it is guidance"),
    "a record twice": (repeated("records.jsonl", 2), "records.jsonl: its digest", "records.jsonl, line 4: appears twice"),
    "the last record twice": (repeated("records.jsonl", -1), "records.jsonl: its digest", "records.jsonl, line .*: appears twice"),
    "an imported record twice": (repeated("imported.jsonl", 3), "imported.jsonl: its digest", "imported.jsonl, line 5: .* appears twice"),
    "a rating twice": (repeated("ratings.jsonl", 0), "ratings.jsonl: its digest", "ratings.jsonl, line 2: .* appears twice"),
    "a turn twice": (repeated("turns.jsonl", 0), "turns.jsonl: its digest", "turns.jsonl, line 1: "),
    "a dialogue twice": (repeated("dialogues.jsonl", 0), "dialogues.jsonl: its digest", "dialogues.jsonl, line 2: .* appears twice"),
    "an entry twice": (repeated("entries.jsonl", 0), "entries.jsonl: its digest", "entries.jsonl, line 2: .* appears twice"),
    "a request twice": (repeated("attempts.jsonl", 0), "attempts.jsonl: its digest", "attempts.jsonl, line 2: .* appears twice"),
    "a line of the ledger twice": (repeated("ledger.jsonl", 0), "ledger.jsonl: its digest", "ledger.jsonl, line 2: .* number 2, but has 1"),
    "a change of scores twice": (repeated("changes.jsonl", 0), "changes.jsonl: its digest", "changes.jsonl, line 2: version 2"),
    "a point of the scale moved": (a_point_moved, "campaign.json: its digest", "ratings.jsonl, .* is -2, which is not a point of the rubric"),
    "another dialogue": (set_in("turns.jsonl", "dialogue", "x"), "turns.jsonl: its digest", "turns.jsonl, line 1: is of the dialogue x, which dialogues.jsonl does not have"),
    "another bot on one rating": (set_in("ratings.jsonl", "bot", "x"), "ratings.jsonl: its digest", "ratings.jsonl, line 1: says another tester, bot"),
    "a reply rewritten": (set_in("turns.jsonl", "reply", ["完美"]), "turns.jsonl: its digest", "turns.jsonl, line 1: the reply of turn 1"),
    "a verdict turned": (set_in("reviews.jsonl", "verdicts", {"1": False}), "reviews.jsonl: its digest", "reviews.jsonl, line 1: verdicts of person"),
    "a review that counts no more": (counted_otherwise, "reviews.jsonl: its digest", "reviews.jsonl, line 1: .* other way round"),
    "an outcome changed": (set_in("dialogues.jsonl", "status", "void"), "dialogues.jsonl: its digest", "dialogues.jsonl, line 1: .* is void; ledger.jsonl says completed"),
    "a trail rewritten": (set_in("changes.jsonl", "reason", "x"), "changes.jsonl: its digest", "changes.jsonl, line 1: the trail of person"),
    "a bot renamed": (set_in("entries.jsonl", "team", "Us"), "entries.jsonl: its digest", "leaderboard.json: .* recomputed it is Us"),
    "a fingerprint changed": (with_canary(version="2.0"), "entries.jsonl: its digest", "entries.jsonl: the fingerprint of the bot .* is not what its digest covers"),
    "fingerprints swapped": (fingerprints_swapped, "entries.jsonl: its digest", "entries.jsonl: the fingerprint of the bot"),
    "a fingerprint without its digest": (with_canary(sha256=None), "entries.jsonl: its digest", "entries.jsonl: the fingerprint of the bot"),
    "a fingerprint that is none": (set_in("entries.jsonl", "canary", "x"), "entries.jsonl: its digest", "entries.jsonl: what it says does not fit the format"),
    "a number as a text": (set_in("ratings.jsonl", "score", "1"), "ratings.jsonl: its digest", "ratings.jsonl, line 1: .* which is not a point"),
    "a score that is true": (set_in("ratings.jsonl", "score", True), "ratings.jsonl: its digest", "ratings.jsonl, line 1: .* which is not a point"),
    "a failed part called open": (in_part(status="open", turns=0), "dialogues.jsonl: its digest", "subtask 1 of dialogue .* is open; ledger.jsonl says failed"),
    "a dead dialogue left in": (a_dead_dialogue_left_in, "dialogues.jsonl: its digest", "subtask 1 of dialogue .* is open; ledger.jsonl says failed"),
    "a part's cap changed": (in_part(cap=99), "dialogues.jsonl: its digest", "dialogue .* has other parts or caps than the scenario"),
    "a reason changed": (set_in("dialogues.jsonl", "reason", "gave_up"), "dialogues.jsonl: its digest", "was closed for another reason, or at another time"),
    "an attempt left out": (set_in("turns.jsonl", "attempts", 1), "turns.jsonl: its digest", "turns.jsonl, line 1: turn 1 of dialogue .* is answered, but no request"),
    "a request answered otherwise": (a_request_answered_otherwise, "attempts.jsonl: its digest", "is not the one that turns.jsonl shows the reply of"),
    "a frame of another kind": (in_frame(type="reply.done"), "ledger.jsonl: its digest", "ledger.jsonl, line 1: line 1 of dialogue .* has a frame of another kind"),
    "a frame of another number": (in_frame(seq=9), "ledger.jsonl: its digest", "ledger.jsonl, line 1: line 1 of dialogue .* has a frame of another kind"),
    "scores handed in by another": (handed_in_by_another, "changes.jsonl: its digest", "changes.jsonl, line 1: scores of person-.* were changed by person-99"),
    "an impossible setting": (in_document("campaign.json", "settings", "reply_deadline_s", value=-3), "campaign.json: its digest", "campaign.json: the setting reply_deadline_s cannot be -3"),
    "names that are none": (in_document("manifest.json", "names", value="numbers"), "manifest.json: says that systems are called by numbers", "manifest.json: says that systems are called by numbers, which they are not"),
    "another campaign": (in_document("manifest.json", "campaign", value="x"), "manifest.json: is of the campaign x", "manifest.json: is of the campaign x; campaign.json is of example-smp2018"),
    "a nonsense value": (set_in("turns.jsonl", "turn", {}), "turns.jsonl: its digest", "do not fit the format|line 1"),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_what_was_changed_is_named(name, files, culprits, matches):
    change, by_hash, _ = CHANGES[name]
    assert matches(by_hash, culprits(change(files)))


@pytest.mark.parametrize("name", CHANGES)
def test_what_was_changed_is_named_where_the_hashes_were_made_again(name, files, culprits, matches):
    change, _, by_content = CHANGES[name]
    assert matches(by_content, culprits(change(files), remade=True))


TWICE = [
    ("ratings.jsonl", "score", ""), ("ledger.jsonl", "type", " "), ("changes.jsonl", "ratings", ""), ("campaign.json", "rule", ""),
]  # fmt: skip


@pytest.mark.parametrize(("name", "key", "spaces"), TWICE)
def test_a_key_given_twice_is_named(name, key, spaces, files, culprits, matches):
    """A reader who takes the last value sees what was published, one who takes the first sees something else."""
    content = files[name].decode().replace(f'"{key}": ', f'"{key}"{spaces}: null, "{key}": ', 1).encode()
    found = culprits(files | {name: content}, remade=True)
    assert matches(f"^{name}.*the key {key} appears twice in an object", found)


@pytest.fixture
def matches():
    def some(pattern, found):
        assert found
        return any(re.search(pattern, one) for one in found) or pytest.fail(f"{pattern} not in\n" + "\n".join(found))

    return some


def test_a_hash_that_was_edited_is_named(files, culprits, matches):
    assert matches("assignments.jsonl: its digest is .*; manifest.json says 0000", culprits(a_hash_edited(files)))


def test_a_label_of_a_point_is_covered_by_its_hash_alone(files, culprits):
    """No figure depends on it, so only the published digest finds it where the hashes were made again."""
    found = culprits(a_point_relabelled(files))
    assert found
    assert all(one.startswith("campaign.json: ") for one in found)
    assert culprits(a_point_relabelled(files), remade=True) == []


def test_a_figure_of_the_board_is_named_with_its_bot(files, culprits):
    board = json.loads(files["leaderboard.json"])
    board["rows"][0]["figures"]["completion"] = 0.75
    was = json.loads(files["leaderboard.json"])["rows"][0]
    found = culprits(files | {"leaderboard.json": document(board)}, remade=True)
    told = f"({was['bot']}) is 0.75; recomputed it is {was['figures']['completion']}"
    assert found == [f"leaderboard.json: rows[0].figures.completion {told}"]


def test_ranks_and_their_order_are_recomputed(files, culprits):
    board = json.loads(files["leaderboard.json"])
    board["rows"][0]["rank"], board["rows"][1]["rank"] = 2, 1
    found = culprits(files | {"leaderboard.json": document(board)}, remade=True)
    assert [one.split(" is ")[0].split(" (")[0] for one in found] == [
        "leaderboard.json: rows[0].rank", "leaderboard.json: rows[1].rank",
    ]  # fmt: skip


def test_a_field_of_a_record_is_named(files, culprits):
    def change(row):
        row["subtasks"][0]["turns"] += 1

    (found,) = culprits(changed_row(files, "records.jsonl", change), remade=True)
    assert found.startswith("records.jsonl, line 1: the record of person-")
    assert "says subtasks[0].turns is 2; recomputed it is 1" in found


def test_a_record_that_is_missing_is_named_once(files, culprits):
    rows = rows_in(files["records.jsonl"])
    for at in (0, 4, len(rows) - 1):
        left = rows[:at] + rows[at + 1 :]
        (found,) = culprits(files | {"records.jsonl": as_rows(left)}, remade=True)
        assert "is missing here" in found


def test_a_file_that_is_missing_is_named(files, culprits):
    assert culprits({name: content for name, content in files.items() if name != "turns.jsonl"}) == [
        "turns.jsonl: is missing"
    ]


def test_many_findings_of_one_file_are_counted(files, culprits):
    rows = [row | {"dialogue": "x"} for row in rows_in(files["turns.jsonl"])]
    found = [one for one in culprits(files | {"turns.jsonl": as_rows(rows)}, remade=True) if "turns.jsonl" in one]
    assert found[-1].startswith("turns.jsonl: ")
    assert "more findings" in found[-1]
