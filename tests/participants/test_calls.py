"""The strict reading that all adapters share."""

import json

import pytest

from participants.adapters.calls import Utterance, bearer, json_of, list_of, object_of, text_of, to_json
from participants.failures import BotFailure


@pytest.mark.parametrize(
    ("read", "value", "detail"),
    [
        (text_of, None, "`x` must be a string, not null."),
        (text_of, 3, "`x` must be a string, not a number."),
        (text_of, True, "`x` must be a string, not a boolean."),
        (text_of, "a\ud800", "`x` holds a lone surrogate."),
        (text_of, "a\x00", "`x` holds a NUL character."),
        (object_of, ["a"], "`x` must be an object, not an array."),
        (list_of, {"a": 1}, "`x` must be an array, not an object."),
        (list_of, "a", "`x` must be an array, not a string."),
    ],
)
def test_a_value_of_another_shape_is_named_by_its_place(read, value, detail):
    with pytest.raises(BotFailure) as failed:
        read(value, "`x`")
    assert (failed.value.kind, failed.value.detail) == ("bad_shape", detail)


@pytest.mark.parametrize("size", [1, 100_000])
async def test_json_is_read_strictly_whatever_its_size(size):
    padding = "字" * size
    assert await json_of(json.dumps({"text": padding}).encode()) == {"text": padding}
    for bad in (f'{{"a": "{padding}", "a": 1}}', f'["{padding}", NaN]', f'["{padding}"'):
        with pytest.raises(BotFailure) as failed:
            await json_of(bad.encode())
        assert (failed.value.kind, failed.value.fault) == ("bad_json", "bot")


def test_an_utterance_is_encoded_as_the_history_needs_it():
    said = Utterance("user", '他说："好"\n')
    assert json.loads(said.encoded) == {"role": "user", "text": '他说："好"\n'}
    assert said.encoded.encode() == to_json({"role": "user", "text": '他说："好"\n'})


def test_a_bot_without_a_secret_gets_no_authorization():
    assert bearer("") == {}
    assert bearer("s3cret") == {"Authorization": "Bearer s3cret"}
