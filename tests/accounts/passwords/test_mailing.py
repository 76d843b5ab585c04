import logging
from threading import Event

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core import mail
from django.core.exceptions import ValidationError
from django.utils import translation

from accounts.models import Person
from accounts.passwords import mailing

WAIT_S = 20


@pytest.mark.django_db(transaction=True)
def test_a_mail_is_sent_on_the_mail_thread(settings):
    settings.SITE_URL = "https://huace.example.org"
    Person.objects.create_user("zhang", email="zhang@example.org")
    sent = Event()

    def send() -> None:
        mailing.mail_password_links("zhang")
        sent.set()

    mailing.in_background(send)
    assert sent.wait(WAIT_S)
    assert [one.to for one in mail.outbox] == [["zhang@example.org"]]


def test_a_mail_server_that_fails_is_logged_and_the_next_mail_is_tried(caplog, monkeypatch):
    monkeypatch.setattr(mailing, "close_old_connections", lambda: None)
    tried = Event()
    with caplog.at_level(logging.ERROR, logger="huace.mail"):
        mailing.in_background(lambda: 1 / 0)
        mailing.in_background(tried.set)
        assert tried.wait(WAIT_S)
    assert "A mail was not sent." in caplog.text


@pytest.mark.django_db
def test_whoever_is_closed_out_gets_no_mail(settings):
    Person.objects.create_user("zhang", email="zhang@example.org", is_active=False)
    mailing.mail_password_links("zhang")
    assert mail.outbox == []


def test_a_password_has_eight_characters_at_least():
    validate_password("eightchr")
    with translation.override("en"), pytest.raises(ValidationError) as short:
        validate_password("sevench")
    assert short.value.messages == ["Choose at least 8 characters."]
