"""Asking for a link and setting a password by it, in a browser."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from accounts.models import OneTimeLink
from accounts.passwords import mailing
from accounts.passwords.actions import make_password_link

pytestmark = pytest.mark.django_db
NEW = "a new and longer one"
SITE = "https://huace.example.org"


def english() -> Client:
    return Client(headers={"accept-language": "en"})


@pytest.fixture
def with_mail(settings, monkeypatch):
    """A mail server is configured; mails are sent at once."""
    settings.HAS_MAIL, settings.SITE_URL = True, SITE
    monkeypatch.setattr(mailing, "in_background", lambda send: send())


@pytest.fixture
def address(tester):
    return f"/password/set/{make_password_link(person=tester, by=None, at=timezone.now())}/"


def test_following_the_link_changes_nothing_and_the_form_sets_the_password(tester, address):
    client = english()
    for _ in range(3):
        assert client.get(address).status_code == 200
    answer = client.post(address, {"new_password1": NEW, "new_password2": NEW}, follow=True)
    assert "Your password is set. Log in with it." in answer.content.decode()
    tester.refresh_from_db()
    assert tester.check_password(NEW)
    assert "_auth_user_id" not in client.session


def test_setting_a_password_ends_the_persons_logins(tester, address):
    elsewhere = Client()
    elsewhere.force_login(tester)
    assert elsewhere.get("/account/tokens/").status_code == 200
    english().post(address, {"new_password1": NEW, "new_password2": NEW})
    assert elsewhere.get("/account/tokens/").status_code == 302


@pytest.mark.parametrize(("first", "second"), [(NEW, "x"), ("1", "1"), ("password", "password")])
def test_a_weak_or_mistyped_password_uses_nothing_up(tester, address, first, second):
    page = english().post(address, {"new_password1": first, "new_password2": second})
    assert 'class="wrong"' in page.content.decode()
    assert OneTimeLink.objects.get().used_at is None


@pytest.mark.parametrize(
    ("changed", "status", "said"),
    [
        ({"used_at": timezone.now()}, 410, "has been used"),
        ({"ended_at": timezone.now()}, 410, "was withdrawn"),
        ({"expires_at": timezone.now() - timedelta(days=1)}, 410, "has expired"),
        ({"digest": "0"}, 404, "is unknown"),
    ],
)
def test_a_link_that_opens_nothing_says_why_and_not_whose_it_was(tester, address, changed, status, said):
    OneTimeLink.objects.update(**changed)
    for answer in (english().get(address), english().post(address, {"new_password1": NEW, "new_password2": NEW})):
        page = answer.content.decode()
        assert (answer.status_code, said in page) == (status, True)
        assert tester.username not in page.replace("/testing", "")


def test_a_page_with_a_token_is_stored_nowhere(address):
    assert "no-store" in english().get(address).headers["Cache-Control"]


def test_a_known_name_and_address_get_a_mail_and_unknown_ones_none(tester, with_mail):
    tester.email, tester.language = "Zhang@example.org", "en"
    tester.save()
    for asked, n_mails in ((tester.username, 1), ("zhang@EXAMPLE.org", 2), ("nobody", 2), ("x@example.org", 2)):
        page = english().post("/password/forgotten/", {"asked": asked}).content.decode()
        assert "Check your mail" in page
        assert len(mail.outbox) == n_mails, asked
    assert mail.outbox[0].to == ["Zhang@example.org"]


def without_token(page: str) -> str:
    return re.sub(r'name="csrfmiddlewaretoken" value="[^"]+"', "", page)


def test_the_answer_is_the_same_for_known_and_unknown_names(tester, with_mail):
    tester.email = "zhang@example.org"
    tester.save()
    client = english()
    known, unknown = (
        client.post("/password/forgotten/", {"asked": asked}) for asked in (tester.username, "nobody-at-all")
    )
    assert without_token(known.content.decode()) == without_token(unknown.content.decode())


def test_the_request_asks_the_database_the_same_for_every_name(
    tester, settings, monkeypatch, django_assert_num_queries
):
    settings.HAS_MAIL, settings.SITE_URL = True, SITE
    ordered = []
    monkeypatch.setattr(mailing, "in_background", ordered.append)
    for asked in (tester.username, "nobody-at-all"):
        with django_assert_num_queries(0):
            english().post("/password/forgotten/", {"asked": asked})
    assert len(ordered) == 2


def test_the_mailed_link_is_on_the_configured_site_whatever_host_the_request_names(tester, with_mail, settings):
    settings.ALLOWED_HOSTS = ["*"]
    tester.email, tester.language = "zhang@example.org", "en"
    tester.save()
    english().post(
        "/password/forgotten/", {"asked": "tester"}, headers={"host": "evil.example", "x-forwarded-host": "e.vil"}
    )
    (address,) = re.findall(r"https?://\S+", mail.outbox[0].body)
    assert address.startswith(f"{SITE}/password/set/")
    assert english().get(address.removeprefix(SITE)).status_code == 200


def test_a_mail_is_in_the_persons_language_or_in_both(tester, with_mail):
    tester.email = "zhang@example.org"
    for language, n_addresses in (("en", 1), ("", 2)):
        tester.language = language
        tester.save()
        english().post("/password/forgotten/", {"asked": "tester"})
        assert len(re.findall(r"https?://\S+", mail.outbox[-1].body)) == n_addresses


def test_without_a_mail_server_the_page_says_who_makes_a_link():
    for answer in (english().get("/password/forgotten/"), english().post("/password/forgotten/", {"asked": "tester"})):
        assert "Ask an organizer of your campaign" in answer.content.decode()
    assert mail.outbox == []


def test_the_login_leads_to_the_page():
    assert "/password/forgotten/" in english().get("/login/").content.decode()
