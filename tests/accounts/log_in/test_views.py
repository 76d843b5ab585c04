"""The log-in page under a thousand guesses."""

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.test import Client

from accounts.models import LogInTry, Person

pytestmark = pytest.mark.django_db
RIGHT = "a long enough one"
n_hashed = 0


class CountingHasher(MD5PasswordHasher):
    algorithm = "counting"

    def encode(self, password, salt):
        global n_hashed
        n_hashed += 1
        return super().encode(password, salt)


@pytest.fixture(autouse=True)
def ann(settings):
    settings.PASSWORD_HASHERS = [f"{__name__}.CountingHasher"]
    return Person.objects.create_user("ann", password=RIGHT)


def log_in(client=None, *, username="ann", password="wrong", address="192.0.2.1", **more):
    fields = {"username": username, "password": password} | more
    return (client or Client()).post("/login/", fields, REMOTE_ADDR=address, headers={"accept-language": "en"})


def hashed_by(act) -> int:
    before = n_hashed
    act()
    return n_hashed - before


def test_1000_guesses_at_one_account_from_one_address_are_hashed_five_times():
    client = Client()
    answers = [log_in(client, password=f"guess {n}").status_code for n in range(1000)]
    assert (answers.count(200), answers.count(429)) == (5, 995)
    assert hashed_by(lambda: [log_in(client) for _ in range(20)]) == 0


def test_even_the_right_password_does_not_get_in_among_the_guesses_and_does_from_elsewhere():
    for _ in range(6):
        log_in()
    assert log_in(password=RIGHT).status_code == 429
    assert log_in(password=RIGHT, address="192.0.2.2").status_code == 302


def test_others_behind_the_same_address_get_in_meanwhile():
    Person.objects.create_user("bob", password=RIGHT)
    for _ in range(200):
        log_in()
    assert log_in(username="bob", password=RIGHT).status_code == 302


def test_the_owner_gets_in_with_their_own_browser_while_the_world_guesses():
    own = Client()
    assert log_in(own, password=RIGHT, address="198.51.100.1").status_code == 302
    own.post("/logout/")
    for n in range(40):
        log_in(address=f"10.0.0.{n}")
    assert log_in(password=RIGHT, address="198.51.100.1").status_code == 429
    assert log_in(own, password=RIGHT, address="198.51.100.1").status_code == 302


def test_known_and_unknown_names_get_the_same_answer_for_the_same_work():
    Person.objects.create_user("without").set_unusable_password()
    Person.objects.create_user("gone", password=RIGHT, is_active=False)
    pages = {}
    for n, name in enumerate(("ann", "nobody", "without", "gone")):
        address = f"192.0.2.{n}"
        assert hashed_by(lambda name=name, address=address: log_in(username=name, address=address)) == 1, name
        answers = [log_in(username=name, address=address) for _ in range(6)]
        pages[name] = [(answer.status_code, answer.content.decode().count('role="alert">')) for answer in answers]
    assert pages["ann"] == pages["nobody"] == pages["without"] == pages["gone"]
    assert pages["ann"] == [(200, 1)] * 4 + [(429, 1)] * 2


def test_the_page_says_until_when_and_the_header_for_how_long():
    for _ in range(5):
        log_in()
    answer = log_in()
    assert "Too many attempts. The next one is accepted from" in answer.content.decode()
    assert 0 < int(answer.headers["Retry-After"]) <= 900
    assert 'value="ann"' in answer.content.decode()
    first = LogInTry.objects.earliest("at")
    assert LogInTry.objects.count() == 5
    LogInTry.objects.update(at=first.at.replace(year=2020))
    assert log_in(password=RIGHT).status_code == 302


def test_a_name_that_no_account_could_have_is_answered_as_any_other():
    for name in ("", "x" * 5000, "ａｎｎ"):
        assert log_in(username=name).status_code == 200


def test_who_mistypes_and_then_gets_in_has_all_guesses_again():
    for _ in range(4):
        log_in()
    assert log_in(password=RIGHT).status_code == 302
    assert not LogInTry.objects.exists()
