"""Who may open what: generated from the URL resolver, so that a new route without a declared rule fails here."""

import json
import re
import uuid
from itertools import product

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import Value
from django.db.models.functions import Concat
from django.test import Client
from django.utils import timezone

from accounts.models import ApiToken, Person
from campaigns.actions import note_publication
from campaigns.models import Campaign, Role
from config.sockets import socket_patterns
from dialogues.models import Dialogue
from pairs.models import Pair
from participants.models import Bot
from tests.routes import ACCESS, ROUTES, TAKEN, access_of, in_groups
from tests.world import RUNS, address_of, again, asked, client_of, joins, noted_client_of, undone

pytestmark = pytest.mark.usefixtures("db")
KINDS = {"key", "open", "people", "roles", "published", "staff"}
# The fixtures' bundle is one byte, so that its records cannot be listed and no picture of it is known: the status of each route.
BOARD = "campaigns/<slug:slug>/leaderboard/<int:number>/"
PICTURE = BOARD + "dialogues/<int:dialogue_number>/images/<str:picture_name>/"
UNREADABLE = {f"api/v1/{BOARD}records/<slug:figure>/": 409, PICTURE: 404, f"api/v1/{PICTURE}": 404}


def test_every_route_declares_who_may_open_it():
    for path, callback in ROUTES:
        access = access_of(callback)
        assert access is not None, f"{path} declares no access rule (accounts/access.py)"
        assert access.kind in KINDS, path
        assert access.kind != "roles" or access.roles, path


def test_every_socket_declares_who_may_open_it():
    for pattern in socket_patterns:
        assert pattern.callback.consumer_class.access.kind in KINDS


def test_the_check_sees_a_route_without_a_rule():
    assert access_of(lambda request: None) is None


CLOSED = [(path, callback) for path, callback in ROUTES if access_of(callback).kind in {"roles", "published"}]
LOGIN_ONLY = [(path, callback) for path, callback in ROUTES if access_of(callback).kind == "people"]


@in_groups(CLOSED)
def test_an_outsider_finds_nothing_by_any_method(paths, dialogue, run, frozen, outsider):
    clients = {None: Client(), outsider: noted_client_of(outsider)}
    for person, path in product(clients, paths):
        client, address = again(clients[person]), address_of(path, dialogue, run)
        # By a token that is an outsider's there, `test_token_scopes.py` tries each method of those with roles.
        n_tried = 1 if person and path.startswith("api/") and ACCESS[path].kind == "roles" else None
        for method in TAKEN[path][:n_tried]:
            answer = client.generic(method, address, "{}", content_type="application/json")
            is_login = answer.status_code == 302 and answer.headers["Location"].startswith("/login/")
            allowed = {401, 403, 404, 405}
            if address == "/api/v1/dialogues/" and person:
                allowed |= {400}  # an empty body names no dialogue at all
            assert is_login or answer.status_code in allowed, f"{method} {address}: {answer.status_code}"
            assert b"Team Alpha" not in answer.content


@in_groups(LOGIN_ONLY)
def test_nobody_without_an_account_gets_past_the_login(paths, dialogue):
    for path in paths:
        answer = client_of(None).get(address_of(path, dialogue))
        assert answer.status_code in {302, 401, 403}, path


# Pages that take no GET answer each role alike; `test_wrong_roles.py` and `test_token_scopes.py` send to them.
@in_groups([(path, callback) for path, callback in CLOSED if "GET" in TAKEN[path]])
def test_each_role_gets_in_where_it_belongs_and_nowhere_else(paths, dialogue, run, frozen, people, with_roles):
    clients = {role: noted_client_of(person) for role, person in people.items()}
    for path in paths:
        address, roles = address_of(path, dialogue, run), ACCESS[path].roles or (Role.ORGANIZER,)
        # Apart from the others, whom membership of a team could bar for another reason.
        for wrong in {Role.PARTICIPANT} - set(roles), set(Role) - {Role.PARTICIPANT} - set(roles):
            answer = asked(with_roles(frozenset(wrong)), "GET", address)
            assert answer.status_code == 404, f"{wrong} at {address}: {answer.status_code}"
        with undone():
            assert_that_roles_get_in(path, address, {role: clients[role] for role in roles}, people)


