"""Who may open what: generated from the URL resolver, so that a new route without a declared rule fails here."""

import re
import uuid
from contextlib import contextmanager
from datetime import timedelta
from itertools import product
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from accounts.access import Access
from accounts.models import ApiToken, Person
from automatic_tasks.actions import load_tasks, submit_file_run
from automatic_tasks.models import Service, ServiceCheck
from automatic_tasks.task_file import read_task_file
from campaigns.models import Campaign, Entry, Role
from config.sockets import socket_patterns
from conformance.models import Check
from dialogues.actions.opening import open_practice
from dialogues.models import Announcement, Dialogue
from participants.models import Bot, Team
from registration.models import DataPackage, Invitation, PackageContent
from reviews.models import Dispute
from tests.publishing import publish_now, snapshot_of

RUNS = Path(__file__).resolve().parents[1] / "examples" / "runs" / "dialogue-quality"
# The key of a system that a member's own team has beside the one that is tested.
OWN = "own"
KINDS = {"key", "open", "people", "roles", "published", "staff"}
# The fixtures' bundle is one byte, so that its records cannot be listed.
UNREADABLE = "api/v1/campaigns/<slug:slug>/leaderboard/<int:number>/records/<slug:figure>/"
METHODS = ("get", "head", "post", "put", "patch", "delete", "options")


def routes(resolver=None, prefix=""):
    for pattern in (resolver or get_resolver()).url_patterns:
        path = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern, path)
        elif isinstance(pattern, URLPattern):
            yield path, pattern.callback


def access_of(callback) -> Access | None:
    return getattr(callback, "access", None) or getattr(getattr(callback, "cls", None), "access", None)


ROUTES = list(routes())


@pytest.mark.parametrize(("path", "callback"), ROUTES, ids=[path for path, _ in ROUTES])
def test_every_route_declares_who_may_open_it(path, callback):
    access = access_of(callback)
    assert access is not None, f"{path} declares no access rule (accounts/access.py)"
    assert access.kind in KINDS
    assert access.kind != "roles" or access.roles


def test_every_socket_declares_who_may_open_it():
    for pattern in socket_patterns:
        assert pattern.callback.consumer_class.access.kind in KINDS


def test_the_check_sees_a_route_without_a_rule():
    assert access_of(lambda request: None) is None


@pytest.fixture
def run(campaign):
    """A run of Team Alpha for an automatic task, waiting to be scored; beside the task a combined board of its key."""
    declared = read_task_file(
        "tasks.toml",
        b'campaign = "small"\n[[tasks]]\nkey = "quality"\ntype = "dialogue-quality"\nname = "x"\ngold = "gold.json"\n'
        b'[[boards]]\nkey = "quality"\nname = "x"\nranking = ["completion"]\ncolumns = [{figure = "completion"}]\n',
    )
    load_tasks(file=declared, content_of=lambda path: (RUNS / path).read_bytes())
    package = campaign.packages.create(file_name="data.zip", size=4, sha256="0" * 64, uploaded_at=timezone.now())
    PackageContent.objects.create(package=package, number=0, content=b"data")
    return submit_file_run(
        task=campaign.automatic_tasks.get(),
        team=Team.objects.get(name="Team Alpha"),
        person=None,
        content=(RUNS / "run.json").read_bytes(),
        file_name="run.json",
        at=timezone.now(),
    )


@pytest.fixture
def frozen(campaign, settings, tmp_path):
    """A snapshot with its bundle that is not published."""
    settings.VAR_DIR = tmp_path
    return snapshot_of(campaign, has_bundle=True)


def values_of(dialogue, run=None) -> dict[str, str]:
    """What stands for each argument of a path; objects are real ones that belong to somebody."""
    return {
        "<slug:slug>": "small", "<uuid:dialogue_id>": str(dialogue.pk), "<slug:key>": "quality",
        "<slug:split>": "hidden", "<uuid:run_id>": str(getattr(run, "pk", "")),
        "<uuid:check_id>": str(check_of(dialogue).pk),
        "<int:service_id>": str(getattr(service_of(run), "pk", 0)),
        "<uuid:service_check_id>": str(service_check_of(run)),
        "<int:assignment_id>": str(dialogue.assignment_id), "<slug:what>": "turns", "<slug:format>": "csv",
        "<int:number>": "1", "<int:entry_id>": str(entry_of(dialogue).pk), "<slug:figure>": "completion", "<int:problem_id>": "1", "<int:request_id>": "1",
        "<slug:table>": "human", "<str:token>": "no-such-token", "<int:log_in_id>": "1", "<slug:act>": "void",
        "<slug:token_key>": "0123456789abcde",
        "<int:application_id>": "1", "<int:team_request_id>": "1", "<int:package_id>": str(DataPackage.objects.values_list("pk", flat=True).first() or 0),
        "<int:person_id>": str(dialogue.tester_id), "<int:invitation_id>": str(invitation_of(dialogue).pk),
        "<int:announcement_id>": str(announcement_of(dialogue).pk),
        "<slug:scenario>": "flight-then-hotel", "<slug:type>": "dialogue-quality",
    }  # fmt: skip


