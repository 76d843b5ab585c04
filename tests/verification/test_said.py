"""Talks one after the other, with what each part of them costs."""

import json

from tests.verification.tampering import as_rows, rows_in, zipped
from verification.archive import Archive
from verification.findings import Findings
from verification.recomputing import Charging
from verification.said import TALK_FILES, Said, dialogues_of, order_of_dialogues


def opened(files, tmp_path):
    path = tmp_path / "b.zip"
    path.write_bytes(zipped(files))
    archive, findings = Archive(path), Findings()
    archive.check_names(findings)
    return archive, findings


def test_each_talk_is_told_by_the_answered_turns_of_its_parts(files, tmp_path):
    archive, findings = opened(files, tmp_path)
    order = order_of_dialogues(archive, findings)
    settings = json.loads(files["campaign.json"])["settings"]
    said = Said(archive, order, Charging(settings), findings)
    turns = rows_in(files["turns.jsonl"])
    for line, dialogue in dialogues_of(archive):
        answered = [one for one in turns if one["dialogue"] == dialogue["dialogue"] and one["status"] == "answered"]
        by_part = [one["subtask"] for one in answered]
        n_parts = len(dialogue["subtasks"])
        assert said.turns_of(line, dialogue) == [by_part.count(index) for index in range(1, n_parts + 1)]
    assert said.finish() == {file: len(rows_in(files[file])) for file in TALK_FILES}
    assert list(findings) == []
    archive.close()


def test_a_dialogue_that_appears_twice_is_noted_and_looked_at_once(files, tmp_path):
    rows = rows_in(files["dialogues.jsonl"])
    archive, findings = opened(files | {"dialogues.jsonl": as_rows([rows[0], *rows])}, tmp_path)
    order = order_of_dialogues(archive, findings)
    assert [line for line, _ in dialogues_of(archive)] == [1, *range(3, len(rows) + 2)]
    assert list(order.values()) == list(range(len(rows)))
    (found,) = map(str, findings)
    assert found.startswith("dialogues.jsonl, line 2: ")
    archive.close()