def assert_that_roles_get_in(path, address, clients, people):
    for role, client in clients.items():
        if role == Role.EXPERT or "/team/" in path:
            # An expert comes last of all: they read what is over, and nothing before, as teams do.
            Dialogue.objects.update(status="completed", closed_at=timezone.now())
        if "<uuid:pair_id>" in path and role == Role.REVIEWER:
            # Live pairs are a tester's; finished ones are drawn for reviewers.
            Pair.objects.update(kind="finished", judge=people[role])
        if path.endswith(("/team/bots/<int:entry_id>/report/", "/team/replays/<uuid:replay_id>/")):
            # There is none before the publication.
            Campaign.objects.update(is_published=True, was_published=True)
        answer = again(client).get(address)
        # What is open already is led to; nobody who belongs is led to the login.
        leads_on = answer.status_code == 302 and answer.url.startswith("/dialogues/")
        assert leads_on or answer.status_code == UNREADABLE.get(path, 200), f"{role} {address}: {answer.status_code}"


def test_another_tester_finds_nothing_of_ones_own(dialogue, campaign, outsider):
    campaign.roles.create(person=outsider, role=Role.TESTER)
    client = client_of(outsider)
    assert client.get(f"/dialogues/{dialogue.pk}/").status_code == 404
    assert client.post(f"/assignments/{dialogue.assignment_id}/open/").status_code == 404
    assert client.get(f"/api/v1/dialogues/{dialogue.pk}/").status_code == 404
    ticks = client.patch(f"/api/v1/dialogues/{dialogue.pk}/items/", {"ticked": [0]}, content_type="application/json")
    assert ticks.status_code == 404
    review = client.post(f"/api/v1/dialogues/{dialogue.pk}/review/", {"ratings": {}}, content_type="application/json")
    assert review.status_code == 404
    opened = client.post("/api/v1/dialogues/", {"assignment": dialogue.assignment_id}, content_type="application/json")
    assert opened.status_code == 404


def test_a_published_leaderboard_is_open_to_everybody(campaign, dialogue, frozen):
    frozen.publications.create(public_from=timezone.now(), published_at=timezone.now())
    note_publication(campaign=campaign, is_public=True)
    public = [path for path, callback in ROUTES if "leaderboard" in path and access_of(callback).kind == "published"]
    assert len(public) == 23
    for path in public:
        answer = client_of(None).get(address_of(path, dialogue))
        assert answer.status_code == UNREADABLE.get(path, 200), path
        assert answer.get("Location") is None


def test_pages_of_testers_never_name_a_team_or_a_bots_address(dialogue, tester, campaign):
    client = client_of(tester)
    campaign.entries.update(key=Concat(Value("canary-"), "key"))
    Bot.objects.update(name="canary-name")
    entry = dialogue.assignment.entry
    for address in (
        "/", "/campaigns/small/", "/campaigns/small/testing/", f"/dialogues/{dialogue.pk}/", "/api/v1/assignments/",
        f"/api/v1/dialogues/{dialogue.pk}/", "/api/v1/campaigns/small/choices/",
    ):  # fmt: skip
        answer = client.get(address)
        assert answer.status_code == 200
        everything = answer.content.decode() + str(answer.headers)
        for secret in ("Team Alpha", "canary", entry.url):
            assert secret not in everything, f"{address} names {secret}"


def test_cookies_and_headers_are_strict(client):
    answer = client.get("/login/")
    assert answer.cookies["csrftoken"]["httponly"]
    assert answer.cookies["csrftoken"]["samesite"] == "Lax"
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "unsafe-inline" not in answer.headers["Content-Security-Policy"]


