"""Requests with placeholders: what is filled in is a value, never a piece of JSON or of a header."""

import json

import pytest

from participants.mappings.steps import Steps
from participants.mappings.templates import filled_lines, headers_of, query_of, template_of
from reading.kinds import Wrong

KNOWN = {
    "text": '"}, {{secret}} \\',
    "history": [{"role": "user", "text": "你好"}],
    "turn": 2,
    "state": {"id": 7},
    "secret": "s3cret",
    "context": {},
    "language": "zh",
}


def filled(**request):
    return template_of(json.dumps(request)).filled(KNOWN, Steps(1000))


def test_a_placeholder_that_is_a_whole_text_becomes_the_value_itself():
    sent = filled(q="{{text}}", before="{{ history }}", turn="{{turn}}", known="{{state.id}}", none="{{state.none}}")
    assert sent == {
        "q": KNOWN["text"],
        "before": [{"role": "user", "text": "你好"}],
        "turn": 2,
        "known": 7,
        "none": None,
    }


def test_what_is_filled_in_is_not_looked_at_for_placeholders_again():
    assert filled(q="Q{{turn}}: {{text}}", plain="{{") == {"q": 'Q2: "}, {{secret}} \\', "plain": "{{"}


def test_other_values_than_texts_stand_in_a_longer_text_as_json():
    assert filled(q="state {{state}}, {{state.none}}") == {"q": 'state {"id":7}, '}


def test_a_path_reshapes_what_is_sent():
    sent = filled(messages="{{history[].{who: role, content: text}}}", state="{{state.none || `[]`}}")
    assert sent == {"messages": [{"who": "user", "content": "你好"}], "state": []}


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        ('{"a": ', r"is not JSON \(line 1, column 7\): Expecting value"),
        ('"{{text}}"', "must be an object or a list"),
        ('{"a": "{{tekst}}"}', "uses tekst, which is not known here"),
        ('{"a": "{{@}}"}', "uses @"),
        ('{"a": "x {{*}}"}', "uses @"),
        ('{"a": "{{text[}}"}', "is not JMESPath"),
        ('{"a": "{{[history, history, history, history] | [@, @, @, @]}}", "b": "{{[history, history] | [@, @, @, @, @, @, @, @]}}", "c": "{{text}}"}', "33 placeholders"),
        (json.dumps(["{{text}}", "x"] * 33), "33 placeholders"),
    ],
)  # fmt: skip
def test_a_template_that_cannot_be_used_is_refused_with_a_reason(request_, why):
    with pytest.raises(Wrong, match=why):
        template_of(request_)


def test_lines_without_a_value_are_left_out():
    lines = headers_of("X-Key: Key {{secret}}\n\nX-Turn: {{turn}}\nX-State: {{state.none}}")
    assert filled_lines(lines, KNOWN, Steps(1000)) == {"X-Key": "Key s3cret", "X-Turn": "2"}


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ("X-Key", "line 1 is not of the form"),
        ("X-A: 1\nX B: 2", "line 2 is not of the form"),
        ("X-A: 1\nx-a: 2", "names x-a twice"),
        ("Host: inner.example", "sets Host"),
        ("Transfer-Encoding: chunked", "sets Transfer-Encoding"),
        ("X-Text: {{text}}", "uses text, which is not known here"),
        ("X-Name: 名", "not ASCII"),
    ],
)
def test_a_header_that_cannot_be_sent_is_refused_with_a_reason(lines, why):
    with pytest.raises(Wrong, match=why):
        headers_of(lines)


def test_no_secret_goes_into_an_address():
    with pytest.raises(Wrong, match="uses secret"):
        query_of("key: {{secret}}")
    assert filled_lines(query_of("id: {{state.id}}"), KNOWN, Steps(1000)) == {"id": "7"}
