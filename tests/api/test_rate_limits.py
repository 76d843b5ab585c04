"""How API requests are counted."""

import pytest
from django.core.cache import cache
from django.test import Client

from accounts.actions import issue_token
from accounts.models import Person
from api.rate_limits import Taken, take, tighter


def test_a_window_counts_and_the_next_begins_anew():
    taken = [take("person", "1", 2, at_s=1000) for _ in range(3)]
    assert [one.remaining for one in taken] == [1, 0, 0]
    assert [one.is_over for one in taken] == [False, False, True]
    # 1000 s are in the window from 900 to 1200.
    assert taken[0].resets_in_s == 200
    assert not take("person", "1", 2, at_s=1200).is_over
    assert not take("person", "2", 2, at_s=1000).is_over
    assert take("person", "3", 2, window_s=86400, at_s=1000).resets_in_s == 85400


def test_without_a_limit_nothing_is_counted():
    assert take("person", "1", 0) is None


def test_while_the_cache_of_all_machines_is_away_each_process_counts_for_itself(monkeypatch):
    def away(*args, **named):
        raise ConnectionError("gone")

    assert take("person", "1", 5, at_s=1000).used == 1
    for name in ("add", "incr"):
        monkeypatch.setattr(cache, name, away)
    assert [take("person", "1", 5, at_s=1000).used for _ in range(2)] == [1, 2]


def test_the_limit_of_which_less_is_left_is_told():
    wide, narrow = Taken(1000, 500, 10), Taken(100, 90, 10)
    assert tighter(wide, narrow) == tighter(narrow, None) == narrow
    assert tighter(None, None) is None


URL = "/api/v1/assignments/"


@pytest.fixture
def ann(db):
    return Person.objects.create_user("ann")


def get(person=None, address="192.0.2.1", token=""):
    token = token or (issue_token(person=person) if person else "")
    headers = {"Accept-Language": "en"} | ({"Authorization": f"Token {token}"} if token else {})
    return Client().get(URL, headers=headers, REMOTE_ADDR=address)


def test_a_person_over_the_limit_waits_and_others_do_not(ann, settings):
    settings.API_RATE = 3
    other = Person.objects.create_user("bob")
    answers = [get(ann) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert [answer.headers["RateLimit-Remaining"] for answer in answers] == ["2", "1", "0", "0"]
    assert {answer.headers["RateLimit-Limit"] for answer in answers} == {"3"}
    assert 0 < int(answers[3].headers["Retry-After"]) <= 300
    assert answers[3].headers["Retry-After"] == answers[3].headers["RateLimit-Reset"]
    assert answers[3].json()["status"] == 429
    assert get(other).status_code == 200