def test_what_is_sent_to_somebody_who_is_logged_in_is_kept_nowhere(dialogue, tester, organizer):
    pages = {
        tester: ("/", "/campaigns/small/testing/", f"/dialogues/{dialogue.pk}/", "/api/v1/assignments/", "/nowhere/"),
        organizer: ("/campaigns/small/organize/", "/campaigns/small/export/turns.csv", "/campaigns/small/leaderboard/"),
    }
    for person, addresses in pages.items():
        for address in addresses:
            assert client_of(person).get(address).headers["Cache-Control"] == "no-store", address
    assert client_of(tester).post("/logout/").headers["Cache-Control"] == "no-store"
    _, token = ApiToken.objects.create(user=tester)
    answer = Client().get("/api/v1/assignments/", headers={"Authorization": f"Token {token}"})
    assert answer.headers["Cache-Control"] == "no-store"
    assert "no-store" not in client_of(None).get("/").headers.get("Cache-Control", "")
    with_password = Person.objects.create_user("fresh", password="a long enough one")
    login = client_of(None).post("/login/", {"username": with_password.username, "password": "a long enough one"})
    assert login.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("wanted", ["https://evil.example/", "//evil.example", "javascript:alert(1)"])
def test_preferences_never_lead_elsewhere(client, wanted):
    answer = client.post("/preferences/", {"language": "en", "next": wanted})
    assert answer.headers["Location"] == "/"


@pytest.mark.parametrize(
    "wanted", ["1e309", "x¿'\"(", "home", "admin:index", "", "/a\nb", "/\x00", "[", "//[", "\\evil", "/" * 9000]
)
def test_whatever_next_is_preferences_answer_with_a_path_of_ours_or_400(wanted):
    answer = client_of(None).post("/preferences/", {"language": "en", "next": wanted})
    assert answer.status_code in {302, 400}
    assert answer.status_code == 400 or answer.headers["Location"].startswith("/")


UNSTORABLE = "a\x00b"
FIELDS = [
    "bot",
    "scenario",
    "team",
    "note",
    "url",
    "what",
    "then",
    "public_from",
    "because",
    "names",
    "next",
    "language",
    "theme",
    "is_open",
    "username",
    "password",
    "by",
    "code",
    "scope",
    "days",
    "name",
    "format",
    "name_zh",
    "members",
    "text_zh",
    "about",
    "version",
    "protocol",
    "option-model",
    "comment",
]


# Queries and pages' forms are refused before any view, so that some routes stand for all; bodies of the API are read by each.
SOME = {path for path, _ in ROUTES[::10]}


@in_groups(
    [(path, callback) for path, callback in ROUTES if path in SOME or ("api/" in path and TAKEN[path] != ["GET"])]
)
def test_text_that_cannot_be_stored_is_never_a_500(paths, dialogue, run, frozen, tester):
    for role in Role:
        run.task.campaign.roles.get_or_create(person=tester, role=role)
    joins(tester, dialogue, run)
    client = noted_client_of(tester)
    for path in paths:
        address = address_of(path, dialogue, run)
        with undone():
            for status in unstorable_answers(again(client), path, address):
                assert status < 500, f"{address}: {status}"


def unstorable_answers(client, path, address):
    sent = dict.fromkeys(FIELDS, UNSTORABLE)
    if path in SOME:
        yield client.get(address, sent).status_code
    if "POST" in TAKEN[path]:
        yield client.post(address, sent | {"file": SimpleUploadedFile("run.json", b"{}")}).status_code
    surrogates = b'{"note": "\\ud800", "comment": {"\\ud800": 1}}'
    for method in {*TAKEN[path]} - {"GET"}:
        for body in (json.dumps(sent), surrogates):
            yield client.generic(method, address, body, content_type="application/json").status_code


# The middleware knows no routes, so that some stand for all.
@in_groups(ROUTES[::10])
def test_a_cookie_that_cannot_be_stored_is_as_none(paths, dialogue, run):
    client = client_of(None)
    for path in paths:
        address = address_of(path, dialogue, run)
        client.cookies.clear()
        usual = client.get(address).status_code
        for name in ("sessionid", "csrftoken", "messages", "django_language", "huace_theme"):
            # Django looks up no session whose key is shorter than eight characters.
            client.cookies[name] = f"{UNSTORABLE}cdefghij"
            assert client.cookies[name].coded_value == '"a\\000bcdefghij"'
        assert client.get(address).status_code == usual, address


