import pytest

from reading.checking import (
    PROBLEM_LIMIT,
    BadFile,
    Problems,
    json_lines,
    read_declared,
    read_json,
    tables,
)
from reading.kinds import TEXT


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


def test_a_field_that_is_missing_is_named():
    problems = Problems()
    assert problems.field({}, "text", "a", TEXT) is None
    assert problems.field({"text": "b"}, "text", "a", TEXT) == "b"
    assert said(problems) == ["a.text: is missing"]


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
        "line 8, column 2: is not JSON: Expecting property name enclosed in double quotes",
    ]


def test_items_of_a_list_are_counted_from_zero():
    problems = Problems()
    assert list(tables([{}, 5, {"a": 1}], "x", problems)) == [("x[0]", {}), ("x[2]", {"a": 1})]
    assert said(problems) == ["x[1]: must be an object, not a number"]


def test_the_name_of_a_file_says_its_format():
    assert read_declared("a.toml", b"x = 1") == {"x": 1}
    assert read_declared("a.json", b'{"x": 1}') == {"x": 1}


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a.toml", b"x = ", "file: is not TOML: Invalid value"),
        ("a.toml", b"x = 1\ny 2", "line 2, column 3: is not TOML: Expected '=' after a key in a key/value pair"),
        ("a.toml", b"x = 1\nx = 2", "file: is not TOML: Cannot overwrite a value"),
        ("a.toml", b"\xff", "byte 0: is not UTF-8"),
        ("a.toml", b"x = " + b"9" * 5000, "file: is not TOML: a number has too many digits"),
        ("a.json", b'{"x": 1, "x": 2}', "file: is not usable JSON: a key appears twice in one object"),
        ("a.json", b"[NaN]", "file: is not usable JSON: NaN is not JSON"),
        ("a.json", b"[" * 5000, "file: is not usable JSON: nested more than 40 levels deep"),
    ],
)
def test_a_declared_file_that_cannot_be_read_says_where_and_why(name, content, problem):
    with pytest.raises(BadFile) as bad:
        read_declared(name, content)
    assert str(bad.value) == problem


@pytest.mark.parametrize(
    "content",
    [
        b"x = " + b"[" * 5000,
        b"x" + b".x" * 5000 + b" = 1",
        b"x = '\"'\ny = " + b"[" * 5000,
        b"x = 'it\\'\ny = " + b"{a = " * 5000,
        b"x = " + b"[" * 41 + b"]" * 41,
        b"x" + b".x" * 41 + b" = 1",
    ],
    ids=["lists", "dotted", "after-a-quote", "after-a-backslash", "closed-lists", "a-little-too-much"],
)
def test_toml_that_is_nested_too_deeply_is_told_so(content):
    with pytest.raises(BadFile, match="file: is not TOML: nested more than 40 levels deep"):
        read_declared("a.toml", content)


def test_brackets_in_a_text_of_toml_nest_nothing():
    assert read_declared("a.toml", b"x = '" + b"[" * 100 + b"'") == {"x": "[" * 100}
