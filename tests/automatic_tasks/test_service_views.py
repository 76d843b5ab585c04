"""Pages and API of services: a team has its own, an organizer all; nobody else learns that there is one."""

import json

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Person
from automatic_tasks.actions import register_service, withdraw_service
from automatic_tasks.checked_services import SERVICES
from automatic_tasks.models import Service, ServiceCheck
from campaigns.models import Campaign, Role, TeamMember
from conformance.actions import ask_check, claim_check, claim_fingerprint, end_check, finish_fingerprint
from conformance.results import Result, Verdict
from reading.findings import Finding

pytestmark = pytest.mark.django_db
PAGES, API = "/campaigns/small/services/", "/api/v1/campaigns/small/services/"
TASK, API_TASK = "/campaigns/small/tasks/intents/", "/api/v1/campaigns/small/tasks/intents/service/"
URL = "https://service.example.com/labels"
SECRET = "s3cret-of-the-service"
FAILED = Result(
    "labels", Verdict.FAIL, Finding("", "%(detail)s", {"detail": "<b>label</b> is missing"}), "curl -X 'x'", 3
)


def client_of(person):
    client = Client(headers={"accept-language": "en"})
    client.force_login(person)
    return client


def sent(client, method, address, **body):
    return client.generic(method, address, json.dumps(body), content_type="application/json")


@pytest.fixture
def service(tasks, team):
    return register_service(task=tasks["intents"], team=team, url=URL, secret=SECRET)


@pytest.fixture
def rival(campaign, other_team):
    person = Person.objects.create_user("rival")
    campaign.roles.create(person=person, role=Role.PARTICIPANT)
    TeamMember.objects.create(campaign=campaign, team=other_team, person=person)
    return client_of(person)


def done(service, result=FAILED):
    ask_check(SERVICES, system=service, by=None, at=timezone.now())
    check = claim_check(SERVICES, worker="w", at=timezone.now())
    end_check(SERVICES, check=check, worker="w", results=[result], at=timezone.now())
    return check


def test_a_team_registers_its_service_with_a_secret_that_no_page_shows_again(tasks, participant):
    client = client_of(participant)
    said = {"url": URL, "secret": SECRET, "then": "keep"}
    answer = client.post(f"{TASK}service/", said)
    stored = Service.objects.get()
    assert answer["Location"] == f"{PAGES}{stored.pk}/"
    assert (stored.url, stored.secret, stored.registered_by) == (URL, SECRET, participant)
    for address in (answer["Location"], TASK, PAGES, API, API_TASK, f"{API}{stored.pk}/"):
        page = client.get(address).content.decode()
        assert URL in page
        assert SECRET not in page


def test_what_is_wrong_stands_beside_its_field_and_the_secret_is_not_repeated(tasks, participant):
    client = client_of(participant)
    answer = client.post(f"{TASK}service/", {"url": "http://10.0.0.5/", "secret": "two words\n", "then": "keep"})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "it must be ASCII on one line" in page
    assert page.count('aria-invalid="true"') == 1
    assert "two words" not in page
    answer = client.post(f"{TASK}service/", {"url": "http://10.0.0.5/", "then": "keep"})
    assert "leads into a private network (10.0.0.5)" in answer.content.decode()
    assert not Service.objects.exists()
    wrong = sent(client, "PUT", API_TASK, url="http://10.0.0.5/")
    assert (wrong.status_code, list(wrong.json()["fields"])) == (422, ["url"])


def test_the_api_registers_and_changes_without_giving_the_secret_back(tasks, participant):
    client = client_of(participant)
    assert client.get(API_TASK).json() == {"url": None}
    document = sent(client, "PUT", API_TASK, url=URL, secret=SECRET).json()
    assert (document["url"], document["has_secret"], document["stage"], document["team"]) == (
        URL, True, "admitted", "Team Alpha",
    )  # fmt: skip
    assert SECRET not in json.dumps(document)
    assert sent(client, "PUT", API_TASK, url=f"{URL}2").json()["has_secret"]
    assert not sent(client, "PUT", API_TASK, url=f"{URL}2", secret="").json()["has_secret"]


