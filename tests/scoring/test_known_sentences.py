"""Sentences that are stored in English are read back with their values."""

import pytest

from scoring import known_sentences
from scoring.known_sentences import know, read_again
from tests.linear_time import assert_linear


@pytest.fixture(autouse=True)
def few_sentences(monkeypatch):
    monkeypatch.setattr(known_sentences, "_KNOWN", {})
    know("It broke: %(received)s")
    know("%(said)s And again.")
    know("100 %% of %(n)s came.")
    know("Status %(status)s.")
    know("Status %(status)s, cut off.")


@pytest.mark.parametrize(
    ("stored", "read"),
    [
        ("It broke: (a+b) * 2", ("It broke: %(received)s", {"received": "(a+b) * 2"})),
        ("It broke: one\ntwo", ("It broke: %(received)s", {"received": "one\ntwo"})),
        ("It broke: ", ("It broke: %(received)s", {"received": ""})),
        # The sentence around comes before the one that ends with whatever was received.
        ("It broke: x And again.", ("%(said)s And again.", {"said": "It broke: x"})),
        ("100 % of 3 came.", ("100 %% of %(n)s came.", {"n": "3"})),
        ("Status 503, cut off.", ("Status %(status)s, cut off.", {"status": "503"})),
        ("It broke", None),
        ("So it broke: x", None),
        ("", None),
    ],
)
def test_a_stored_sentence_is_read_back_with_its_values(stored, read):
    assert read_again(stored) == read


def test_a_text_is_given_back_as_it_is():
    assert know("One more.") == "One more."
    assert read_again("One more.") == ("One more.", {})


@pytest.mark.parametrize("repeated", ["; ", ", cut off.", " And again.", "Status ", "%"])
def test_what_a_server_repeats_is_read_in_linear_time(repeated):
    know("Status %(status)s; %(reason)s; %(more)s And again.")
    assert_linear(read_again, lambda size: "Status " + repeated * (size // len(repeated)))
