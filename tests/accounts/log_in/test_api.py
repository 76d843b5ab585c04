"""A program's way in: a token by name and password, under the budgets of the log-in page."""

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import ApiToken, Person
from accounts.second_factor.actions import begin_set_up, finish_set_up
from audit.models import TrailLine
from tests.accounts.log_in.test_views import CountingHasher, hashed_by
from tests.accounts.second_factor.conftest import code_of

pytestmark = pytest.mark.django_db
PASSWORD = "a long enough one"


@pytest.fixture(autouse=True)
def ann(settings):
    settings.PASSWORD_HASHERS = [f"{CountingHasher.__module__}.CountingHasher"]
    return Person.objects.create_user("ann", password=PASSWORD)


@pytest.fixture
def device(ann):
    """The app of ann, set up half a minute ago."""
    device = begin_set_up(person=ann)
    assert finish_set_up(person=ann, code=code_of(device, steps=-1))
    return device


def log_in(password=PASSWORD, username="ann", network="127.0.0.1", **said):
    body = {"username": username, "password": password} | said
    client = Client(headers={"accept-language": "en"}, REMOTE_ADDR=network)
    return client.post("/api/v1/log-in/", body, content_type="application/json")


def test_the_token_of_the_answer_opens_what_the_person_may_open(ann):
    answer = log_in(name="my program", days=3)
    assert (answer.status_code, answer.json()["person"]) == (201, "ann")
    assert answer.headers["Cache-Control"] == "no-store"
    stored = ApiToken.objects.get()
    assert (stored.user, stored.name, stored.role, stored.campaign) == (ann, "my program", "", "")
    assert round((stored.expiry - stored.created).total_seconds() / 86400) == 3
    headers = {"Authorization": f"Token {answer.json()['token']}"}
    assert Client(headers=headers).get("/api/v1/account/details/").json()["username"] == "ann"


def test_the_site_says_for_how_long_a_token_lasts_at_most(settings):
    settings.TOKEN_DAYS_AT_MOST = 2
    answer = log_in(days=300).json()
    stored = ApiToken.objects.get()
    assert round((stored.expiry - stored.created).total_seconds() / 86400) == 2
    assert datetime.fromisoformat(answer["expires"]) == stored.expiry
    assert log_in(days=10**9).status_code == 201


def test_known_and_unknown_names_get_the_same_answer_for_the_same_work():
    answers = {}
    for name in ("ann", "nobody"):
        assert hashed_by(lambda name=name: log_in("a wrong one", name)) == 1
        answers[name] = log_in("a wrong one", name).json()
    assert answers["ann"] == answers["nobody"]
    assert answers["ann"]["code"] == "wrong_password"


def test_guesses_run_out_as_on_the_page_and_even_the_right_one_waits_then():
    answers = [log_in("a wrong one").status_code for _ in range(7)]
    assert answers == [401] * 5 + [429] * 2
    waits = log_in()
    assert waits.status_code == 429
    assert 14 * 60 < int(waits.headers["Retry-After"]) <= 15 * 60
    page = Client().post("/login/", {"username": "ann", "password": PASSWORD})
    assert page.status_code == 429
    assert not ApiToken.objects.exists()


def test_who_mistypes_and_then_gets_in_has_all_guesses_again():
    for _ in range(4):
        log_in("a wrong one")
    assert log_in().status_code == 201
    assert [log_in("a wrong one").status_code for _ in range(5)] == [401] * 5


def test_a_second_factor_wants_its_code_and_no_password_alone_gets_in(device):
    without = log_in()
    assert (without.status_code, without.json()["code"]) == (401, "code_needed")
    wrong = log_in(code="000000")
    assert (wrong.status_code, wrong.json()["code"]) == (401, "wrong_code")
    assert not ApiToken.objects.exists()
    code = code_of(device)
    assert log_in(code=code).status_code == 201
    assert log_in(code=code).status_code == 401


def test_guesses_at_the_code_run_out_too(device):
    """From a network each, so that it is not the budget of the password (30 from strangers) that runs out."""
    answers = [log_in(code="000000", network=f"192.0.2.{n}").status_code for n in range(12)]
    assert answers == [401] * 10 + [429] * 2


def test_who_came_as_a_program_has_logged_in(ann, device):
    assert log_in(code="000000").status_code == 401
    ann.refresh_from_db()
    assert ann.last_login is None
    assert log_in(code=code_of(device)).status_code == 201
    ann.refresh_from_db()
    assert timezone.now() - ann.last_login < timedelta(minutes=1)


def test_an_account_that_was_closed_gets_nothing():
    Person.objects.update(is_active=False)
    assert log_in().status_code == 401


def test_the_trail_tells_who_got_a_token_and_who_guessed():
    log_in("a wrong one")
    log_in(name="my program", network="192.0.2.7")
    guessed, issued = TrailLine.objects.in_order()
    assert (guessed.act, guessed.person, guessed.about) == ("login.failed", "", "ann")
    assert (issued.act, issued.person, issued.details["name"]) == ("token.issued", "ann", "my program")
    assert (guessed.details["network"], issued.details["network"]) == ("127.0.0.1", "192.0.2.7")


@pytest.mark.parametrize("wrong", [{"username": 1}, {"days": 0}, {"days": "3"}, {"extra": "x"}, {"password": ""}])
def test_a_wrong_field_is_named(wrong):
    answer = log_in(**wrong)
    assert (answer.status_code, list(answer.json()["fields"])) == (422, list(wrong))
