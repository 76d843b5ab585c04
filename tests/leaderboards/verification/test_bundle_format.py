import json

from leaderboards.verification.bundle_format import COLUMNS, FILES, PLACE, as_document, as_line


def test_every_file_of_rows_is_a_file_of_the_bundle_and_no_name_leads_elsewhere():
    assert set(COLUMNS) < set(FILES)
    assert len(set(FILES)) == len(FILES)
    assert all(name == name.strip() and "/" not in name and "\\" not in name for name in FILES)


def test_rows_of_dialogues_begin_with_the_dialogue():
    assert PLACE[0] == "dialogue"
    assert COLUMNS["turns.jsonl"][:5] == PLACE


def test_a_row_is_one_line_whatever_its_texts_hold():
    line = as_line({"text": "好\n\u2028\r"})
    assert line.count("\n") == 1
    assert line.endswith("\n")
    assert json.loads(line) == {"text": "好\n\u2028\r"}


def test_a_document_is_read_back():
    assert json.loads(as_document({"a": ["好", 1.5]})) == {"a": ["好", 1.5]}
