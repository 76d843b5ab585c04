"""The command: progress for people, JSON alone for programs, and a status that says whether the bot is green."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from conformance import subjects as checking
from conformance.lab import Report
from conformance.management.commands import conformance as command
from conformance.probes import NAMES
from tests.conformance.checking import SMALL, allowed_of
from tests.fakes.defective_bots import defective_bot, streaming_bot


@pytest.fixture(autouse=True)
def small_loads(monkeypatch):
    monkeypatch.setattr(command, "Limits", lambda: SMALL)


def conformance(settings, url, *arguments):
    settings.OUTBOUND_ALLOW = allowed_of(url)
    out = io.StringIO()
    try:
        call_command("conformance", url, *arguments, stdout=out)
    except SystemExit as ended:
        return ended.code, out.getvalue()
    return 0, out.getvalue()


def test_a_green_bot_gives_json_alone_and_status_0(settings):
    with defective_bot() as bot:
        code, out = conformance(settings, bot.url, "--protocol", "huace/1", "--format", "json", "--parallel", "4")
    document = json.loads(out)
    assert code == 0
    assert set(document) == {"protocol", "verdict", "probes"}
    assert (document["protocol"], document["verdict"]) == ("huace/1", "pass")
    assert [probe["name"] for probe in document["probes"]] == list(NAMES)
    assert all(set(probe) == {"name", "verdict", "sentence", "curl", "took_ms"} for probe in document["probes"])


def test_a_bot_that_fails_gives_status_1_and_the_request_to_send_again(settings):
    with defective_bot("null-text") as bot:
        code, out = conformance(settings, bot.url, "--protocol", "huace/1")
    assert code == 1
    assert f"curl -sS -X POST {bot.url}" in out
    assert "✗ Shape" in out
    assert out.endswith("Verdict: fail\n")


def test_the_protocol_is_named_before_a_word_is_sent_in_it(settings):
    with streaming_bot() as url:
        _, out = conformance(settings, url, "--parallel", "4")
    asked, named, *_ = out.splitlines()
    assert asked.startswith("Asked to find out the protocol: OPTIONS /v1/chat/completions, GET ")
    assert named == "Asking one word in openai. Its path ends with /chat/completions."


def test_a_program_reads_the_name_beside_the_json_before_a_word_is_sent(settings, capsys, monkeypatch):
    async def sends_nothing(subject, door, **said):
        return Report(subject.protocol, ())

    monkeypatch.setattr(command, "checked_subject", sends_nothing)
    with streaming_bot() as url:
        _, out = conformance(settings, url, "--parallel", "4", "--format", "json")
    assert json.loads(out)["protocol"] == "openai"
    asked, named = capsys.readouterr().err.splitlines()
    assert asked.startswith("Asked to find out the protocol: OPTIONS /v1/chat/completions, GET ")
    assert named == "Asking one word in openai. Its path ends with /chat/completions."


def test_a_bot_that_tells_nothing_gets_no_body_of_any_protocol(settings):
    with defective_bot() as bot:
        code, out = conformance(settings, bot.url, "--format", "json")
    assert (code, json.loads(out)["protocol"]) == (1, "")
    assert bot.bodies == []


def test_the_secret_comes_from_the_environment(settings, monkeypatch):
    monkeypatch.setenv("BOT_SECRET", "hush-hush")
    with defective_bot("null-text") as bot:
        _, out = conformance(settings, bot.url, "--protocol", "huace/1", "--secret-env", "BOT_SECRET")
    assert "hush-hush" not in out
    assert "Bearer ***" in out


@pytest.mark.parametrize(
    "arguments",
    [
        ("--secret-env", "NO_SUCH_VARIABLE"),
        ("--options", "[]"),
        ("--options", "{"),
        ("--parallel", "0"),
        ("--parallel", "5000"),
    ],
)
def test_what_cannot_be_meant_is_refused(settings, arguments):
    with pytest.raises(CommandError):
        conformance(settings, "http://127.0.0.1:9/", "--protocol", "huace/1", *arguments)


def test_a_service_is_checked_by_its_own_protocol(settings):
    assert checking.SERVICE == "smp2018_task1"
    code, out = conformance(settings, "http://127.0.0.1:9/smp2018_ecdt", "--format", "json", "--deadline", "0.3")
    document = json.loads(out)
    assert (code, document["protocol"], document["probes"][-1]["name"]) == (1, "smp2018_task1", "reachable")
