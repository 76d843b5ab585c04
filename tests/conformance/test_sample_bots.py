"""The demo's bots are green, by every protocol that calls them."""

import pytest

from conformance.results import is_green
from demo.sample_bots import BRIDGED_BOT, CONTEXT_BOT, SAMPLE_BOTS, on_free_ports, running
from tests.conformance.checking import checked, verdicts
from tests.conformance.test_guessing import guessed

MAPPING = {"request": '{"dialogue": "{{dialogue}}", "text": "{{text}}", "history": "{{history}}"}', "reply": "text"}
# As demo/protocols.toml has them.
BOTS = [
    ("booking", "huace/1", {}),
    ("booking", "mapping", MAPPING),
    ("flights", "openai", {}),
    ("flights", "openai-plain", {}),
    ("forgetful", "rasa", {}),
    ("context", "huace/1", {}),
    ("bridged", "huace/1", {}),
]
TOLD = {"booking": "huace/1", "flights": "openai", "forgetful": "rasa", "context": "huace/1"}


@pytest.fixture(scope="module")
def bots():
    bots = on_free_ports((*SAMPLE_BOTS, CONTEXT_BOT, BRIDGED_BOT))
    with running(bots):
        yield {bot.key: bot for bot in bots}


@pytest.mark.parametrize(("key", "protocol"), list(TOLD.items()), ids=list(TOLD))
def test_a_bot_of_the_demo_tells_its_protocol(bots, key, protocol):
    assert guessed(bots[key].url).protocol == protocol


@pytest.mark.parametrize(("key", "protocol", "options"), BOTS, ids=[f"{row[0]} by {row[1]}" for row in BOTS])
def test_a_bot_of_the_demo_is_green(bots, key, protocol, options):
    report = checked(bots[key].url, protocol, options=options, deadline_s=5.0, slow_ms=3000, long_turns=5)
    assert is_green(report.verdict), [
        result.sentence.in_english for result in report.results if result.verdict == "fail"
    ]
    # A Rasa server and a mapping know no Idempotency-Key.
    assert {name for name, verdict in verdicts(report).items() if verdict != "pass"} <= {"repeated_turn", "protocol"}