@pytest.mark.parametrize("name", ["sessionid", "csrftoken", "messages", "django_language", "huace_theme"])
def test_each_cookie_that_cannot_be_stored_is_as_none(name):
    client = client_of(None)
    client.cookies[name] = f"{UNSTORABLE}cdefghij"
    assert [client.get(address).status_code for address in ("/", "/login/", "/api/v1/assignments/")] == [200, 200, 401]


def test_a_nul_in_a_query_of_the_api_is_refused_in_its_own_shape(tester):
    answer = client_of(tester).get("/api/v1/assignments/", {"note": UNSTORABLE}, headers={"accept-language": "en"})
    assert (answer.status_code, answer.headers["Content-Type"]) == (400, "application/problem+json")
    assert {name: said for name, said in answer.json().items() if name not in {"detail_zh", "detail_en"}} == {
        "type": "urn:huace:problem:parse_error",
        "title": "The request is not valid",
        "status": 400,
        "code": "parse_error",
        "detail": "note[0]: holds a NUL character or half a surrogate pair, which cannot be stored",
    }


def test_a_nul_in_a_note_is_refused_in_a_form_and_over_the_api(run, participant, tester, dialogue):
    client = client_of(participant)
    content = {"note": UNSTORABLE, "file": SimpleUploadedFile("run.json", (RUNS / "run.json").read_bytes())}
    assert client.post("/campaigns/small/tasks/quality/submit/", content).status_code == 400
    content["file"].seek(0)
    answer = client.post("/api/v1/campaigns/small/tasks/quality/runs/", content)
    assert answer.status_code == 400
    assert "note" in answer.json()["detail"]
    assert run.task.runs.count() == 1
    body = {"ratings": {}, "comment": UNSTORABLE}
    answer = client_of(tester).post(f"/api/v1/dialogues/{dialogue.pk}/review/", body, content_type="application/json")
    assert answer.json()["detail"].startswith("comment: ")


def test_a_person_keeps_language_and_theme_each_for_itself(tester):
    client = client_of(tester)
    client.post("/preferences/", {"theme": "dark", "next": "/"})
    client.post("/preferences/", {"language": "en", "next": "/"})
    page = client.get("/").content.decode()
    assert re.search(r'lang="en"\s+data-theme="dark"', page)
    assert "Your campaigns" in page
    assert client.post("/preferences/", {"theme": "pink", "next": "/"}).status_code == 400


def test_tokens_expire(campaign, tester):
    from datetime import timedelta

    _, token = ApiToken.objects.create(user=tester, expiry=timedelta(seconds=-1))
    answer = Client().get("/api/v1/assignments/", headers={"Authorization": f"Token {token}"})
    assert answer.status_code == 401


@pytest.mark.parametrize("body", [b"[" * 5000, b"not json", b"[1]", b"\xff", b'{"a": 1, "a": 2}', b'{"a": NaN}'])
def test_bad_json_is_a_400_in_words(tester, body):
    answer = client_of(tester).post("/api/v1/dialogues/", body, content_type="application/json")
    assert answer.status_code == 400
    assert answer.json()["detail"]


@pytest.mark.parametrize("assignment", ["１２", "1", 1.5, True, None, 2**40, -1])
def test_an_assignment_is_a_whole_number(tester, assignment):
    answer = client_of(tester).post("/api/v1/dialogues/", {"assignment": assignment}, content_type="application/json")
    assert answer.status_code in {400, 404}


def test_a_form_without_its_token_is_refused(tester):
    client = Client(enforce_csrf_checks=True)
    client.force_login(tester)
    assert client.post("/preferences/", {"language": "en"}).status_code == 403
    answer = client.post("/api/v1/dialogues/", {"assignment": 1}, content_type="application/json")
    assert answer.status_code == 403


def test_unknown_ids_are_404(outsider):
    assert client_of(outsider).get(f"/dialogues/{uuid.uuid4()}/").status_code == 404