def practice_of(dialogue) -> Dialogue:
    """One in which the participant practises."""
    campaign = dialogue.assignment.campaign
    scenario, is_new = campaign.scenarios.get_or_create(key="try-out", defaults={"position": 9, "is_practice": True})
    if is_new:
        scenario.subtasks.create(position=1, kind="flight", turn_cap=5)
    person = Person.objects.get(username="participant")
    own = campaign.entries.filter(bot__team__members__campaign=campaign, bot__team__members__person=person).first()
    return open_practice(entry=own or dialogue.assignment.entry, scenario=scenario, person=person, at=timezone.now())


def address_of(path, dialogue, run=None) -> str:
    if "/team/practice/" in path:
        path = path.replace("<uuid:dialogue_id>", str(practice_of(dialogue).pk))
    for argument, value in values_of(dialogue, run).items():
        path = path.replace(argument, value)
    assert "<" not in path, f"{path}: the test knows no value for this argument"
    return "/" + path + ("?campaign=small" if path in {"api/v1/reviews/queue/", "api/v1/reviews/waiting/"} else "")


def invitation_of(dialogue) -> Invitation:
    """One that is open in the dialogue's campaign."""
    at = timezone.now()
    return Invitation.objects.get_or_create(
        campaign=dialogue.assignment.campaign, name="somebody",
        defaults={"digest": dialogue.assignment.campaign.slug, "roles": ["tester"], "made_at": at, "expires_at": at + timedelta(days=1)},
    )[0]  # fmt: skip


def joins(person, dialogue, run) -> None:
    """The person becomes a member of the run's team, with a system of its own, and may still judge the dialogue: it is another team's."""
    campaign, tested = dialogue.assignment.campaign, dialogue.assignment.entry
    Campaign.objects.filter(pk=campaign.pk).update(members_may_judge="others")
    campaign.team_members.get_or_create(person=person, defaults={"team": run.team})
    if not campaign.entries.filter(key=OWN).exists():
        Bot.objects.filter(pk=tested.bot_id).update(team=Team.objects.create(name="Team Tested"))
        campaign.entries.create(
            bot=run.team.bots.create(name="own"), key=OWN, alias="Z9", protocol="huace/1", url=tested.url
        )


def entry_of(dialogue) -> Entry:
    """The system of a member's own team, where one joined; else that of the dialogue."""
    return dialogue.assignment.campaign.entries.filter(key=OWN).first() or dialogue.assignment.entry


def check_of(dialogue) -> Check:
    """One of that system."""
    entry, at = entry_of(dialogue), timezone.now()
    return Check.objects.get_or_create(entry=entry, defaults={"asked_at": at, "protocol": "huace/1", "url": entry.url})[
        0
    ]


def service_of(run) -> Service | None:
    """The service of the run's team."""
    return run and run.task.services.get_or_create(team=run.team, defaults={"url": "http://service.example.com/"})[0]


def service_check_of(run):
    """The id of a check of it."""
    if run is None:
        return uuid.UUID(int=0)
    said = {"asked_at": timezone.now(), "protocol": "smp2018_task1", "url": "http://service.example.com/"}
    return ServiceCheck.objects.get_or_create(service=service_of(run), defaults=said)[0].pk


def announcement_of(dialogue) -> Announcement:
    """One that the testers of the dialogue's campaign are shown."""
    return Announcement.objects.get_or_create(
        campaign=dialogue.assignment.campaign, text_en="x", defaults={"made_by": dialogue.tester, "at": timezone.now()}
    )[0]


def client_of(person) -> Client:
    client = Client(raise_request_exception=False)
    if person is not None:
        client.force_login(person)
    return client


CLOSED = [(path, callback) for path, callback in ROUTES if access_of(callback).kind in {"roles", "published"}]
# So many routes share what one test has made.
GROUP = 20
LOGIN_ONLY = [(path, callback) for path, callback in ROUTES if access_of(callback).kind == "people"]


def in_groups(routes):
    return pytest.mark.parametrize(
        "paths",
        [[path for path, _ in routes[start : start + GROUP]] for start in range(0, len(routes), GROUP)],
        ids=lambda paths: f"{paths[0]} and others",
    )


