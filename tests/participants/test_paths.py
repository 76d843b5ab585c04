"""Paths into JSON: compiled once, and bounded, because whoever registers a bot writes them."""

import pytest

from participants.mappings.paths import path_of
from participants.mappings.steps import Steps
from reading.kinds import Wrong

DOCUMENT = {"data": {"answers": [{"text": "a"}, {"text": "b"}]}, "code": 0}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("data.answers[0].text", "a"),
        ("data.answers[].text", ["a", "b"]),
        ("join('，', data.answers[].text)", "a，b"),
        ("code == `0` && data.answers[-1].text", "b"),
        ("data.nothing.here", None),
        ("length(data.answers)", 2),
    ],
)
def test_a_path_finds_what_it_names(path, found):
    assert path_of(path).found_in(DOCUMENT, Steps(1000)) == found


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("text", {"text"}),
        ("state.id || 'none'", {"state"}),
        ("history[-1].{a: role, b: text}", {"history"}),
        ("history[?role == 'bot'].text | [0]", {"history"}),
        ("{a: text, b: turn}", {"text", "turn"}),
        ("not_null(state, text)", {"state", "text"}),
        ("@", {"@"}),
        ("*.text", {"@"}),
        ("[0]", {"@"}),
        ("`{}`", set()),
    ],
)
def test_a_path_tells_what_it_reads_first(path, names):
    assert path_of(path).names == names


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("a[", "is not JMESPath"),
        ("", "is not JMESPath"),
        ("(" * 400 + "a", "is not JMESPath"),
        ("map(&a, b)", "uses the function map"),
        ("nonsense(a)", "uses the function nonsense"),
        ("join(a, b)", "joins with something"),
        (".".join("a" * 120), "has 121 parts"),
    ],
)
def test_what_cannot_be_used_is_refused_with_a_reason(path, why):
    with pytest.raises(Wrong, match=why):
        path_of(path)


@pytest.mark.parametrize(
    "path",
    [
        " | ".join(["[@, @]"] * 12),
        " | ".join(["[@, @][]"] * 12),
        " | ".join(["{a: @, b: @}"] * 12),
        " | ".join(["to_string([@])"] * 12),
    ],
)
def test_no_path_can_make_much_of_little(path):
    """Each would give two to the power of its parts."""
    with pytest.raises(Wrong, match="repeats what it finds"):
        path_of(path)


@pytest.mark.parametrize(
    "path", ["length(code)", "contains(data.answers[0].text, `5`)", "data.answers[::0]", "length(text, text)"]
)
def test_a_path_on_what_it_does_not_take_says_so(path):
    with pytest.raises(Wrong, match="cannot be applied"):
        path_of(path).found_in(DOCUMENT, Steps(1000))


def test_half_a_character_in_what_the_library_says_can_be_stored():
    with pytest.raises(Wrong, match="cannot be applied") as wrong:
        path_of("join('', @)").found_in(["\ud800", 1], Steps(1000))
    wrong.value.at("reply").in_english.encode()
