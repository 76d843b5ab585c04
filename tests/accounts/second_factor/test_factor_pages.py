"""The page of one's own second factor."""

import re

import pytest
from django.test import Client
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts.actions import issue_token
from tests.accounts.second_factor.conftest import PASSWORD, code_of

PAGE = "/account/second-factor/"


@pytest.fixture
def client(ann):
    client = Client()
    client.force_login(ann)
    client.get("/")
    return client


def text(answer):
    return answer.content.decode()


def test_it_is_set_up_with_a_picture_a_secret_and_a_code_and_shows_backup_codes_once(client, ann):
    assert 'id="secret"' not in text(client.get(PAGE))
    client.post(f"{PAGE}begin/")
    page = text(client.get(PAGE))
    assert 'src="data:image/svg+xml' in page
    device = TOTPDevice.objects.get()
    assert "is not right" in text(client.post(f"{PAGE}confirm/", {"code": "000000"}))
    done = text(client.post(f"{PAGE}confirm/", {"code": code_of(device)}))
    codes = re.findall(r"<li><code>([a-z0-9-]+)</code>", done)
    assert len(codes) == 10
    assert "turned on" in done
    later = text(client.get(PAGE))
    assert codes[0] not in later
    assert "10 backup codes are left" in later
    assert 'id="secret"' not in later


def test_setting_it_up_ends_the_other_logins(client, ann):
    other = Client()
    other.force_login(ann)
    other.get("/")
    client.post(f"{PAGE}begin/")
    client.post(f"{PAGE}confirm/", {"code": code_of(TOTPDevice.objects.get())})
    assert client.get(PAGE).status_code == 200
    assert other.get(PAGE).status_code == 302


def test_the_page_ends_tokens_of_log_in_and_offers_to_end_the_others(client, ann):
    by_hand = issue_token(person=ann, name="by hand")
    made = client.post("/api/v1/log-in/", {"username": "ann", "password": PASSWORD}, "application/json").json()["token"]
    client.post(f"{PAGE}begin/")
    page = text(client.get(PAGE))
    assert "So does 1 API token that a program got by logging in." in page
    assert '<input type="checkbox" name="tokens" >' in page
    done = text(client.post(f"{PAGE}confirm/", {"code": code_of(TOTPDevice.objects.get())}))
    assert "API tokens ended: 1" in done
    assert [opens(token) for token in (made, by_hand)] == [False, True]


def test_the_other_tokens_end_by_the_box_on_the_page_which_a_wrong_code_leaves_ticked(client, ann):
    by_hand = issue_token(person=ann, name="by hand")
    client.post(f"{PAGE}begin/")
    wrong = text(client.post(f"{PAGE}confirm/", {"code": "000000", "tokens": "on"}))
    assert '<input type="checkbox" name="tokens" checked>' in wrong
    assert opens(by_hand)
    device = TOTPDevice.objects.get()
    device.throttle_reset()
    client.post(f"{PAGE}confirm/", {"code": code_of(device), "tokens": "on"})
    assert not opens(by_hand)


def opens(token):
    return Client().get("/api/v1/account/details/", headers={"Authorization": f"Token {token}"}).status_code == 200


def test_turning_it_off_takes_the_password(factor, client):
    assert "This password is not right" in text(client.post(f"{PAGE}off/", {"password": "x"}))
    assert TOTPDevice.objects.exists()
    assert client.post(f"{PAGE}off/", {"password": PASSWORD}).url == PAGE
    assert not TOTPDevice.objects.exists()


def test_new_backup_codes_take_the_password(factor, client):
    assert "backup-codes" not in text(client.post(f"{PAGE}codes/", {"password": "x"}))
    assert "backup-codes" in text(client.post(f"{PAGE}codes/", {"password": PASSWORD}))


def test_who_sits_at_an_open_browser_cannot_guess_the_password_there(factor, client):
    answers = [client.post(f"{PAGE}off/", {"password": f"guess {n}"}).status_code for n in range(20)]
    assert (answers.count(200), answers.count(429)) == (5, 15)
    assert client.post(f"{PAGE}off/", {"password": PASSWORD}).status_code == 429


def test_beginning_does_nothing_where_it_is_on(factor, client):
    client.post(f"{PAGE}begin/")
    assert TOTPDevice.objects.count() == 1


@pytest.fixture
def required(settings, campaign):
    settings.SECOND_FACTOR_OF = "organizers"


def client_of(person):
    person.language = "en"
    person.save()
    client = Client()
    client.force_login(person)
    return client


def test_where_it_is_required_organizers_are_led_to_set_it_up_and_testers_are_not(required, organizer, tester):
    client = client_of(organizer)
    assert client.get("/campaigns/small/organize/").url == PAGE
    assert client.get("/start/").url == PAGE
    assert "asks its organizers" in text(client.get(PAGE))
    assert client.get("/api/v1/campaigns/small/problems/").status_code == 404
    assert client_of(tester).get("/campaigns/small/testing/").status_code == 200


def test_with_it_the_pages_of_organizers_open(required, organizer):
    client = client_of(organizer)
    client.get("/")
    client.post(f"{PAGE}begin/")
    client.post(f"{PAGE}confirm/", {"code": code_of(TOTPDevice.objects.get())})
    assert client.get("/campaigns/small/organize/").status_code == 200


def test_others_are_told_nothing_of_the_campaign(required, outsider):
    assert client_of(outsider).get("/campaigns/small/organize/").status_code == 404
