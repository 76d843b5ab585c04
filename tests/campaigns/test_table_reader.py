"""Values of a declared file, one by one: each problem has its place, and reading goes on."""

from datetime import date

import pytest

from campaigns.table_reader import Problem, TableReader, Texts, parsed_file


@pytest.fixture
def reader():
    return TableReader()


def places(reader):
    return [problem.place for problem in reader.problems]


def test_the_name_of_a_file_says_its_format():
    assert parsed_file("a.toml", b"x = 1") == {"x": 1}
    assert parsed_file("a.json", b'{"x": 1}') == {"x": 1}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.toml", b"x = "), ("a.toml", b"\xff"), ("a.toml", b"x = 1\nx = 2"), ("a.json", b'{"x": 1, "x": 2}'),
        ("a.json", b"[NaN]"), ("a.toml", b"x = " + b"[" * 5000), ("a.json", b"[" * 5000),
        ("a.toml", b"x" + b".x" * 5000 + b" = 1"),
    ],
    ids=range(8),
)  # fmt: skip
def test_a_file_that_cannot_be_read_is_a_value_error(name, content):
    with pytest.raises(ValueError, match=r"\S"):
        parsed_file(name, content)


@pytest.mark.parametrize(
    "content",
    [
        b"x = '\"'\ny = " + b"[" * 5000,
        b"x = 'it\\'\ny = " + b"{a = " * 5000,
        b"x = " + b"[" * 41 + b"]" * 41,
        b"x" + b".x" * 41 + b" = 1",
    ],
    ids=["after-a-quote", "after-a-backslash", "lists", "dotted"],
)
def test_toml_that_is_nested_too_deeply_is_told_so(content):
    with pytest.raises(ValueError, match="nested more than 40 levels deep"):
        parsed_file("a.toml", content)


def test_brackets_in_a_text_of_toml_nest_nothing():
    assert parsed_file("a.toml", b"x = '" + b"[" * 100 + b"'") == {"x": "[" * 100}


def test_a_table_names_every_key_it_does_not_know(reader):
    assert reader.table({"a": 1, "b": 2}, "[t]", {"a"}) == {"a": 1, "b": 2}
    assert reader.problems == [Problem("[t] b", "is not known here; there are a")]
    assert reader.table([1], "[u]", {"a"}) == {}
    assert str(reader.problems[-1]) == "[u]: is missing or not a table"


def test_rows_are_numbered_from_one_and_no_key_stands_twice(reader):
    root = {"bots": ["a", "b", "a"]}
    assert reader.rows(root, "bots", lambda row, place: row + place[-1], lambda spec: spec[0]) == ("a1", "b2", "a3")
    assert places(reader) == ["[[bots]] 3"]
    assert reader.rows({}, "bots", lambda row, place: row, str) == ()
    assert reader.rows({"bots": {}}, "bots", lambda row, place: row, str) == ()
    assert places(reader)[-1] == "[[bots]]"


@pytest.mark.parametrize("value", [7, None, ["a"], "abcd", "a\x00", "\ud800"])
def test_a_text_is_a_text_within_its_limit_that_can_be_stored(reader, value):
    assert reader.string({"x": value}, "x", "p", limit=3) == ""
    assert places(reader) == ["p x"]


@pytest.mark.parametrize("value", ["a\x00", "\ud800"])
def test_a_text_that_cannot_be_stored_is_not_called_too_long(reader, value):
    reader.string({"x": value}, "x", "p", limit=3)
    reader.strings({"y": ["b", value]}, "y", "p")
    assert [str(problem) for problem in reader.problems] == [
        "p x: holds a NUL character or half a surrogate pair",
        "p y: holds a NUL character or half a surrogate pair",
    ]


def test_a_needed_text_is_there_and_not_blank(reader):
    assert reader.string({"x": "abc"}, "x", "p", limit=3, needed=True) == "abc"
    assert reader.string({}, "x", "p", limit=3) == ""
    assert reader.problems == []
    reader.string({"x": " "}, "x", "p", limit=3, needed=True)
    reader.string({}, "x", "p", limit=3, needed=True)
    assert reader.problems == [Problem("p x", "is missing")] * 2


@pytest.mark.parametrize("value", ["a", "A-1_b", "9", "x" * 60])
def test_a_slug_may_stand_in_an_address(reader, value):
    assert reader.slug({"x": value}, "x", "p") == value
    assert reader.problems == []


@pytest.mark.parametrize("value", ["", "-a", "a b", "a/b", "é", "a\n", "imported:1", "x" * 61, 1, None])
def test_everything_else_may_not(reader, value):
    assert reader.slug({"x": value}, "x", "p") == ""
    assert places(reader) == ["p x"]


def test_texts_are_one_for_both_languages_or_one_each(reader):
    assert reader.texts({"x": "a"}, "x", "p") == Texts("a", "a")
    assert reader.texts({"x": {"zh": "甲"}}, "x", "p") == Texts("甲", "")
    assert reader.texts({}, "x", "p", needed=False) == Texts()
    assert reader.problems == []
    assert reader.texts({"x": {"fr": "a"}}, "x", "p") == Texts()
    assert reader.texts({"x": {"zh": ""}}, "x", "p") == Texts()
    assert [problem.message for problem in reader.problems] == ["must be a text or {zh = …, en = …}", "is missing"]


def test_a_flag_is_true_or_false_and_nothing_like_it(reader):
    assert (reader.flag({"x": True}, "x", "p"), reader.flag({}, "x", "p")) == (True, False)
    assert reader.problems == []
    for value in (1, "true", None):
        assert reader.flag({"x": value}, "x", "p") is False
    assert places(reader) == ["p x"] * 3


def test_a_number_is_whole_and_within_its_limits(reader):
    assert reader.number({"x": 1}, "x", "p", (1, 3), None) == 1
    assert reader.number({"x": 3}, "x", "p", (1, 3), None) == 3
    assert reader.number({}, "x", "p", (1, 3), 2) == 2
    assert reader.problems == []
    for value in (0, 4, 1.5, 2.0, "2", True, [2]):
        assert reader.number({"x": value}, "x", "p", (1, 3), 2) == 2
    assert places(reader) == ["p x"] * 7


def test_a_choice_is_one_of_those_there_are(reader):
    assert reader.choice({"x": "b"}, "x", "p", ("a", "b"), "a") == "b"
    assert reader.choice({}, "x", "p", ("a", "b"), "a") == "a"
    assert reader.problems == []
    for value in ("c", 1, ["a"], None):
        assert reader.choice({"x": value}, "x", "p", ("a", "b"), "a") == "a"
    assert reader.problems[0].message == "must be one of a, b, not 'c'"
    assert len(reader.problems) == 4


def test_a_list_of_texts_holds_texts_only(reader):
    assert reader.strings({"x": ["a", ""]}, "x", "p") == ["a", ""]
    for value in ("a", [1], ["a\x00"]):
        assert reader.strings({"x": value}, "x", "p") == []
    assert places(reader) == ["p x"] * 3


def test_a_free_table_holds_what_json_can(reader):
    assert reader.free_table({"x": {"a": [1, 0.5, "b", True, {}]}}, "x", "p") == {"a": [1, 0.5, "b", True, {}]}
    for value in ([], "a", {"a": date(2026, 11, 21)}, {"a": float("inf")}, {"a": ["\x00"]}):
        assert reader.free_table({"x": value}, "x", "p") == {}
    assert places(reader) == ["p x", "p x", "p x", "p x", "p x.a[0]"]
