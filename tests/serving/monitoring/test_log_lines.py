"""Lines for programs: JSON, with ids, and nothing of what libraries or people say."""

import json
import logging
import subprocess
import sys
from uuid import UUID

import pytest
from django.conf import settings
from django.test import RequestFactory
from django.urls import resolve

from serving.monitoring.log_lines import JsonLines, RoutesForAddresses

DIALOGUE = UUID(int=5)


def line_of(name, template, *args, error=None, **extra):
    record = logging.LogRecord(
        name, logging.ERROR, "file.py", 1, template, args, (type(error), error, None) if error else None
    )
    record.__dict__.update(extra)
    return json.loads(JsonLines().format(record))


def test_figures_and_ids_are_told_and_of_the_rest_the_type():
    line = line_of("huace.x", "%d of %s by %s: %s", 3, DIALOGUE, "Frau Muster", ValueError("Geheimnis"))
    assert line["event"] == "%d of %s by %s: %s"
    assert line["about"] == [3, str(DIALOGUE), "str", "ValueError"]
    assert "Muster" not in str(line)
    assert "Geheimnis" not in str(line)


def test_an_error_is_its_class_its_cause_and_where_it_was():
    try:
        try:
            raise ValueError("Geheimnis")
        except ValueError as cause:
            raise RuntimeError("DETAIL: Failing row contains (Geheimnis)") from cause
    except RuntimeError as caught:
        record = logging.LogRecord("huace.x", logging.ERROR, "f.py", 1, "It failed.", (), (RuntimeError, caught, None))
        text = JsonLines().format(record)
    told = json.loads(text)["error"]
    assert (told["kind"], told["cause"]) == ("RuntimeError", "ValueError")
    assert told["frames"][-1].endswith("test_an_error_is_its_class_its_cause_and_where_it_was")
    assert "Geheimnis" not in text


@pytest.mark.parametrize(
    ("text", "event"),
    [
        ("Task exception was never retrieved\nfuture: <Task … ValueError('Geheimnis')>", "Task exception was never retrieved"),
        ("Exception inside application: Geheimnis", "Exception inside application"),
    ],
)  # fmt: skip
def test_of_a_library_that_fills_in_its_values_the_beginning_is_told(text, event):
    assert line_of("asyncio", text)["event"] == event


def test_a_line_has_the_fields_of_its_kind():
    line = line_of("huace.turn", "turn", fields={"dialogue": DIALOGUE, "outcome": "answered"})
    assert (line["dialogue"], line["outcome"], line["level"]) == (str(DIALOGUE), "answered", "error")


def test_what_nobody_caught_becomes_lines():
    """In a process of its own: it ends by it."""
    code = """
import logging, sys, threading
from serving.monitoring.log_lines import JsonLines, log_what_nobody_caught
handler = logging.StreamHandler(); handler.setFormatter(JsonLines()); logging.getLogger().addHandler(handler)
log_what_nobody_caught()
def broken(): raise ValueError("Geheimnis")
thread = threading.Thread(target=broken); thread.start(); thread.join()
broken()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 1
    assert [json.loads(line)["error"]["kind"] for line in done.stderr.splitlines()] == ["ValueError", "ValueError"]
    assert "Geheimnis" not in done.stderr


def test_django_names_the_route_of_what_it_could_not_answer():
    """As the settings have it: addresses of links open accounts, and others hold what somebody typed."""
    assert settings.LOGGING["handlers"]["stderr"]["filters"] == ["routes"]
    request = RequestFactory().get("/invitations/opens-an-account/")
    for match, told in ((resolve(request.path), "/invitations/<str:token>/"), (None, "/unknown")):
        request.resolver_match = match
        record = logging.LogRecord(
            "django.request", logging.WARNING, "f.py", 1, "%s: %s", ("Not Found", request.path), None
        )
        record.request = request
        assert json.loads(JsonLines().format(record))["route"] == told[1:]
        assert RoutesForAddresses().filter(record)
        assert record.getMessage() == f"Not Found: {told}"
