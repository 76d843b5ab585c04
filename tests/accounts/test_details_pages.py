"""One's own name and e-mail address."""

import pytest
from django.test import Client

from audit.models import TrailLine

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(tester) -> Client:
    tester.language = "en"
    tester.set_password("an-own-password-5")
    tester.save()
    client = Client()
    client.force_login(tester)
    return client


def test_name_and_address_are_stored_and_leave_one_line(client, tester):
    before = TrailLine.objects.count()
    for _ in range(2):
        client.post(
            "/account/details/", {"display_name": "张三", "email": "z@example.org", "password": "an-own-password-5"}
        )
    tester.refresh_from_db()
    assert (tester.display_name, tester.email) == ("张三", "z@example.org")
    assert [line.act for line in list(TrailLine.objects.in_order())[before:]] == ["account.details"]
    page = client.get("/account/details/").content.decode()
    assert 'value="张三"' in page
    assert 'value="z@example.org"' in page


def test_a_wrong_address_changes_nothing_and_what_was_typed_stays(client, tester):
    page = client.post("/account/details/", {"display_name": "x", "email": "nonsense"}).content.decode()
    assert 'class="wrong"' in page
    assert 'value="nonsense"' in page
    tester.refresh_from_db()
    assert (tester.display_name, tester.email) == ("", "")


@pytest.mark.parametrize("typed", ["", "another-password-6"])
def test_another_address_takes_the_password_because_links_are_mailed_there(client, tester, typed):
    answer = client.post("/account/details/", {"display_name": "", "email": "thief@example.org", "password": typed})
    assert (answer.status_code, "takes your password" in answer.content.decode()) == (422, True)
    tester.refresh_from_db()
    assert tester.email == ""
    client.post("/account/details/", {"display_name": "张三", "email": ""})
    tester.refresh_from_db()
    assert tester.display_name == "张三"


def test_the_menu_leads_to_the_page(client):
    assert "/account/details/" in client.get("/account/details/").content.decode()
