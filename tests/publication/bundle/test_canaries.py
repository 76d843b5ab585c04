"""What a bundle tells of a bot's fingerprint: enough to compare it, nothing by which the bot is reached."""

import hashlib
import json
from datetime import UTC, datetime

import pytest

from publication.bundle.rows import canary_of
from publication.bundle.writing import names_of

pytestmark = pytest.mark.django_db
AT = datetime(2026, 5, 1, 8, tzinfo=UTC)
# What `printf '["您好", "您好"]' | sha256sum` prints.
HELLO = "74f61f3001136eb88357166a134376cb9264ee335d0c062c9f962f177ca9b953"


@pytest.fixture
def entry(campaign):
    return campaign.entries.get()


def taken(entry, at=AT, version="bot 1.4", **fields):
    named = {"protocol": entry.protocol, "url": entry.url, "answers": [["您好", "您好"]]} | fields
    return entry.fingerprints.create(taken_at=at, version=version, **named)


def told(entry, *, hides_teams=False):
    return canary_of(entry, names_of(entry.campaign, hides_teams=hides_teams, at=AT))


def test_a_bot_that_nobody_asked_has_none(entry):
    assert told(entry) is None
    taken(entry, answers=[], failure=["", "down", {}])
    assert told(entry) is None


def test_the_answers_are_hashes_that_whoever_asks_the_bot_can_compare(entry):
    taken(entry, is_reference=True)
    canary = told(entry)
    digest = canary.pop("sha256")
    assert canary == {
        "protocol": "huace/1", "version": "bot 1.4", "taken_at": "2026-05-01T08:00:00+00:00", "answers": [HELLO],
        "is_changed": False,
    }  # fmt: skip
    text = json.dumps([entry.key, canary], sort_keys=True, separators=(",", ":"))
    assert digest == hashlib.sha256(text.encode()).hexdigest()


def test_a_bot_that_answers_otherwise_by_now_is_said_to_have_changed(entry):
    taken(entry, is_reference=True)
    taken(entry, at=AT.replace(day=2), answers=[["Hello"]], differs=[0])
    assert told(entry)["is_changed"]
    assert told(entry)["answers"] == [HELLO]


def test_the_address_is_told_nowhere_not_even_by_the_server_itself(entry):
    entry.url = "https://Canary.example.com/chat"
    entry.save()
    taken(entry, version="Gradio at https://canary.example.com", is_reference=True)
    assert "canary.example" not in json.dumps(told(entry))
    assert told(entry)["version"] == ""


def test_under_an_alias_nobody_else_can_compare_the_answers(entry, settings):
    taken(entry, is_reference=True)
    first = told(entry, hides_teams=True)["answers"]
    assert HELLO not in first
    settings.SECRET_KEY = "another"
    assert told(entry, hides_teams=True)["answers"] != first
