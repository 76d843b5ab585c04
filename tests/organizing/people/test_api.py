"""The same acts for programs."""

import pytest
from django.test import Client

from accounts.models import Person
from audit.models import TrailLine
from campaigns.models import Role
from registration.models import Invitation
from tests.campaigns.test_assigning import begin, drawn, first_of_each_tester

__all__ = ["drawn"]
pytestmark = pytest.mark.django_db
BASE = "/api/v1/campaigns/small"


@pytest.fixture
def client(organizer) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(organizer)
    return client


def post(client, path, **body):
    return client.post(f"{BASE}/{path}", body, content_type="application/json")


def delete(client, path, **body):
    return client.delete(f"{BASE}/{path}", body, content_type="application/json")


def test_people_are_listed(client, campaign, participant):
    listed = {one["username"]: one for one in client.get(f"{BASE}/people/").json()["people"]}
    assert set(listed) == {"organizer", "tester", "reviewer", "participant"}
    assert (listed["participant"]["roles"], listed["participant"]["team"]) == (["participant"], "Team Alpha")
    assert client.get(f"{BASE}/people/{participant.pk}/").json() == listed["participant"]


def test_a_list_of_people_is_invited_and_the_links_are_in_this_answer_only(client, campaign):
    answer = post(client, "invitations/", people="li\nhan@example.org, reviewer", roles=["tester"], days=2)
    assert answer.status_code == 201
    made = answer.json()["invitations"]
    assert [(one["name"], one["roles"], one["state"]) for one in made] == [
        ("li", ["tester"], "pending"), ("han@example.org", ["reviewer"], "pending"),
    ]  # fmt: skip
    assert Client().get(made[0]["link"]).status_code == 200
    assert set(made[0]["texts"]) == {"中文", "English"}
    listed = client.get(f"{BASE}/invitations/").json()["invitations"]
    assert len(listed) == 2
    assert not any("link" in one for one in listed)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"people": "li, boss"},
        {"people": "li", "roles": ["boss"]},
        {"people": "li", "roles": ["tester"], "days": 61},
    ],
)
def test_what_is_wrong_is_named_and_nobody_is_invited(client, campaign, body):
    answer = post(client, "invitations/", **body)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert not Invitation.objects.exists()


def test_an_invitation_is_withdrawn_and_renewed(client, campaign):
    (one,) = post(client, "invitations/", people="li", roles=["tester"]).json()["invitations"]
    path = f"{BASE}/invitations/{one['id']}/"
    assert client.delete(path).status_code == 204
    assert client.delete(path).json()["code"] == "withdrawn"
    renewed = client.post(f"{path}renew/").json()
    assert renewed["link"] != one["link"]
    assert renewed["state"] == "pending"


def test_roles_and_pauses_change_by_the_same_rules_as_on_the_page(client, campaign, tester, organizer):
    path = f"people/{tester.pk}"
    assert post(client, f"{path}/roles/", role="expert").status_code == 400
    assert post(client, f"{path}/roles/", role="expert", because="vets MSDE").status_code == 201
    assert delete(client, f"{path}/roles/?role=expert").status_code == 400
    assert delete(client, f"{path}/roles/?role=expert", because="done").status_code == 204
    assert delete(client, f"{path}/roles/?role=tester", because="done").json()["code"] == "has_work"
    last = delete(client, f"people/{organizer.pk}/roles/?role=organizer", because="done")
    assert last.json()["code"] == "last_organizer"
    assert post(client, f"{path}/pause/", because="").status_code == 400
    assert post(client, f"{path}/pause/", because="ill").status_code == 201
    assert post(client, f"{path}/pause/", because="ill").json()["code"] == "nothing_to_pause"
    assert client.get(f"{BASE}/{path}/").json()["paused_because"] == "ill"
    assert delete(client, f"{path}/pause/").status_code == 400
    assert delete(client, f"{path}/pause/", because="well").status_code == 204
    assert TrailLine.objects.of_act("role.given").get().because == "vets MSDE"
    acts = list(TrailLine.objects.in_order().values_list("act", flat=True))
    assert acts[-4:] == ["role.given", "role.taken", "person.paused", "person.resumed"]


def test_leaving_is_previewed_and_bound_to_the_preview(drawn):
    begin(first_of_each_tester(drawn))
    client = Client()
    client.force_login(Person.objects.get(username="organizer"))
    leaver = Person.objects.get(username="tester-2")
    path = f"{BASE}/people/{leaver.pk}/leave/"
    preview = client.get(path, {"role": "tester"}).json()
    assert {"person": "tester-2", "now": 7, "then": 0} in preview["shares"]
    assert client.get(path, {"role": "tester", "to": "nobody"}).json()["code"] == "cannot_take_over"
    body = {"role": "tester", "previewed": "0" * 64}
    assert client.post(path, body, content_type="application/json").status_code == 400
    body["because"] = "moves away"
    assert client.post(path, body, content_type="application/json").json()["code"] == "preview_is_old"
    body["previewed"] = preview["previewed"]
    assert client.post(path, body, content_type="application/json").status_code == 200
    assert not drawn.roles.filter(person=leaver).exists()


def test_a_link_for_a_password_is_made(client, campaign, tester, outsider):
    answer = post(client, f"people/{tester.pk}/password-link/")
    assert answer.status_code == 201
    assert Client().get(answer.json()["link"]).status_code == 200
    assert post(client, f"people/{outsider.pk}/password-link/").status_code == 404
    campaign.roles.create(person=Person.objects.create_user("staff", is_staff=True), role=Role.TESTER)
    staff = Person.objects.get(username="staff")
    assert post(client, f"people/{staff.pk}/password-link/").json()["code"] == "takes_part_elsewhere"
