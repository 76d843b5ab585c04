"""No secret in what is shown, wherever a bot repeats it."""

from dataclasses import replace

import pytest

from participants.adapters import ADAPTERS, BotAddress, BotCall, History, Utterance
from participants.adapters.shown_requests import failure_without, shown_request, value_without, without_secret
from participants.failures import BotFailure, FailureKind
from reading.findings import Finding

SECRET = 'hush"hush hush'


@pytest.mark.parametrize(
    ("text", "secret", "shown"),
    [
        ("Bearer s3cret!", "s3cret", "Bearer ***!"),
        ('{"key": "hush\\"hush hush"}', SECRET, '{"key": "***"}'),
        ("/?key=hush%22hush+hush&a", SECRET, "/?key=***&a"),
        ("it ends with s3cr", "s3cret", "it ends with ***"),
        ("it ends with s3c", "s3cret", "it ends with s3c"),
        ("abc abc", "abc", "abc abc"),
        ("nothing", "", "nothing"),
    ],
)
def test_a_secret_is_hidden_however_it_is_written(text, secret, shown):
    assert without_secret(text, secret) == shown


def test_a_failure_is_hidden_in_all_its_parts():
    finding = Finding("end", "must be true or false, not %(value)s", {"value": "s3cret", "n": 3})
    failure = failure_without(BotFailure(FailureKind.BAD_SHAPE, finding, evidence="s3cret"), "s3cret")
    assert (failure.detail.in_english, failure.evidence) == ("end: must be true or false, not ***", "***")
    assert failure.detail == replace(finding, values={"value": "***", "n": 3})
    assert str(failure) == "bad_shape: end: must be true or false, not ***"


def test_the_request_that_is_shown_has_the_secret_nowhere():
    history = History([Utterance("user", "a"), Utterance("bot", SECRET)], {"told": SECRET})
    mapping = {"request": '{"key": "{{secret}}", "all": "{{history}}", "state": "{{state}}"}', "reply": "a"}
    for protocol, options in (("mapping", mapping), ("huace/1", {}), ("openai", {})):
        bot = BotAddress(protocol, "https://bot.example/", SECRET, options)
        shown = shown_request(BotCall(bot, "d", 2, "b", "d:2", history), ADAPTERS)
        assert "hush" not in shown.as_curl


def test_a_json_value_without_the_secret_can_be_written_as_json():
    value = {"12345": ["12345", 12345, True, None], "told": {"key": "it is 12345"}}
    assert value_without(value, "12345") == {"***": ["***", 12345, True, None], "told": {"key": "it is ***"}}
