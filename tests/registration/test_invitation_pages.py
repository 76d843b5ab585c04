"""Following an invitation in a browser, and over the API."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Person
from participants.models import Team
from registration.actions.inviting import invite
from registration.invitation_lines import Invitee
from registration.models import Invitation

pytestmark = pytest.mark.django_db
PASSWORD = "a long and good one"
FORM = {"username": "zhang", "password1": PASSWORD, "password2": PASSWORD}


def english() -> Client:
    return Client(headers={"accept-language": "en"})


@pytest.fixture
def token(campaign, organizer):
    invitee = Invitee(1, "z@example.org", "z@example.org", ("participant",), "Team Alpha")
    (one,) = invite(campaign=campaign, invitees=[invitee], by=organizer, at=timezone.now())
    return one.token


def test_a_newcomer_chooses_name_and_password_and_is_in(token, campaign):
    client = english()
    page = client.get(f"/invitations/{token}/").content.decode()
    assert "You are invited to “Small”" in page
    assert 'value="z@example.org"' in page
    answer = client.post(f"/invitations/{token}/", FORM, follow=True)
    assert "You have joined “Small”." in answer.content.decode()
    person = Person.objects.get(username="zhang")
    assert client.session["_auth_user_id"] == str(person.pk)
    assert campaign.roles.get(person=person).role == "participant"


def test_looking_at_the_link_uses_nothing_up(token, tester):
    logged_in = english()
    logged_in.force_login(tester)
    for client in (english(), logged_in):
        for method in (client.get, client.head, client.get):
            assert method(f"/invitations/{token}/").status_code == 200
    assert Invitation.objects.get().used_at is None


def test_somebody_logged_in_accepts_with_their_account(token, outsider, campaign):
    client = english()
    client.force_login(outsider)
    outsider.language = "en"
    outsider.save()
    assert "Accept as outsider" in client.get(f"/invitations/{token}/").content.decode()
    client.post(f"/invitations/{token}/")
    assert campaign.roles.filter(person=outsider, role="participant").exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"username": ""},
        {"username": "tester"},
        {"password2": "x"},
        {"password1": "1", "password2": "1"},
        {"email": "x"},
    ],
)
def test_what_is_wrong_is_said_beside_its_field_and_what_was_typed_stays(token, wrong):
    answer = english().post(f"/invitations/{token}/", FORM | {"display_name": "张三"} | wrong)
    page = answer.content.decode()
    assert 'class="wrong"' in page
    assert 'value="张三"' in page
    assert not Person.objects.filter(username="zhang").exists()


@pytest.mark.parametrize(
    ("changed", "status", "said"),
    [
        ({"used_at": timezone.now()}, 410, "has been used"),
        ({"withdrawn_at": timezone.now()}, 410, "was withdrawn"),
        ({"expires_at": timezone.now() - timedelta(days=1)}, 410, "has expired"),
        ({"digest": "0"}, 404, "is unknown"),
    ],
)
def test_a_closed_invitation_says_why_and_nothing_else(token, changed, status, said):
    Invitation.objects.update(**changed)
    for answer in (english().get(f"/invitations/{token}/"), english().post(f"/invitations/{token}/", FORM)):
        page = answer.content.decode()
        assert answer.status_code == status
        assert said in page
        assert not any(word in page for word in ("Small", "Alpha", "z@example.org", "organizer</"))
    assert not Person.objects.filter(username="zhang").exists()


def test_whoever_is_in_another_team_is_told_so_and_the_link_stays(token, outsider, campaign):
    campaign.team_members.create(person=outsider, team=Team.objects.create(name="Team Beta"))
    client = english()
    outsider.language = "en"
    outsider.save()
    client.force_login(outsider)
    assert "You take part for another team" in client.post(f"/invitations/{token}/").content.decode()
    assert Invitation.objects.get().used_at is None


def test_a_program_joins_by_the_api(token, campaign):
    client = english()
    offered = client.get(f"/api/v1/invitations/{token}/").json()
    assert (offered["campaign"], offered["roles"], offered["team"]) == ("small", ["participant"], "Team Alpha")
    body = {"username": "zhang", "password": PASSWORD}
    weak = client.post(f"/api/v1/invitations/{token}/", body | {"password": "1"}, content_type="application/json")
    assert (weak.status_code, list(weak.json()["fields"])) == (400, ["password"])
    answer = client.post(f"/api/v1/invitations/{token}/", body, content_type="application/json")
    assert (answer.status_code, answer.json()["person"]) == (201, "zhang")
    again = client.post(f"/api/v1/invitations/{token}/", body | {"username": "li"}, content_type="application/json")
    assert (again.status_code, again.json()["code"]) == (410, "used")
    assert client.get("/api/v1/invitations/made-up/").status_code == 404


@pytest.mark.parametrize("username", [1, None, ["zhang"], {"a": 1}, "a\u202eb", ""])
def test_an_odd_name_over_the_api_is_refused_with_its_place(token, username):
    body = {"username": username, "password": PASSWORD, "email": 7, "display_name": []}
    answer = english().post(f"/api/v1/invitations/{token}/", body, content_type="application/json")
    assert answer.status_code == 400
    assert re.search("username|email", answer.content.decode())
