"""Errors of the API as problem details (RFC 9457): the members, the media type, both languages."""

import ast
from functools import cache
from pathlib import Path

import pytest
from django.db import OperationalError
from django.test import Client
from django.utils.translation import gettext, gettext_noop, override

from api.problems import problem
from participants.allowed_addresses import CannotAllow
from tests.test_house import ROOMS, files_of

pytestmark = pytest.mark.django_db


def client_of(person, *, raises=True):
    client = Client(raise_request_exception=raises)
    client.force_login(person)
    return client


def test_a_problem_says_what_it_is_to_programs_and_to_people():
    with override("en"):
        said = problem(409, "closed", lambda: gettext("The dialogue is closed."), version=3)
    assert said == {
        "type": "urn:huace:problem:closed",
        "title": "This does not fit the state of things",
        "status": 409,
        "code": "closed",
        "detail": "The dialogue is closed.",
        "detail_zh": "对话已结束。",
        "detail_en": "The dialogue is closed.",
        "version": 3,
    }


@pytest.mark.parametrize(("language", "title"), [("en", "Not found"), ("zh-hans", "没有找到")])
def test_what_is_not_yours_is_a_problem_in_the_readers_language(tester, language, title):
    answer = client_of(tester).get("/api/v1/campaigns/none/problems/", headers={"accept-language": language})
    assert answer.status_code == 404
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert (answer.json()["code"], answer.json()["title"]) == ("not_found", title)


def test_wrong_fields_keep_their_places(tester, dialogue):
    answer = client_of(tester).post(
        f"/api/v1/dialogues/{dialogue.pk}/problems/", {"turn": -1}, content_type="application/json"
    )
    assert answer.status_code == 400
    assert set(answer.json()["fields"]) == {"text", "turn"}


def test_somebody_without_a_token_hears_it_as_a_problem():
    answer = Client().get("/api/v1/assignments/")
    assert (answer.status_code, answer.json()["status"]) == (401, 401)
    assert answer.headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("path", ["/api/v1/nothing/", "/api/"])
def test_an_unknown_address_of_the_api_is_no_page(path):
    answer = Client().get(path)
    assert (answer.status_code, answer.headers["Content-Type"]) == (404, "application/problem+json")
    assert answer.json()["code"] == "not_found"


@pytest.mark.parametrize(
    ("error", "status", "code"), [(ZeroDivisionError, 500, "error"), (OperationalError, 503, "unavailable")]
)
def test_what_breaks_on_our_side_is_a_problem_too(tester, monkeypatch, error, status, code):
    def breaks(*args):
        raise error

    monkeypatch.setattr("campaigns.access.campaign_for", breaks)
    answer = client_of(tester, raises=False).get("/api/v1/campaigns/small/problems/")
    assert (answer.status_code, answer.json()["code"]) == (status, code)


ROOT = Path(__file__).resolve().parents[2]
TRANSLATED = {"_", "gettext", "gettext_lazy", "gettext_noop", "ngettext"}
REFUSALS = {"ValidationError", "Refused", "Gone", "Conflict", "NotFound", "PermissionDenied", "APIException"}


def name_of(call: ast.Call) -> str:
    return getattr(call.func, "id", "") or getattr(call.func, "attr", "")


def bare_sentences(node: ast.AST) -> list[str]:
    """The texts with a space below the node that no function of translation is given."""
    if isinstance(node, ast.Call) and name_of(node) in TRANSLATED:
        return []
    if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and " " in str(node.value)):
        return [ast.unparse(node)]
    return [one for child in ast.iter_child_nodes(node) for one in bare_sentences(child)]


def english_in(source: str) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and name_of(node) in REFUSALS:
            found += bare_sentences(node)
        elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "default_detail":
            found += bare_sentences(node.value)
    return found


def test_an_english_sentence_is_seen():
    assert english_in('raise Refused(f"It is {why}", "code")') == ["f'It is {why}'"]
    assert english_in('class A:\n    default_detail = "Not now"') == ["'Not now'"]
    assert english_in('raise Refused(_("It is old"), "is_old")') == []


def test_every_refusal_of_the_api_is_in_the_readers_language():
    modules = [path for path in ROOT.glob("[a-z]*/**/*api.py") if "tests" not in path.relative_to(ROOT).parts]
    assert len(modules) > 20
    assert {path.name: found for path in modules if (found := english_in(path.read_text()))} == {}


def test_a_refusal_is_worded_for_each_reader():
    with override("zh-hans"):
        refused = CannotAllow(gettext_noop("%(place)s is the address of this platform."), place="10.0.0.1:80")
        said = problem(409, refused.code, refused.__str__)
    assert said["detail"] == said["detail_zh"]
    assert said["detail_en"] == "10.0.0.1:80 is the address of this platform."
    assert "10.0.0.1:80" in said["detail_zh"] != said["detail_en"]


@cache
def trees():
    return [(path, ast.parse(path.read_text())) for room in ROOMS for path in files_of(room)]


def nodes_in(kind):
    """Each with its file: those of all rooms."""
    return [(path, one) for path, tree in trees() for one in ast.walk(tree) if isinstance(one, kind)]


def refusals():
    """`Refused` and every class below it, by name."""
    bases = {one.name: {ast.unparse(base).split(".")[-1] for base in one.bases} for _, one in nodes_in(ast.ClassDef)}
    found, size = {"Refused"}, 0
    while len(found) > size:
        size = len(found)
        found |= {name for name, above in bases.items() if above & found}
    return found


def test_no_refusal_is_put_into_words_where_it_is_raised():
    """It would stay in the language of whoever asked, and the other one would be missing in the answer to a program."""
    worded_later, found = refusals(), []
    assert {"CannotAllow", "TooLate", "NotYet"} <= worded_later
    for path, call in nodes_in(ast.Call):
        if name_of(call) in worded_later:
            named = [one for argument in call.args for one in ast.walk(argument) if isinstance(one, ast.Name)]
            if any(one.id == "_" for one in named):
                found.append(f"{path}:{call.lineno}")
    assert found == []