@pytest.mark.django_db
@in_groups(CLOSED)
def test_an_outsider_finds_nothing_by_any_method(paths, dialogue, run, frozen, outsider):
    for person, path in product((None, outsider), paths):
        client, address = client_of(person), address_of(path, dialogue, run)
        for method in METHODS:
            answer = client.generic(method.upper(), address, "{}", content_type="application/json")
            is_login = answer.status_code == 302 and answer.headers["Location"].startswith("/login/")
            allowed = {401, 403, 404, 405}
            if address == "/api/v1/dialogues/" and person:
                allowed |= {400}  # an empty body names no dialogue at all
            assert is_login or answer.status_code in allowed, f"{method} {address}: {answer.status_code}"
            assert b"Team Alpha" not in answer.content


@pytest.mark.django_db
@in_groups(LOGIN_ONLY)
def test_nobody_without_an_account_gets_past_the_login(paths, dialogue):
    for path in paths:
        answer = client_of(None).get(address_of(path, dialogue))
        assert answer.status_code in {302, 401, 403}, path


@pytest.fixture
def people(campaign, dialogue, tester, organizer, reviewer, participant):
    """One person per role; the dialogue is the reviewer's to score and disputed, so that there is something to adjudicate."""
    dialogue.review_places.create(reviewer=reviewer, position=1, drawn_at=timezone.now())
    Dispute.objects.create(dialogue=dialogue, opened_at=timezone.now())
    Campaign.objects.update(experts_per_dialogue=3, releases_transcripts=True)
    people = {Role.TESTER: tester, Role.ORGANIZER: organizer, Role.REVIEWER: reviewer, Role.PARTICIPANT: participant}
    for role in (Role.ADJUDICATOR, Role.EXPERT):
        people[role] = Person.objects.create_user(role.value)
        campaign.roles.create(person=people[role], role=role)
    return people


@pytest.mark.django_db
@pytest.mark.parametrize(("path", "callback"), CLOSED, ids=[path for path, _ in CLOSED])
def test_each_role_gets_in_where_it_belongs_and_nowhere_else(path, callback, dialogue, run, frozen, people):
    access, address = access_of(callback), address_of(path, dialogue, run)
    for role, person in people.items():
        if role == Role.EXPERT or "/team/" in path:
            # An expert comes last of all: they read what is over, and nothing before, as teams do.
            Dialogue.objects.update(status="completed", closed_at=timezone.now())
        answer = client_of(person).get(address)
        belongs = role in (access.roles or (Role.ORGANIZER,))
        if belongs:
            # What is open already is led to; nobody who belongs is led to the login.
            leads_on = answer.status_code == 302 and answer.url.startswith("/dialogues/")
            expected = {409} if path == UNREADABLE else {200, 405}
            assert leads_on or answer.status_code in expected, f"{role} {address}: {answer.status_code}"
        else:
            assert answer.status_code in {404, 405}, f"{role} {address}: {answer.status_code}"


@pytest.mark.django_db
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


@pytest.mark.django_db
def test_a_published_leaderboard_is_open_to_everybody(campaign, dialogue, settings, tmp_path):
    settings.VAR_DIR = tmp_path
    publish_now(campaign, has_bundle=True)
    public = [path for path, callback in ROUTES if "leaderboard" in path and access_of(callback).kind == "published"]
    assert len(public) == 12
    for path in public:
        answer = client_of(None).get(address_of(path, dialogue))
        assert answer.status_code == (409 if path == UNREADABLE else 200), path
        assert answer.get("Location") is None


@pytest.mark.django_db
def test_pages_of_testers_never_name_a_team_or_a_bots_address(dialogue, tester, campaign):
    client = client_of(tester)
    campaign.entries.update(key="canary-key")
    Bot.objects.update(name="canary-name")
    entry = campaign.entries.get()
    for address in (
        "/", "/campaigns/small/", "/campaigns/small/testing/", f"/dialogues/{dialogue.pk}/", "/api/v1/assignments/",
        f"/api/v1/dialogues/{dialogue.pk}/", "/api/v1/campaigns/small/choices/",
    ):  # fmt: skip
        answer = client.get(address)
        assert answer.status_code == 200
        everything = answer.content.decode() + str(answer.headers)
        for secret in ("Team Alpha", "canary", entry.url):
            assert secret not in everything, f"{address} names {secret}"


@pytest.mark.django_db
def test_cookies_and_headers_are_strict(client):
    answer = client.get("/login/")
    assert answer.cookies["csrftoken"]["httponly"]
    assert answer.cookies["csrftoken"]["samesite"] == "Lax"
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "unsafe-inline" not in answer.headers["Content-Security-Policy"]


@pytest.mark.django_db
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


@pytest.mark.django_db
@pytest.mark.parametrize("wanted", ["https://evil.example/", "//evil.example", "javascript:alert(1)"])
def test_preferences_never_lead_elsewhere(client, wanted):
    answer = client.post("/preferences/", {"language": "en", "next": wanted})
    assert answer.headers["Location"] == "/"


