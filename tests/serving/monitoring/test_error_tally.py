"""Errors are told by their class and place, never by what was said of them."""

import logging
from pathlib import Path

import pytest
from django.test import RequestFactory
from django.urls import resolve

from serving.monitoring import error_tally
from serving.monitoring.error_tally import ErrorKind, ErrorTally, own_path, place_of
from serving.refused import Refused


def logger_of(tally):
    logger = logging.getLogger("huace.tests.tally")
    logger.handlers, logger.propagate = [tally], False
    return logger


def test_the_same_error_at_the_same_place_is_one_kind():
    tally = ErrorTally()
    logger = logger_of(tally)
    for text in ("gesagt", "anders"):
        try:
            raise Refused(text)
        except Refused:
            logger.exception("It failed for %s.", text)
    logger.error("Without an exception.")
    logger.warning("Not an error.")
    (last, one), (first, two) = tally.latest()
    assert (last.part, last.kind, one.n) == ("huace.tests.tally", "logged", 1)
    assert (first.kind, two.n) == ("Refused", 2)
    assert first.place.startswith("tests/serving/monitoring/test_error_tally.py:")
    assert "gesagt" not in str(tally.latest())


def test_the_kinds_that_came_last_stay(monkeypatch):
    monkeypatch.setattr(error_tally, "KINDS_KEPT", 2)
    tally = ErrorTally()
    for place in ("a", "b", "a", "c"):
        tally.note(ErrorKind("part", "Kind", place))
    assert [(kind.place, met.n) for kind, met in tally.latest()] == [("c", 1), ("a", 2)]


def test_an_error_of_a_library_is_placed_where_ours_called_it():
    with pytest.raises(ValueError, match="kein") as caught:
        int("kein")
    assert place_of(caught.value).endswith("test_an_error_of_a_library_is_placed_where_ours_called_it")


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("/opt/huace/serving/jobs.py", "serving/jobs.py"),
        ("/opt/huace/venv/lib/python3.11/site-packages/redis/client.py", ""),
        ("/opt/huace-env/lib/python3.11/site-packages/redis/client.py", ""),
        ("<string>", ""),
    ],
)
def test_a_library_is_none_of_ours_wherever_it_is_installed(file, expected):
    assert own_path(Path(file), Path("/opt/huace")) == expected


def test_a_request_that_was_answered_with_an_error_is_placed_at_its_route():
    tally, request = ErrorTally(), RequestFactory().get("/invitations/opens-an-account/")
    request.resolver_match = resolve(request.path)
    logger_of(tally).error("%s: %s", "Service Unavailable", request.path, extra={"request": request})
    assert [kind.place for kind, _ in tally.latest()] == ["/invitations/<str:token>/"]
