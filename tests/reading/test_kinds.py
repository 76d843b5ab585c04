"""Kinds of values: each problem has its place, and reading goes on."""

from datetime import date

import pytest

from reading.checking import Problems
from reading.digits import ID_DIGITS, whole_or_none, whole_or_text
from reading.kinds import (
    ANY_TEXT,
    ANYTHING,
    FLAG,
    IDENTITY,
    LIST,
    OBJECT,
    SLUG,
    TEXT,
    BothTexts,
    Checked,
    Choice,
    FreeTable,
    ListOf,
    Number,
    TableOf,
    Text,
    Texts,
    Whole,
    WholeOr,
    Wrong,
    http_url,
    kind_of,
    shown,
)
from reading.storable import is_storable, unstorable_in, unstorable_place


@pytest.fixture
def problems():
    return Problems()


def said(problems):
    return [str(problem) for problem in problems.listed()]


def read(kind, value, problems, place="p", name="x"):
    return kind.read(value, place, name, problems)


# -- single values ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "value", "problem"),
    [
        (TEXT, None, "must be a text, not null"),
        (TEXT, 5, "must be a text, not a number"),
        (TEXT, True, "must be a text, not true or false"),
        (TEXT, ["a"], "must be a text, not a list"),
        (TEXT, date(2026, 11, 21), "must be a text, not a date"),
        (TEXT, " ", "must not be empty"),
        (TEXT, "x" * 5001, "has 5001 characters; 5000 are the most"),
        (Text(3), "abcd", "has 4 characters; 3 are the most"),
        (TEXT, "a\x00", "holds a NUL character or half a surrogate pair, which cannot be stored"),
        (ANY_TEXT, "\ud800", "holds a NUL character or half a surrogate pair, which cannot be stored"),
        (FLAG, 1, "must be true or false, not 1"),
        (FLAG, "true", 'must be true or false, not "true"'),
        (FLAG, None, "must be true or false, not null"),
        (Whole(), -1, "must be a whole number from 0, not -1"),
        (Whole(1, 3), 0, "must be a whole number from 1 to 3, not 0"),
        (Whole(1, 3), 4, "must be a whole number from 1 to 3, not 4"),
        (Whole(1, 3), 2.0, "must be a whole number from 1 to 3, not 2.0"),
        (Whole(1, 3), "2", 'must be a whole number from 1 to 3, not "2"'),
        (Whole(1, 3), True, "must be a whole number from 1 to 3, not true"),
        (Whole(1, 3), [2], "must be a whole number from 1 to 3, not […]"),
        (Number(0, 0.5), 0.6, "must be a number from 0 to 0.5, not 0.6"),
        (Number(0, 1), True, "must be a number from 0 to 1, not true"),
        (Number(0, 1), float("nan"), "must be a number from 0 to 1, not NaN"),
        (Number(0, 1), date(2026, 11, 21), 'must be a number from 0 to 1, not "2026-11-21"'),
        (Choice(("a", "b")), "c", 'must be one of a, b, not "c"'),
        (Choice(("a", "b")), ["a"], "must be one of a, b, not […]"),
        (Choice(("a", "b")), None, "must be one of a, b, not null"),
        (OBJECT, [], "must be an object, not a list"),
        (LIST, {}, "must be a list, not an object"),
        (ANYTHING, None, "must not be null"),
        (http_url(), "ftp://x", "must start with http:// or https://"),
        (http_url(), "http://x y", "contains a space or a line break; copy it again without them"),
        (http_url(), "http://x\n", "contains a space or a line break; copy it again without them"),
        (http_url(), "", "must not be empty"),
        (Checked(TEXT, str.isupper, "is not loud"), "a", "is not loud"),
        (Checked(TEXT, str.isupper, "is not loud"), 1, "must be a text, not a number"),
        *((IDENTITY, value, f"must be a whole number or a short text, not {shown(value)}")
          for value in [1.5, True, "", "x" * 201, 10**18, [], "\x00"]),
        *((SLUG, value, "must be letters, digits, - and _ (at most 60)")
          for value in ["", "-a", "a b", "a/b", "é", "ſ", "a\n", "imported:1", "x" * 61]),
    ],
)  # fmt: skip
def test_a_value_that_is_not_of_its_kind_is_named_with_its_place(problems, kind, value, problem):
    assert read(kind, value, problems) is None
    assert said(problems) == [f"p.x: {problem}"]
    with pytest.raises(Wrong) as wrong:
        kind.value_of(value)
    assert str(wrong.value) == problem


@pytest.mark.parametrize(
    ("kind", "value", "result"),
    [
        (Text(3), "abc", "abc"), (ANY_TEXT, "", ""), (FLAG, False, False), (Whole(1, 3), 1, 1), (Whole(1, 3), 3, 3),
        (Whole(), 10**9, 10**9), (Number(0.1, 1), 1, 1.0), (Number(0.1, 1), 0.1, 0.1), (Choice(("a", "b")), "b", "b"),
        (IDENTITY, 7, "7"), (IDENTITY, "d 7", "d 7"), (IDENTITY, -1, "-1"), (http_url(), "https://x/y", "https://x/y"),
        (http_url(may_be_empty=True), "", ""), (SLUG, "A-1_b", "A-1_b"), (SLUG, "9", "9"), (SLUG, "x" * 60, "x" * 60),
        (ANYTHING, [1], [1]),
    ],
)  # fmt: skip
def test_a_value_of_its_kind_is_given(problems, kind, value, result):
    assert read(kind, value, problems) == result
    assert kind.value_of(value) == result
    assert not problems


# -- values that hold others --------------------------------------------------------------------------------------