@pytest.mark.django_db
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
    "name",
    "name_zh",
    "members",
    "text_zh",
    "about",
    "version",
    "protocol",
    "option-model",
]


@pytest.mark.django_db
@in_groups(ROUTES)
def test_text_that_cannot_be_stored_is_never_a_500(paths, dialogue, run, frozen, tester):
    for role in Role:
        run.task.campaign.roles.get_or_create(person=tester, role=role)
    joins(tester, dialogue, run)
    for path in paths:
        address = address_of(path, dialogue, run)
        with undone():
            for status in unstorable_answers(client_of(tester), address):
                assert status < 500, f"{address}: {status}"


@contextmanager
def undone():
    """What is done inside has not been done afterwards."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def unstorable_answers(client, address):
    sent = dict.fromkeys(FIELDS, UNSTORABLE)
    yield client.get(address, sent).status_code
    yield client.post(address, sent).status_code
    yield client.post(address, sent | {"file": SimpleUploadedFile("run.json", b"{}")}).status_code
    yield client.post(address, sent | {"comment": UNSTORABLE}, content_type="application/json").status_code
    surrogates = b'{"note": "\\ud800", "comment": {"\\ud800": 1}}'
    yield client.post(address, surrogates, content_type="application/json").status_code


@pytest.mark.django_db
@in_groups(ROUTES)
def test_a_cookie_that_cannot_be_stored_is_as_none(paths, dialogue, run):
    for path in paths:
        client, address = client_of(None), address_of(path, dialogue, run)
        usual = client.get(address).status_code
        for name in ("sessionid", "csrftoken", "messages", "django_language", "huace_theme"):
            client.cookies.clear()
            # Django looks up no session whose key is shorter than eight characters.
            client.cookies[name] = f"{UNSTORABLE}cdefghij"
            assert client.cookies[name].coded_value == '"a\\000bcdefghij"'
            assert client.get(address).status_code == usual, f"{address}: {name}"


@pytest.mark.django_db
def test_a_nul_in_a_query_of_the_api_is_refused_in_its_own_shape(tester):
    answer = client_of(tester).get("/api/v1/assignments/", {"note": UNSTORABLE}, headers={"accept-language": "en"})
    assert (answer.status_code, answer.headers["Content-Type"]) == (400, "application/problem+json")
    assert answer.json() == {
        "type": "urn:huace:problem:parse_error",
        "title": "The request is not valid",
        "status": 400,
        "code": "parse_error",
        "detail": "note[0]: holds a NUL character or half a surrogate pair, which cannot be stored",
    }


@pytest.mark.django_db
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


@pytest.mark.django_db
def test_a_person_keeps_language_and_theme_each_for_itself(tester):
    client = client_of(tester)
    client.post("/preferences/", {"theme": "dark", "next": "/"})
    client.post("/preferences/", {"language": "en", "next": "/"})
    page = client.get("/").content.decode()
    assert re.search(r'lang="en"\s+data-theme="dark"', page)
    assert "Your campaigns" in page
    assert client.post("/preferences/", {"theme": "pink", "next": "/"}).status_code == 400


@pytest.mark.django_db
def test_tokens_expire(campaign, tester):
    from datetime import timedelta

    _, token = ApiToken.objects.create(user=tester, expiry=timedelta(seconds=-1))
    answer = Client().get("/api/v1/assignments/", headers={"Authorization": f"Token {token}"})
    assert answer.status_code == 401


@pytest.mark.django_db
@pytest.mark.parametrize("body", [b"[" * 5000, b"not json", b"[1]", b"\xff", b'{"a": 1, "a": 2}', b'{"a": NaN}'])
def test_bad_json_is_a_400_in_words(tester, body):
    answer = client_of(tester).post("/api/v1/dialogues/", body, content_type="application/json")
    assert answer.status_code == 400
    assert answer.json()["detail"]


@pytest.mark.django_db
@pytest.mark.parametrize("assignment", ["１２", "1", 1.5, True, None, 2**40, -1])
def test_an_assignment_is_a_whole_number(tester, assignment):
    answer = client_of(tester).post("/api/v1/dialogues/", {"assignment": assignment}, content_type="application/json")
    assert answer.status_code in {400, 404}


@pytest.mark.django_db
def test_a_form_without_its_token_is_refused(tester):
    client = Client(enforce_csrf_checks=True)
    client.force_login(tester)
    assert client.post("/preferences/", {"language": "en"}).status_code == 403
    answer = client.post("/api/v1/dialogues/", {"assignment": 1}, content_type="application/json")
    assert answer.status_code == 403


def test_unknown_ids_are_404(db, outsider):
    assert client_of(outsider).get(f"/dialogues/{uuid.uuid4()}/").status_code == 404
