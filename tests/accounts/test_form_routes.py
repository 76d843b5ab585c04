"""A form that is sent after the login ended leads back to the page it stands on."""

from urllib.parse import quote

import pytest
from django.test import Client

from accounts.form_routes import page_with_form
from accounts.models import Person

pytestmark = pytest.mark.django_db
FORM, PAGE = "/campaigns/some/wall/announcements/", "/campaigns/some/wall/"
LOST = 'role="alert" data-form-waits'


def test_the_address_of_a_form_has_a_page_and_others_are_pages_themselves():
    assert page_with_form(FORM) == page_with_form(f"{FORM}?tab=1") == PAGE
    assert page_with_form(PAGE) == page_with_form("/nothing/here/") == page_with_form("") == ""


def test_who_logs_in_for_a_form_comes_to_its_page_and_is_told_that_it_was_not_stored():
    Person.objects.create_user("ann", password="a long enough one")
    client = Client(headers={"accept-language": "en"})
    sent_away = client.post(FORM, {"text": "Coffee"})
    assert sent_away.headers["Location"] == f"/login/?next={quote(FORM)}"
    page = client.get(sent_away.headers["Location"]).content.decode()
    assert LOST in page
    assert f'name="next" value="{PAGE}"' in page
    logged_in = client.post("/login/", {"username": "ann", "password": "a long enough one", "next": FORM})
    assert logged_in.headers["Location"] == PAGE


@pytest.mark.parametrize("wanted", ["http://[x", "//[x", f"https://elsewhere.example{FORM}"])
def test_an_address_that_is_none_of_ours_leads_nowhere(wanted):
    answer = Client(headers={"accept-language": "en"}).get("/login/", {"next": wanted})
    assert (answer.status_code, LOST in answer.content.decode()) == (200, False)
    assert 'name="next" value=""' in answer.content.decode()


def test_who_logs_in_for_a_page_comes_to_that_page():
    page = Client(headers={"accept-language": "en"}).get(f"/login/?next={quote(PAGE)}").content.decode()
    assert LOST not in page
    assert f'name="next" value="{PAGE}"' in page