def test_texts_are_one_for_both_languages_or_one_each(problems):
    assert read(BothTexts(), "a", problems) == Texts("a", "a")
    assert read(BothTexts(), {"zh": "甲"}, problems) == Texts("甲", "")
    assert read(BothTexts(may_be_empty=True), "", problems) == Texts()
    assert not problems
    for value in ({"fr": "a"}, 5, {"zh": ""}, "", {"zh": 5}):
        assert read(BothTexts(), value, problems) in (None, Texts())
    assert said(problems) == [
        "p.x: must be a text or {zh = …, en = …}",
        "p.x: must be a text or {zh = …, en = …}",
        "p.x: must not be empty",
        "p.x: must not be empty",
        "p.x.zh: must be a text, not a number",
    ]
    read(BothTexts(), " \n", problems)
    assert said(problems)[-1] == "p.x: must not be empty"


def test_the_values_of_a_list_are_numbered(problems):
    assert read(ListOf(ANY_TEXT), ["a", ""], problems) == ("a", "")
    assert read(ListOf(TEXT), ["a", 1, "\x00"], problems) is None
    assert read(ListOf(TEXT), "a", problems) is None
    assert [problem.place for problem in problems.listed()] == ["p.x[1]", "p.x[2]", "p.x"]


def test_a_free_table_holds_what_json_can(problems):
    assert read(FreeTable(), {"a": [1, 0.5, "b", True, {}]}, problems) == {"a": [1, 0.5, "b", True, {}]}
    for value in ([], "a", {"a": date(2026, 11, 21)}, {"a": float("inf")}, {"a": ["\x00"]}):
        assert read(FreeTable(), value, problems) is None
    assert [problem.place for problem in problems.listed()] == ["p.x", "p.x", "p.x", "p.x", "p.x.a[0]"]


def test_a_table_of_numbers_names_what_is_wrong_in_it(problems):
    kind = TableOf(SLUG, Whole(1, 9))
    assert read(kind, {"chat": 1, "b-2": 9}, problems) == {"chat": 1, "b-2": 9}
    assert read(kind, {"a b": 1, "c": 10}, problems) is None
    assert read(kind, [1], problems) is None
    assert [problem.place for problem in problems.listed()] == ["p.x.a b", "p.x.c", "p.x"]


def test_a_number_may_have_a_word_in_its_place(problems):
    kind = WholeOr(0, 5, "never")
    assert [kind.value_of(value) for value in (0, 5, "never")] == [0, 5, "never"]
    for value in (6, -1, "off", None, True):
        assert read(kind, value, problems) is None
    assert said(problems)[0] == 'p.x: must be a whole number from 0 to 5 or "never", not 6'


# -- wrong values in words ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text"),
    [({"a": 1}, "{…}"), ([1], "[…]"), ("字", '"字"'), ("\ud800", '"\\ud800"'), (1.5, "1.5"), ("x" * 99, '"' + "x" * 56 + "…")],
)  # fmt: skip
def test_a_wrong_value_is_shown_short_and_printable(value, text):
    assert shown(value) == text
    assert is_storable(shown(value))


def test_a_number_that_python_does_not_write_out_is_shown_all_the_same():
    assert shown(10**56) == "1" + 56 * "0"
    assert (shown(16**5000), shown(-(16**5000))) == ("…", "-…")


def test_kinds_of_values_have_names():
    assert [kind_of(value) for value in ({}, [], "", True, None, 1, 1.5, date(2026, 1, 1))] == [
        "an object", "a list", "a text", "true or false", "null", "a number", "a number", "a date",
    ]  # fmt: skip


@pytest.mark.parametrize(("typed", "number"), [("0", 0), ("7", 7), ("007", 7), ("999999999", 999_999_999)])
def test_a_number_is_read(typed, number):
    assert whole_or_none(typed) == number
    assert whole_or_text(typed) == number


@pytest.mark.parametrize(
    "typed", ["", " ", "1 ", "-1", "+1", "1.0", "1e3", "1_000", "²", "١٢", "１２", "一", "1000000000"]
)
def test_any_other_text_is_none(typed):
    assert whole_or_none(typed) is None
    assert whole_or_text(typed) == typed


def test_ids_may_have_more_digits_and_no_text_is_too_long_to_be_refused():
    assert whole_or_none("9" * 18, ID_DIGITS) == 10**18 - 1 < 2**63
    assert whole_or_none("9" * 19, ID_DIGITS) is None
    # `int` refuses more than 4,300 digits with an error.
    assert whole_or_none("9" * 5000, ID_DIGITS) is None


def test_nul_and_halves_of_surrogate_pairs_cannot_be_stored():
    assert is_storable("你好 👩‍🚀\n\t\u200b")
    assert not is_storable("a\x00b")
    assert not is_storable("\ud83d")


def test_the_place_of_such_a_text_is_named_however_deep():
    assert unstorable_place({"a": [1, None, {"b": "ok"}], "c": True}) is None
    assert unstorable_place({"a": [1, {"b": "\x00"}]}) == "a[1].b"
    assert unstorable_place({"a": {"\ud800": 1}}) == "a (the name of a field)"
    assert unstorable_place({"x" * 1000: ["\ud800"]}) == "x" * 60 + "[0]"


def test_two_megabytes_of_any_shape_are_looked_through_at_once():
    """Naming every value under a name of a megabyte would copy terabytes: it would not end."""
    assert unstorable_place({"x" * 1_000_000: [1] * 500_000}) is None
    assert unstorable_place(["x" * 2_000_000, {"a": "b" * 2_000_000}]) is None


def test_such_a_text_is_a_finding_with_its_place():
    assert unstorable_in({"a": "b"}) is None
    assert str(unstorable_in({"a": ["\x00"]})).startswith("a[0]: holds a NUL character or half a surrogate pair")
