import pytest

from scoring.checking import (
    PROBLEM_LIMIT,
    BadFile,
    Problems,
    json_lines,
    kind_of,
    read_json,
    shown,
    tables,
    under,
)
from scoring.storable import is_storable


def said(problems: Problems) -> list[str]:
    return [str(problem) for problem in problems.listed()]


def test_without_problems_nothing_is_refused():
    Problems().refuse()


def test_beyond_the_limit_problems_are_counted():
    problems = Problems()
    for n in range(PROBLEM_LIMIT + 2):
        problems.note(f"line {n}", "is missing")
    assert len(problems) == PROBLEM_LIMIT + 2
    assert said(problems)[-1] == "…: 2 more problems of the same file"
    assert len(said(problems)) == PROBLEM_LIMIT + 1


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ({}, "a.text: is missing"),
        ({"text": None}, "a.text: must not be null"),
        ({"text": 5}, "a.text: must be a text, not a number"),
        ({"text": True}, "a.text: must be a text, not true or false"),
        ({"text": " "}, "a.text: must not be empty"),
        ({"text": "x" * 5001}, "a.text: has 5001 characters; 5000 are the most"),
        ({"text": "a\x00"}, "a.text: holds a character that is no text (NUL or a lone surrogate)"),
        ({"text": "\ud800"}, "a.text: holds a character that is no text (NUL or a lone surrogate)"),
    ],
)
def test_a_text_that_is_none_is_named(value, problem):
    problems = Problems()
    assert problems.text(value, "text", "a") is None
    assert said(problems) == [problem]


@pytest.mark.parametrize("value", [-1, 3, 1.0, True, "1"])
def test_a_whole_number_out_of_its_limits_is_named(value):
    problems = Problems()
    assert problems.whole({"n": value}, "n", "", below=3) is None
    assert said(problems) == [f"n: must be a whole number from 0 to 2, not {shown(value)}"]
    assert Problems().whole({"n": 2}, "n", "", below=3) == 2


@pytest.mark.parametrize(("value", "name"), [(7, "7"), ("d 7", "d 7"), (-1, "-1")])
def test_an_id_is_a_text_or_a_whole_number(value, name):
    assert Problems().identity({"id": value}, "line 1", {}) == name


@pytest.mark.parametrize("value", [1.5, True, "", "x" * 201, 10**18, [], "\x00"])
def test_what_is_no_id_is_named(value):
    problems = Problems()
    assert problems.identity({"id": value}, "line 1", {}) is None
    assert said(problems) == [f"line 1, id: must be a whole number or a short text, not {shown(value)}"]


def test_an_id_that_stands_twice_is_named_with_its_first_place():
    problems, seen = Problems(), {}
    assert [problems.identity({"id": name}, f"line {n}", seen) for n, name in enumerate([7, "7"])] == ["7", None]
    assert said(problems) == ["line 1, id: “7” already appears at line 0"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b'{"a": 1,\n "b" 2}', "line 2, column 6: is not JSON: Expecting ':' delimiter"),
        (b"\xef\xbb\xbf[1, 2", "line 1, column 6: is not JSON: Expecting ',' delimiter"),
        (b'["\xff"]', "byte 2: is not UTF-8"),
        (b"[NaN]", "file: is not usable JSON: NaN is not JSON"),
        (b"[" + b"1" * 5000 + b"]", "file: is not usable JSON: a number has too many digits"),
    ],
)
def test_a_file_that_is_no_json_says_where_and_why(content, problem):
    with pytest.raises(BadFile) as bad:
        read_json(content)
    assert str(bad.value) == problem


def test_lines_are_counted_from_one_and_empty_ones_are_passed_over():
    problems = Problems()
    content = b'\xef\xbb\xbf{"id": 1}\r\n\n  \n[]\n{"id": 2}\n\xff\nnull\n{'
    assert list(json_lines(content, problems)) == [("line 1", {"id": 1}), ("line 5", {"id": 2})]
    assert said(problems) == [
        "line 4: must be an object, not a list",
        "line 6: is not UTF-8",
        "line 7: must be an object, not null",
        "line 8: is not JSON: Expecting property name enclosed in double quotes",
    ]


def test_items_of_a_list_are_counted_from_zero():
    problems = Problems()
    assert list(tables([{}, 5, {"a": 1}], "x", problems)) == [("x[0]", {}), ("x[2]", {"a": 1})]
    assert said(problems) == ["x[1]: must be an object, not a number"]


def test_a_place_within_a_place():
    assert [under("", "a"), under("a", "b"), under("[3]", "id"), under("line 7", "id")] == [
        "a",
        "a.b",
        "[3].id",
        "line 7, id",
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [({"a": 1}, "{…}"), ([1], "[…]"), ("字", '"字"'), ("\ud800", '"\\ud800"'), (1.5, "1.5"), ("x" * 99, '"' + "x" * 56 + "…")],
)  # fmt: skip
def test_a_wrong_value_is_shown_short_and_printable(value, text):
    assert shown(value) == text
    assert is_storable(shown(value))


def test_kinds_of_values_have_names():
    assert [kind_of(value) for value in ({}, [], "", True, None, 1, 1.5)] == [
        "an object", "a list", "a text", "true or false", "null", "a number", "a number",
    ]  # fmt: skip
