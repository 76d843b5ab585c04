"""The second step of the log-in."""

import re
from datetime import timedelta

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client
from django.utils import timezone

from accounts.second_factor.codes import as_typed, digest_of_code, fresh_codes, spaced
from accounts.second_factor.pending import TIME, half_way_in, note_half_way
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


def test_half_way_lasts_ten_minutes_and_ends_with_the_password(ann):
    session, now = SessionStore(), timezone.now()
    assert half_way_in(session, now) is None
    note_half_way(session, ann, "backend", now)
    assert half_way_in(session, now + TIME - timedelta(seconds=1)) == (ann, "backend")
    assert half_way_in(session, now + TIME) is None
    ann.set_password("another long one")
    ann.save()
    assert half_way_in(session, now) is None


def test_who_was_deactivated_meanwhile_gets_no_further(ann):
    session, now = SessionStore(), timezone.now()
    note_half_way(session, ann, "backend", now)
    ann.is_active = False
    ann.save()
    assert half_way_in(session, now) is None


def test_spaces_hyphens_and_capitals_make_no_difference():
    assert as_typed(" K3MP - x7qa\n") == "k3mpx7qa"
    assert as_typed("123 456") == "123456"


def test_ten_different_codes_without_letters_that_look_alike():
    codes = fresh_codes()
    assert len(set(codes)) == 10
    assert all(re.fullmatch(r"[a-hjkmnp-z2-9]{4}-[a-hjkmnp-z2-9]{4}", code) for code in codes)


def test_a_code_is_stored_as_a_digest_of_sixteen_letters():
    digest = digest_of_code("k3mp-x7qa", "key")
    assert digest == digest_of_code("K3MP x7qa", "key") != digest_of_code("k3mp-x7qa", "other")
    assert len(digest) == 16


def test_a_secret_is_read_in_groups_of_four():
    assert spaced("ABCDEFGHIJ") == "ABCD EFGH IJ"
