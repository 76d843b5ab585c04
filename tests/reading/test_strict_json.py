"""JSON from outside: what is refused, and that reading it never takes more than linear time."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reading.strict_json import are_same, is_too_deep, loads
from tests.linear_time import assert_linear

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)  # fmt: skip


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


HOSTILE = {
    "a string of escaped quotes that never ends": lambda n: "[]" * 41 + '"' + '\\"' * (n // 2),
    "a string of backslashes that never ends": lambda n: "[]" * 41 + '"' + "\\" * n,
    "quotes alone": lambda n: "[]" * 41 + '"' * n,
    "empty strings": lambda n: "[" * 30 + '""' * (n // 2),
    "many shallow pairs": lambda n: "[]" * (n // 2),
    "many pairs as deep as may be": lambda n: nested(40) * (n // 80),
    "brackets that close nothing": lambda n: "]" * n,
    "brackets inside a string": lambda n: '"' + "[" * n + '"',
    "one long string": lambda n: '["' + "长" * n + '"]',
    "many keys": lambda n: "{" + ",".join(f'"{i:020}":"{i:020}"' for i in range(n // 46)) + "}",
    "a number of many digits": lambda n: "1" * n,
    "a fraction of many digits": lambda n: "0." + "7" * n,
}


@pytest.mark.parametrize("text_of", HOSTILE.values(), ids=HOSTILE)
def test_reading_takes_linear_time_whatever_the_text(text_of):
    def read(text: str) -> None:
        with suppress(ValueError):
            loads(text)

    assert_linear(read, text_of)


@given(VALUES)
def test_what_python_writes_is_read_back(value):
    import json

    assert loads(json.dumps(value)) == value
    assert loads(json.dumps(value, ensure_ascii=False).encode()) == value


@pytest.mark.parametrize(
    "text",
    [
        "", "{", '{"a": 1, "a": 2}', "NaN", "-Infinity", "1e999", "1" * 5000, '"open', "[1,]", b"\xff", nested(41),
        '{"a": ' * 41 + "1" + "}" * 41,
    ],
)  # fmt: skip
def test_what_is_not_strict_json_is_a_value_error(text):
    with pytest.raises(ValueError):  # noqa: PT011 - the message is the parser's
        loads(text)


def test_depth_counts_brackets_outside_strings_only():
    assert not is_too_deep(nested(40))
    assert is_too_deep(nested(41))
    assert not is_too_deep('"' + "[" * 100 + '"')
    assert not is_too_deep(r'["\"' + "[" * 100 + '"]')
    assert is_too_deep(r'"\\"' + "[" * 41)
    assert not is_too_deep("[]" * 1000)


@pytest.mark.parametrize("depth", [39, 40, 41, 42, 80, 1000])
def test_depth_is_that_of_objects_and_lists_together_wherever_it_is(depth):
    half, rest = depth // 2, depth - depth // 2
    inner = '{"]":[' * half + "[" * (rest - half) + "]" * (rest - half) + "]}" * half
    texts = [
        inner,
        f"[{inner[1:-1]}]",
        f"{'[]' * 500}{inner}",
        f"[[[1]]]{inner}[[2]]",
        f'"[[" {inner} "]]"',
        inner * 30,
    ]
    assert [is_too_deep(text) for text in texts] == [depth > 40] * len(texts)


@pytest.mark.parametrize(
    "text", ["[" * 41, "[{" * 500, "]" * 60 + "[" * 41, "[" * 41 + "[]" * 50, nested(30) + "[" * 41]
)
def test_brackets_that_are_never_closed_are_too_deep(text):
    assert is_too_deep(text)


def test_true_is_not_one_and_one_is_one_point_zero():
    assert are_same({"a": [1, {"b": None}], "c": "x"}, {"c": "x", "a": [1.0, {"b": None}]})
    for one, other in [
        (True, 1),
        ({"a": [0]}, {"a": [False]}),
        ([1], [1, 1]),
        ({"a": 1}, {"b": 1}),
        ({}, []),
        ("1", 1),
    ]:
        assert not are_same(one, other)
        assert not are_same(other, one)


@given(VALUES)
def test_every_value_is_the_same_as_itself(value):
    assert are_same(value, value)
