"""That every page of the product is among those that axe-core, the contact sheet and the measurements look at."""

import uuid

import pytest
from django.urls import Resolver404, get_resolver
from django.views.decorators.http import require_GET

from tests.live.page_site import PAGES, Page
from tests.routes import ROUTES, methods_of

# What takes GET and is no page: nobody looks at it in a browser.
NO_PAGES = {
    "campaigns/<slug:slug>/correlations/<slug:table>.csv": "a file",
    "campaigns/<slug:slug>/export/<slug:what>.<slug:format>": "a file",
    "campaigns/<slug:slug>/file/download/": "a file",
    "campaigns/<slug:slug>/leaderboard/<int:number>/bundle.zip": "a file",
    "campaigns/<slug:slug>/leaderboard/<int:number>/leaderboard.csv": "a file",
    "campaigns/<slug:slug>/leaderboard/<int:number>/leaderboard.json": "a file",
    "campaigns/<slug:slug>/leaderboard/<int:number>/files/<slug:part>.<slug:format>": "a file",
    "campaigns/<slug:slug>/leaderboard/<int:number>/ranks.svg": "leads on, never answers",
    "campaigns/<slug:slug>/leaderboard/files/<slug:part>.<slug:format>": "a file",
    "dialogues/<uuid:dialogue_id>/images/<str:picture_name>/": "a picture",
    "pairs/<uuid:pair_id>/images/<str:picture_name>/": "a picture",
    "campaigns/<slug:slug>/leaderboard/<int:number>/dialogues/<int:dialogue_number>/images/<str:picture_name>/": "a picture",
    "campaigns/<slug:slug>/runs/<uuid:run_id>/file/": "a file",
    "campaigns/<slug:slug>/scenarios/example/<slug:format>/": "a file",
    "huace-verify.pyz": "a file",
    "campaigns/<slug:slug>/studies/<int:study_id>/ids.txt": "a file",
    "campaigns/<slug:slug>/studies/<int:study_id>/payments.csv": "a file",
    "campaigns/<slug:slug>/task-setup/example/<slug:type>/": "a file",
    "campaigns/<slug:slug>/task-setup/files/": "a file",
    "campaigns/<slug:slug>/tasks/<slug:key>/example/": "a file",
    "campaigns/<slug:slug>/team/packages/<int:package_id>/": "a file",
    "campaigns/<slug:slug>/trail/lines.<slug:format>": "a file",
    "trail/lines.<slug:format>": "a file",
    "campaigns/<slug:slug>/dialogues/<uuid:dialogue_id>/request/": "a line for a shell",
    "campaigns/<slug:slug>/runs/<uuid:run_id>/progress/": "figures for the page of the run",
    "checks/<uuid:check_id>/badge.svg": "a picture",
    "service-checks/<uuid:service_check_id>/badge.svg": "a picture",
    "favicon.ico": "a picture",
    "session/": "an answer for scripts: who is logged in",
    "start/": "leads on, never answers",
}
SAMPLES = (str(uuid.UUID(int=0)), "1", "word")


def taking_get() -> set[str]:
    return {path for path, callback in ROUTES if not path.startswith("api/") and "GET" in methods_of(callback)}


def route_of(page: Page) -> str | None:
    """The pattern behind a row, whatever its seeds put into the address; None where nothing answers."""
    address = page.path.partition("?")[0]
    for sample in SAMPLES:
        names = dict.fromkeys(names_in(address), sample)
        try:
            return str(get_resolver().resolve(address.format(**names)).route)
        except Resolver404:
            continue
    return None


def names_in(address: str) -> list[str]:
    return [part.partition("}")[0] for part in address.split("{")[1:]]


def test_every_page_is_looked_at_or_is_none():
    looked_at = {route_of(page) for page in PAGES if page.expects == 200}
    missing = taking_get() - looked_at - set(NO_PAGES)
    assert missing == set(), "each needs a row in tests/live/page_site.py, with a seed, or a reason in NO_PAGES"


def test_what_is_no_page_is_a_route_that_is_not_looked_at():
    assert set(NO_PAGES) <= taking_get()
    assert set(NO_PAGES).isdisjoint(route_of(page) for page in PAGES)


def test_every_row_is_of_a_route_and_has_a_name_of_its_own():
    names = [page.name for page in PAGES]
    assert len(set(names)) == len(names)
    assert [page.name for page in PAGES if route_of(page) is None] == ["error-404"]


@pytest.mark.parametrize(
    ("path", "takes_get"),
    [("logout/", False), ("login/", True), ("campaigns/<slug:slug>/wall/", True), ("campaigns/<slug:slug>/teams/bots/act/", False)],
)  # fmt: skip
def test_the_methods_of_a_view_are_read_through_its_wrappers(path, takes_get):
    (callback,) = (callback for one, callback in ROUTES if one == path)
    assert ("GET" in methods_of(callback)) is takes_get


def test_a_page_without_a_row_and_a_new_route_are_missed(monkeypatch):
    monkeypatch.setattr("tests.live.test_page_site.PAGES", [page for page in PAGES if page.name != "wall"])
    monkeypatch.setattr("tests.live.test_page_site.ROUTES", [*ROUTES, ("new/", require_GET(lambda request: None))])
    with pytest.raises(AssertionError) as missed:
        test_every_page_is_looked_at_or_is_none()
    assert "wall/" in str(missed.value)
    assert "new/" in str(missed.value)