def test_a_draft_is_checked_submitted_and_admitted_in_the_browser(campaign, tasks, team, participant, organizer):
    Campaign.objects.update(admission="organizer")
    own, boss = client_of(participant), client_of(organizer)
    own.post(f"{TASK}service/", {"url": URL, "then": "keep"})
    place = f"{PAGES}{Service.objects.get().pk}/"
    assert 'value="run"' not in own.get(TASK).content.decode()
    refused = own.post(f"{TASK}service/", {"url": f"{URL}2", "then": "run"})
    assert (refused.status_code, "No organizer has admitted" in refused.content.decode()) == (409, True)
    # What was typed is stored all the same, and the page says so.
    assert ("Address saved." in refused.content.decode(), Service.objects.get().url) == (True, f"{URL}2")
    own.post(f"{TASK}service/", {"url": URL, "then": "keep"})
    assert "Submit for admission" in own.get(place).content.decode()
    own.post(f"{place}submit/")
    assert "Submit for admission" not in own.get(place).content.decode()
    assert own.post(f"{place}stage/", {"act": "admit"}).status_code == 404
    assert 'value="admit"' in boss.get(place).content.decode()
    boss.post(f"{place}stage/", {"act": "admit"})
    assert Service.objects.get().admitted_by == organizer
    assert 'value="run"' in own.get(TASK).content.decode()
    assert own.post(f"{TASK}service/", {"url": URL, "then": "run"}).status_code == 302
    boss.post(f"{place}stage/", {"act": "send_back", "because": "It answers nothing."})
    assert "It answers nothing." in own.get(place).content.decode()


def test_the_api_leads_from_stage_to_stage(campaign, service, participant, organizer):
    own, boss, place = client_of(participant), client_of(organizer), f"{API}{service.pk}/"
    for act, stage in (("freeze", "frozen"), ("send_back", "draft"), ("admit", "admitted"), ("withdraw", "withdrawn"), ("take_back", "admitted")):  # fmt: skip
        assert sent(own, "POST", place, act=act, because="x").status_code == 404
        assert sent(boss, "POST", place, act=act, because="x").json()["stage"] == stage
        if stage == "draft":
            assert sent(own, "POST", f"{place}submit/").json()["who"] == "the organizers"
    assert sent(boss, "POST", place, act="explode").json()["code"] == "no_such_act"
    assert sent(boss, "POST", place, act="accept_change").json()["code"] == "not_changed"
    assert sent(boss, "PUT", place, url=f"{URL}2").json()["url"] == f"{URL}2"
    assert sent(own, "PUT", place, url=f"{URL}3").status_code == 404


def test_what_was_typed_when_it_is_too_late_is_shown_again(service, participant):
    Campaign.objects.update(ends_at=timezone.now() - timezone.timedelta(hours=1))
    client = client_of(participant)
    for address in (f"{PAGES}{service.pk}/", f"{TASK}service/"):
        refused = client.post(address, {"url": f"{URL}2", "then": "keep"})
        assert (refused.status_code, f'value="{URL}2"' in refused.content.decode()) == (409, True)


def test_what_was_typed_for_a_withdrawn_service_is_shown_again(service, participant):
    withdraw_service(service=service, because="The team asked for it.", by=None, at=timezone.now())
    client = client_of(participant)
    assert 'value="run"' not in client.get(TASK).content.decode()
    refused = client.post(f"{TASK}service/", {"url": f"{URL}2", "secret": SECRET, "then": "keep"})
    page = refused.content.decode()
    assert (refused.status_code, f'value="{URL}2"' in page, SECRET in page) == (409, True, False)


def test_a_reason_that_comes_too_late_stays_readable(service, organizer):
    boss, place = client_of(organizer), f"{PAGES}{service.pk}/"
    refused = boss.post(f"{place}stage/", {"act": "accept_change", "because": "It is <b>better</b>."})
    page = refused.content.decode()
    assert (refused.status_code, page.count('value="It is &lt;b&gt;better&lt;/b&gt;."'), page.count('name="because"')) == (409, 1, 1)  # fmt: skip
    withdraw_service(service=service, because="The team asked for it.", by=None, at=timezone.now())
    refused = boss.post(f"{place}stage/", {"act": "send_back", "because": "It answers nothing."})
    page = refused.content.decode()
    assert (refused.status_code, page.count('value="It answers nothing."'), page.count('name="because"')) == (409, 1, 0)
    assert "Nothing was changed" in page


def test_after_the_freeze_the_page_takes_the_secret_alone(service, participant):
    Campaign.objects.update(frozen_at=timezone.now() - timezone.timedelta(hours=1))
    client, place = client_of(participant), f"{PAGES}{service.pk}/"
    page = client.get(place).content.decode()
    assert "The address is frozen; the secret may change." in page
    client.post(place, {"url": URL, "secret": "another"})
    for address in (place, f"{TASK}service/"):
        refused = client.post(address, {"url": f"{URL}2", "then": "keep"})
        # The field is read-only: another address in it could be sent again and again, and never changed.
        assert (refused.status_code, f'value="{URL}"' in refused.content.decode()) == (409, True)
    stored = Service.objects.get()
    assert (stored.url, stored.secret) == (URL, "another")


