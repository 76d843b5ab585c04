"""The second step of the log-in."""

import pytest
from django.test import Client

from tests.accounts.second_factor.conftest import code_of, password_step


def code_step(client, code, **more):
    return client.post("/login/code/", {"code": code} | more)


def is_in(client):
    return client.get("/account/sessions/").status_code == 200


def test_the_password_alone_logs_nobody_in(factor):
    client, answer = password_step(next="/account/tokens/")
    assert answer.url == "/login/code/?next=%2Faccount%2Ftokens%2F"
    assert not is_in(client)
    assert client.get("/session/").json()["person"] == ""


def test_password_and_code_lead_where_the_log_in_was_to_lead(factor):
    client, _ = password_step()
    assert code_step(client, code_of(factor[0]), next="/account/tokens/").url == "/account/tokens/"
    assert is_in(client)


def test_a_backup_code_does_as_well(factor):
    client, _ = password_step()
    assert code_step(client, factor[1][3]).url == "/start/"
    assert is_in(client)


@pytest.mark.parametrize("wanted", ["https://evil.example/", "//evil.example", "javascript:alert(1)"])
def test_the_code_never_leads_elsewhere(factor, wanted):
    client, _ = password_step()
    assert code_step(client, code_of(factor[0]), next=wanted).url == "/start/"


def test_a_code_without_the_password_is_worth_nothing(factor):
    client = Client()
    assert code_step(client, code_of(factor[0])).url == "/login/"
    assert not is_in(client)


def test_1000_guesses_at_the_code_are_looked_at_five_times_and_the_next_owner_gets_in_elsewhere(factor, settings):
    client, _ = password_step()
    answers = [code_step(client, f"{n:06d}").status_code for n in range(100)]
    assert (answers.count(200), answers.count(429)) == (5, 95)
    assert code_step(client, code_of(factor[0])).status_code == 429
    elsewhere = Client(REMOTE_ADDR="192.0.2.9")
    password_step(elsewhere)
    code_step(elsewhere, code_of(factor[0]))
    assert is_in(elsewhere)


def test_a_browser_that_was_in_gets_its_own_guesses(factor):
    own, _ = password_step()
    code_step(own, factor[1][0])
    own.post("/logout/")
    stranger, _ = password_step()
    for n in range(6):
        code_step(stranger, f"{n:06d}")
    password_step(own)
    code_step(own, factor[1][1])
    assert is_in(own)
