"""Scenarios of uploaded tables: the same in every format, and every problem with its place."""

import io
import json

import pytest
from openpyxl import Workbook

from organizing.scenarios.examples import EXAMPLES, example_of
from organizing.scenarios.tables import FORMATS, MOBILECS, TABLE, read_scenarios
from reading.checking import BadFile, Problems


def problems_of(name, content, **more):
    with pytest.raises(BadFile) as bad:
        read_scenarios(name, content, **more)
    return [problem.in_english for problem in bad.value.problems]


def xlsx(*rows):
    book = Workbook()
    book.active.title = "Cases"
    for row in rows:
        book.active.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


@pytest.mark.parametrize("format", FORMATS)
def test_the_example_of_each_format_says_the_same_scenarios(format):
    said = [TABLE.read(one, "", "", Problems()) for one in EXAMPLES]
    assert [spec for _, spec in read_scenarios(f"Cases.{format.upper()}", example_of(format))] == said


def test_every_problem_of_a_csv_is_named_by_row_and_column():
    text = "key,subtasks,opening,colour\r\na,flight: 20,x,red\r\na,flight: many,y,\r\nnot ok,,z,\r\n"
    assert problems_of("x.csv", text.encode()) == [
        "row 1, colour: is not known here; there are key, title_zh, title_en, opening, opening_en, instructions_zh, "
        "instructions_en, skill, items, facts, context, practice, subtasks",
        'row 3, subtasks: “flight: many” is not a kind with its turn cap, as in "flight: 20"',
        "row 3, key: “a” already appears at row 2",
        "row 4, key: must be letters, digits, - and _ (at most 60)",
        "row 4, subtasks: is missing",
    ]


def test_a_key_that_comes_twice_is_named_with_both_rows():
    text = "key;subtasks\na;flight\nb;flight\na;hotel\n"
    assert problems_of("x.csv", text.encode()) == ["row 4, key: “a” already appears at row 2"]


def test_facts_may_have_columns_of_their_own_and_numbers_stay_numbers():
    content = xlsx(["key", "subtasks", "facts.flight.from", "facts.flight.price"], [7, "flight: 3", "北京", 780])
    ((place, spec),) = read_scenarios("x.xlsx", content)
    assert (place, spec.key, spec.facts) == ("sheet Cases, row 2", "7", {"flight": {"from": "北京", "price": 780}})


def test_a_row_changes_what_it_says_and_nothing_by_silence():
    stored = {"a": {"key": "a", "title": {"zh": "甲", "en": "A"}, "facts": {"n": 1}, "subtasks": [{"kind": "flight"}]}}
    rows = "key,title_en,opening\na,B,\n"
    ((_, spec),) = read_scenarios("x.csv", rows.encode(), stored=stored)
    assert (spec.title.zh, spec.title.en, spec.facts, spec.subtasks[0].kind) == ("甲", "B", {"n": 1}, "flight")
    assert problems_of("x.csv", b"key,title_en\nb,B\n") == ["row 2, subtasks: is missing"]


def test_problems_of_a_workbook_name_sheet_row_and_column():
    assert problems_of("x.xlsx", xlsx(["key", "subtasks"], ["a", None])) == ["sheet Cases, row 2, subtasks: is missing"]


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("x.csv", "key,subtasks\n".encode("utf-16"), "byte 0: is not UTF-8; save it as “CSV UTF-8”"),
        ("x.csv", b"", "row 1, key: is missing"),
        ("x.csv", b"key,subtasks\n", "file: holds no scenario"),
        ("x.csv", b'key,subtasks\n"a', "line 2: is not CSV: unexpected end of data"),
        ("x.json", b"{}", "file: must be a list, not an object"),
        ("x.jsonl", b'{"key": "a"}\n', "line 1, subtasks: is missing"),
        ("x.json", b'[{"key": "a", "subtasks": [{"kind": 1}]}]', "[0].subtasks[0].kind: must be a text, not a number"),
        ("x.pdf", b"", "file: is not a .csv, .xlsx, .json or .jsonl by its name"),
        ("x.xlsx", b"PK", "file: is not an Excel file (.xlsx) that can be read"),
    ],
)
def test_a_table_that_cannot_be_read_is_refused_in_words(name, content, problem):
    assert problems_of(name, content)[0] == problem


def test_mobilecs_dialogues_become_scenarios():
    dialogue = {
        "id": "d1",
        "KB": {"ent-1": {"name": "套餐甲", "月费": "38元"}},
        "goal": {"ent-1": {"name": "套餐甲", "月费": "?"}},
        "turns": [{"用户": "套餐甲多少钱", "客服": "38元", "用户意图": "询问(月费)", "客服意图": "通知(月费)"}],
    }
    ((_, spec),) = read_scenarios("x.json", json.dumps([dialogue]).encode(), kind=MOBILECS)
    assert (spec.key, spec.opening, spec.subtasks[0].kind) == ("mobilecs-d1", "套餐甲多少钱", "service")
