"""How long requests take: by route and hour, and as a line that names nothing but numbers and ids."""

import logging
from uuid import UUID

import pytest
from django.urls import reverse

from serving.monitoring import request_times
from serving.monitoring.request_times import WINDOW_S, RouteTimes, ids_in


def test_the_times_of_this_hour_and_of_the_one_before_count():
    now = 0.0
    times = RouteTimes(clock=lambda: now)
    times.note("a/", 0.2)
    times.note("a/", 0.4)
    now = WINDOW_S + 1
    times.note("a/", 0.6)
    assert (times.all()["a/"].n, round(times.all()["a/"].mean_s, 6), times.all()["a/"].worst_s) == (3, 0.4, 0.6)
    now = 2 * WINDOW_S + 1
    assert times.all()["a/"].n == 1
    now = 3 * WINDOW_S + 1
    assert times.all() == {}


def test_two_silent_hours_leave_nothing():
    now = 0.0
    times = RouteTimes(clock=lambda: now)
    times.note("a/", 0.2)
    now = 2 * WINDOW_S
    assert times.all() == {}


def test_words_of_an_address_are_no_ids():
    dialogue = UUID(int=7)
    given = {"slug": "smp2018", "token": "opens-an-account", "number": 3, "dialogue_id": dialogue}
    assert ids_in(given) == {"number": "3", "dialogue_id": str(dialogue)}


@pytest.mark.django_db
def test_a_request_is_counted_and_leaves_a_line_without_its_words(client, tester, monkeypatch, caplog):
    times = RouteTimes()
    monkeypatch.setattr(request_times, "route_times", times)
    client.force_login(tester)
    with caplog.at_level(logging.INFO, logger="huace.request"):
        answer = client.get(reverse("invitation", args=["opens-an-account"]), {"next": "Geheimnis"})
        client.get("/nowhere/Geheimnis/")
    first, second = (record.fields for record in caplog.records if record.name == "huace.request")
    assert (first["route"], first["status"], first["person"]) == (
        "invitations/<str:token>/",
        answer.status_code,
        tester.pk,
    )
    assert (second["route"], second["status"]) == ("unknown", 404)
    assert "opens" not in str(first)
    assert "Geheimnis" not in f"{first} {second}"
    assert times.all().keys() == {"invitations/<str:token>/"}
    assert len(answer.headers["X-Request-Id"]) == 16
