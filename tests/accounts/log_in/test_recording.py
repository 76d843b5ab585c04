"""Who got in, went or guessed leaves one line of the trail; a flood of guesses does not."""

import pytest
from django.contrib.auth import login
from django.test import Client

from accounts.models import Person
from tests.trail import lines_of

pytestmark = pytest.mark.django_db
RIGHT = "a long enough one"


@pytest.fixture(autouse=True)
def ann():
    return Person.objects.create_user("ann", password=RIGHT)


def log_in(client, username="ann", password=RIGHT):
    return client.post("/login/", {"username": username, "password": password}, REMOTE_ADDR="192.0.2.1")


def test_a_log_in_and_a_log_out_are_a_line_each():
    client = Client()
    with lines_of() as lines:
        assert log_in(client).status_code == 302
        client.post("/logout/")
        client.post("/logout/")
    assert [(line.act, line.person, line.campaign) for line in lines] == [
        ("login.done", "ann", ""), ("login.ended", "ann", ""),
    ]  # fmt: skip
    assert lines[0].details == {"network": "192.0.2.1"}


def test_a_guess_names_the_account_and_nothing_that_was_typed_besides():
    with lines_of() as lines:
        log_in(Client(), password="secret-guess")
        log_in(Client(), username="My-Pa55word-in-the-wrong-field")
    assert [(line.act, line.person, line.about) for line in lines] == [
        ("login.failed", "", "ann"), ("login.unknown", "", ""),
    ]  # fmt: skip
    assert all(line.details == {"network": "192.0.2.1"} for line in lines)


def test_of_1000_guesses_only_those_that_were_looked_at_leave_a_line():
    client = Client()
    with lines_of() as lines:
        for n in range(1000):
            log_in(client, password=f"guess {n}")
    assert [line.act for line in lines] == ["login.failed"] * 5


def test_whatever_page_lets_somebody_in_leaves_the_line(ann, rf):
    request = rf.post("/somewhere/")
    request.session = Client().session
    with lines_of() as lines:
        login(request, ann, backend="django.contrib.auth.backends.ModelBackend")
    assert [(line.act, line.person) for line in lines] == [("login.done", "ann")]