def test_a_check_is_asked_for_followed_and_read(service, participant):
    client = client_of(participant)
    answer = client.post(f"{PAGES}{service.pk}/checks/")
    check = ServiceCheck.objects.get()
    assert answer["Location"] == f"/campaigns/small/service-checks/{check.pk}/"
    assert client.post(f"{PAGES}{service.pk}/checks/")["Location"] == answer["Location"]
    api = f"/api/v1/campaigns/small/service-checks/{check.pk}/"
    assert 'id="report" data-follows' in client.get(answer["Location"]).content.decode()
    document = client.get(api).json()
    assert (document["state"], document["done"], document["total"]) == ("queued", 0, 17)
    claimed = claim_check(SERVICES, worker="w", at=timezone.now())
    end_check(SERVICES, check=claimed, worker="w", results=[FAILED], at=timezone.now())
    page = client.get(answer["Location"]).content.decode()
    assert "&lt;b&gt;label&lt;/b&gt; is missing" in page
    assert "Answer every sentence once" in page
    document = client.get(api).json()
    assert (document["verdict"], document["service"], document["probes"][0]["name"]) == ("fail", service.pk, "labels")
    assert "&lt;b&gt;label&lt;/b&gt; is missing" in client.get(f"{PAGES}{service.pk}/").content.decode()
    assert client.get(f"{PAGES}{service.pk}/checks/").status_code == 200
    again = sent(client, "POST", f"{API}{service.pk}/checks/")
    assert (again.status_code, len(client.get(f"{API}{service.pk}/checks/").json())) == (201, 2)
    assert sent(client, "POST", f"{API}{service.pk}/checks/").json()["code"] == "checking"


def test_the_badge_is_open_to_everybody_and_names_nobody(service, client):
    answer = client.get(f"/service-checks/{done(service).pk}/badge.svg")
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/svg+xml")
    assert not any(word in answer.content.decode() for word in ("Alpha", "small", "example.com"))


def test_another_team_finds_nothing(service, rival):
    check = done(service)
    places = (f"{PAGES}{service.pk}/", f"{PAGES}{service.pk}/checks/", f"/campaigns/small/service-checks/{check.pk}/")
    for address in (*places, *(f"/api/v1{place}" for place in places), f"{API}{service.pk}/fingerprints/"):
        assert rival.get(address).status_code == 404, address
    for address in (*places[:2], f"{PAGES}{service.pk}/submit/", f"{PAGES}{service.pk}/stage/"):
        assert rival.post(address).status_code == 404, address
    assert rival.get(API).json() == []
    assert "Team Alpha" not in rival.get(PAGES).content.decode()


def test_a_changed_service_is_shown_to_its_team_and_to_the_organizer(service, participant, organizer):
    Campaign.objects.update(frozen_at=timezone.now())
    for labels in (["a"] * 3, ["b"] * 3):
        begun = claim_fingerprint(SERVICES, at=timezone.now())
        finish_fingerprint(SERVICES, begun=begun, answers=[labels, labels], at=timezone.now())
        Service.objects.update(called_at=timezone.now())
    for person in (participant, organizer):
        client = client_of(person)
        assert "changed since its admission" in client.get(PAGES).content.decode()
        assert "has answered differently" in client.get(f"{PAGES}{service.pk}/").content.decode()
        assert client.get(f"{API}{service.pk}/").json()["is_changed"]
    boss = client_of(organizer)
    boss.post(f"{PAGES}{service.pk}/stage/", {"act": "accept_change"})
    assert not boss.get(f"{API}{service.pk}/").json()["is_changed"]
    shown = boss.get(f"{API}{service.pk}/fingerprints/").json()
    assert [one["is_reference"] for one in shown] == [True, False]


@pytest.mark.parametrize("address", [PAGES, API])
def test_more_services_ask_the_database_no_more_often(service, tasks, other_team, organizer, address):
    client = client_of(organizer)
    done(service)
    with CaptureQueriesContext(connection) as few:
        client.get(address)
    done(register_service(task=tasks["intents"], team=other_team, url=f"{URL}2"))
    with CaptureQueriesContext(connection) as more:
        shown = client.get(address).content.decode()
    assert len(more) <= len(few)
    assert all(name in shown for name in ("Team Alpha", "Team Beta"))
