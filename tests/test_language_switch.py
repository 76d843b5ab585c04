"""A change of language keeps the page, also where the page answers a form. Generated from the routes.

A page at an address that only takes a form leads to the page with that form; one that shows something that cannot be
read again offers no change of language, and says why.
"""

import re
from html import unescape

import pytest
from django.urls import get_resolver, resolve

from accounts.form_routes import page_address
from accounts.models import Person
from tests.routes import CHANGING, ROUTES, access_of, methods_of
from tests.test_trail import EVERY_TRY, stage, usual
from tests.world import address_of, asked, client_of, frozen, run

__all__ = ["frozen", "run", "stage"]
PAGES = [(path, callback) for path, callback in ROUTES if "api/" not in path and CHANGING & methods_of(callback)]
FORM_ROUTES = [(path, callback) for path, callback in PAGES if hasattr(callback, "page_of_form")]
# A guess that was wrong: the form alone is there to be read again.
REFUSED = {"POST login/code/"}
LOST = "This page cannot be loaded again: what it shows would be lost."


def takes_get(callback) -> bool:
    """Whether an address can be read: only `form_on` and `require_POST` leave reading out."""
    return "GET" in methods_of(callback)


def next_of(answer) -> set[str]:
    """Where the changes of language on a page lead."""
    return set(map(unescape, re.findall(r'name="next" value="([^"]*)"', answer.content.decode())))


def is_page(answer) -> bool:
    return answer.status_code not in {301, 302, 303} and "text/html" in answer.headers.get("Content-Type", "")


@pytest.mark.parametrize(("path", "callback"), PAGES, ids=[path for path, _ in PAGES])
def test_a_route_that_only_takes_a_form_names_the_page_of_the_form(path, callback):
    assert takes_get(callback) or hasattr(callback, "page_of_form"), f"{path}: use form_on (accounts/form_routes.py)"


@pytest.mark.parametrize(("path", "callback"), FORM_ROUTES, ids=[path for path, _ in FORM_ROUTES])
def test_the_page_of_a_form_can_be_read_and_has_no_argument_of_its_own(path, callback):
    ((_pattern, names),) = get_resolver().reverse_dict.getlist(callback.page_of_form)[0][0]
    assert set(names) <= set(re.findall(r"<\w+:(\w+)>", path))
    a_uuid = "00000000-0000-4000-8000-000000000000"
    values = {name: a_uuid if "_id" in name and f"<uuid:{name}>" in path else 1 for name in names}
    assert takes_get(resolve(page_address(callback.page_of_form, values)).func)


def test_the_look_at_the_routes_sees_what_takes_only_a_form():
    by_path = dict(ROUTES)
    assert len(FORM_ROUTES) > 40
    assert not takes_get(by_path["campaigns/<slug:slug>/team/bots/<int:entry_id>/key/"])
    assert takes_get(by_path["campaigns/<slug:slug>/team/bots/<int:entry_id>/"])


@pytest.mark.django_db
def test_a_page_that_answers_a_useless_form_can_be_read_in_the_other_language(request, dialogue, run, frozen, settings):
    settings.API_RATE = 0
    wrong, n = [], 0
    for path, callback in PAGES:
        access = access_of(callback)
        person = None if access.kind == "open" else request.getfixturevalue((*access.roles, "organizer")[0])
        client = client_of(person)
        answer = asked(client, "POST", address_of(path, dialogue, run))
        for address in next_of(answer) if is_page(answer) else ():
            n += 1
            if client.get(address).status_code in {405, 500}:
                wrong.append(f"{path} ({answer.status_code}) leads to {address}")
    assert not wrong, "\n".join(wrong)
    assert n > 30


@pytest.mark.django_db
@pytest.mark.parametrize(
    "one", [one for one in EVERY_TRY if "api/" not in one.route and one.route not in REFUSED], ids=str
)
def test_what_a_form_answers_at_once_is_lost_by_no_change_of_language(one, stage):
    address, sent = one.prepare(stage)
    stage.log_in(one.by)
    Person.objects.update(language="en")
    method, path = one.route.split(" ")
    answer = getattr(stage.client, method.lower())(address or usual(path), sent)
    if is_page(answer):
        assert not next_of(answer), f"{path} shows something that a change of language loses"
        assert LOST in answer.content.decode()
