"""What is said to register a bot is read strictly, and every wrong field is named."""

import pytest

from participants.adapters import ADAPTERS
from participants.bot_form import read_address, read_bot
from reading.checking import BadForm


def wrong_fields(said):
    with pytest.raises(BadForm) as bad:
        read_bot(said, ADAPTERS)
    return {problem.place: problem.message for problem in bad.value.problems}


def test_a_bot_is_a_name_and_a_url():
    read = read_bot({"name": "Alpha", "url": "https://bot.example.com/"}, ADAPTERS)
    assert (read.name, read.url, read.protocol, read.secret, read.options) == (
        "Alpha", "https://bot.example.com/", "huace/1", None, {},
    )  # fmt: skip


def test_every_wrong_field_is_named_at_once():
    wrong = wrong_fields({"name": " ", "url": "", "protocol": "telepathy", "secret": "密钥", "colour": "red"})
    assert set(wrong) == {"name", "url", "protocol", "secret", "colour"}


def test_options_are_those_of_the_protocol():
    said = {"name": "A", "url": "https://a.example/", "protocol": "openai"}
    assert read_bot(said | {"options": {"model": "m", "max_tokens": 5}}, ADAPTERS).options["max_tokens"] == 5
    assert set(wrong_fields(said | {"options": {"max_tokens": "five", "mood": 1}})) == {
        "options.max_tokens",
        "options.mood",
    }
    assert set(wrong_fields(said | {"protocol": "rasa", "options": {"model": "m"}})) == {"options.model"}


def test_an_address_alone_has_no_name():
    assert read_address({"url": "https://a.example/", "secret": ""}, ADAPTERS).secret == ""
    with pytest.raises(BadForm):
        read_address({"url": "https://a.example/", "name": "x"}, ADAPTERS)


def test_a_bot_that_connects_itself_has_neither_url_nor_secret():
    assert read_bot({"name": "A", "protocol": "dial-out"}, ADAPTERS).url == ""
    said = {"name": "A", "protocol": "dial-out", "url": "https://a.example/", "secret": "s"}
    assert set(wrong_fields(said)) == {"url", "secret"}
    assert set(wrong_fields({"name": "A", "url": ""})) == {"url"}
    assert set(wrong_fields({"name": "A"})) == {"url"}
