"""Whatever a page can do, a program can do: each route of a page has its twin in the API, or a reason why it has none.

Routes that change something are named with their method; those that only show something by their path, and their twin gives
what they show to the same roles.
"""

import pytest

from tests.routes import CHANGING_ROUTES, ROUTES, access_of

C = "campaigns/<slug:slug>/"
# The route of the API that does the same act by the same action.
TWINS = {
    "POST account/details/": "PATCH api/v1/account/details/",
    "POST account/password/": "POST api/v1/account/password/",
    "POST account/second-factor/begin/": "POST api/v1/account/second-factor/",
    "POST account/second-factor/codes/": "POST api/v1/account/second-factor/codes/",
    "POST account/second-factor/confirm/": "POST api/v1/account/second-factor/confirm/",
    "POST account/second-factor/off/": "DELETE api/v1/account/second-factor/",
    "POST account/sessions/<int:log_in_id>/end/": "DELETE api/v1/account/sessions/<int:log_in_id>/",
    "POST account/sessions/end/": "DELETE api/v1/account/sessions/",
    "POST account/tokens/new/": "POST api/v1/account/tokens/",
    "POST account/tokens/revoke/": "DELETE api/v1/account/tokens/<slug:token_key>/",
    "POST assignments/<int:assignment_id>/open/": "POST api/v1/dialogues/",
    "POST campaigns/new/": "POST api/v1/campaigns/",
    "POST dialogues/<uuid:dialogue_id>/another/": "POST api/v1/dialogues/",
    "POST invitations/<str:token>/": "POST api/v1/invitations/<str:token>/",
    "POST login/": "POST api/v1/log-in/",
    "POST login/code/": "POST api/v1/log-in/",
    "POST password/forgotten/": "POST api/v1/password/forgotten/",
    "POST password/set/<str:token>/": "POST api/v1/password/set/",
    "POST preferences/": "PATCH api/v1/account/preferences/",
} | {
    f"POST {C}{page}": f"{method} api/v1/{C}{twin}"
    for page, method, twin in (
        ("apply/", "POST", "application/"),
        ("apply/withdraw/", "DELETE", "application/"),
        ("assignments/<int:assignment_id>/", "POST", "assignments/<int:assignment_id>/"),
        ("bots/<int:entry_id>/checks/", "POST", "bots/<int:entry_id>/checks/"),
        ("boards/<slug:key>/publication/freeze/", "POST", "boards/<slug:key>/publication/"),
        ("calendar/", "PATCH", "calendar/"),
        ("correlations/file/", "POST", "correlations/file/"),
        ("coverage/draw/", "POST", "drawing/"),
        ("dialogues/<uuid:dialogue_id>/<slug:act>/", "POST", "dialogues/<uuid:dialogue_id>/<slug:act>/"),
        ("faults/change/", "PUT", "faults/"),
        ("file/", "POST", "file/"),
        ("imports/", "POST", "dialogues/import/"),
        ("imports/records/", "POST", "records/import/"),
        ("team/requests/<int:team_request_id>/", "POST", "team/requests/<int:team_request_id>/"),
        ("teams/requests/", "POST", "teams/requests/"),
        ("teams/requests/<int:team_request_id>/withdraw/", "DELETE", "teams/requests/<int:team_request_id>/"),
        ("people/log-in-limit/", "DELETE", "people/log-in-limit/"),
        ("people/<int:person_id>/change/", "POST", "people/<int:person_id>/roles/"),
        ("people/<int:person_id>/leave/", "POST", "people/<int:person_id>/leave/"),
        ("people/<int:person_id>/password-link/", "POST", "people/<int:person_id>/password-link/"),
        ("people/<int:person_id>/second-factor/", "DELETE", "people/<int:person_id>/second-factor/"),
        ("people/invitations/", "POST", "invitations/"),
        ("people/invitations/<int:invitation_id>/renew/", "POST", "invitations/<int:invitation_id>/renew/"),
        ("people/invitations/<int:invitation_id>/withdraw/", "DELETE", "invitations/<int:invitation_id>/"),
        ("problems/<int:problem_id>/settle/", "POST", "problems/<int:problem_id>/settle/"),
        ("publication/<int:number>/publish/", "POST", "publication/<int:number>/"),
        ("publication/<int:number>/withdraw/", "DELETE", "publication/<int:number>/"),
        ("publication/forget/", "DELETE", "publication/"),
        ("publication/freeze/", "POST", "publication/"),
        ("runs/<uuid:run_id>/again/", "POST", "runs/<uuid:run_id>/again/"),
        ("runs/<uuid:run_id>/choose/", "POST", "runs/<uuid:run_id>/choose/"),
        ("scenarios/import/", "POST", "scenarios/import/"),
        ("scenarios/new/", "POST", "scenarios/"),
        ("scenarios/one/<slug:scenario>/", "PUT", "scenarios/one/<slug:scenario>/"),
        ("scenarios/one/<slug:scenario>/remove/", "DELETE", "scenarios/one/<slug:scenario>/"),
        ("services/<int:service_id>/", "PUT", "services/<int:service_id>/"),
        ("services/<int:service_id>/checks/", "POST", "services/<int:service_id>/checks/"),
        ("services/<int:service_id>/stage/", "POST", "services/<int:service_id>/"),
        ("services/<int:service_id>/submit/", "POST", "services/<int:service_id>/submit/"),
        ("settings/", "PATCH", "settings/"),
        ("task-setup/new/<slug:type>/", "POST", "task-setup/"),
        ("task-setup/one/<slug:key>/", "PUT", "task-setup/one/<slug:key>/"),
        ("task-setup/one/<slug:key>/quotas/", "POST", "task-setup/one/<slug:key>/quotas/"),
        ("task-setup/one/<slug:key>/remove/", "DELETE", "task-setup/one/<slug:key>/"),
        (
            "tasks/<slug:key>/board/<slug:split>/publication/freeze/",
            "POST",
            "tasks/<slug:key>/board/<slug:split>/publication/",
        ),
        ("tasks/<slug:key>/change/", "PATCH", "task-setup/one/<slug:key>/"),
        ("tasks/<slug:key>/service/", "PUT", "tasks/<slug:key>/service/"),
        ("tasks/<slug:key>/start/", "POST", "tasks/<slug:key>/start/"),
        ("tasks/<slug:key>/submit/", "POST", "tasks/<slug:key>/runs/"),
        ("team/", "POST", "team/bots/"),
        ("team/agreement/", "POST", "team/agreement/"),
        ("team/bots/<int:entry_id>/", "PUT", "team/bots/<int:entry_id>/"),
        ("team/bots/<int:entry_id>/key/", "POST", "team/bots/<int:entry_id>/key/"),
        ("team/bots/<int:entry_id>/practice/", "POST", "team/bots/<int:entry_id>/practice/"),
        ("team/bots/<int:entry_id>/practice/", "POST", "team/bots/<int:entry_id>/practice/"),
        ("team/bots/<int:entry_id>/submit/", "POST", "team/bots/<int:entry_id>/submit/"),
        ("team/bots/<int:entry_id>/withdraw/", "DELETE", "team/bots/<int:entry_id>/"),
        ("team/try/", "POST", "team/try/"),
        ("teams/", "POST", "teams/bots/"),
        ("teams/agreement/", "POST", "teams/agreement/"),
        ("teams/applications/<int:application_id>/", "POST", "teams/applications/<int:application_id>/"),
        ("teams/bots/<int:entry_id>/", "PUT", "teams/bots/<int:entry_id>/"),
        ("teams/bots/<int:entry_id>/key/", "POST", "teams/bots/<int:entry_id>/key/"),
        ("teams/bots/act/", "POST", "teams/bots/<int:entry_id>/"),
        ("teams/data/", "POST", "teams/data/"),
        ("teams/data/<int:package_id>/remove/", "DELETE", "teams/data/<int:package_id>/"),
        ("teams/try/", "POST", "teams/try/"),
        ("wall/announcements/", "POST", "announcements/"),
        ("wall/announcements/<int:announcement_id>/take-back/", "DELETE", "announcements/<int:announcement_id>/"),
    )
}
TWINS[f"POST {C}testing/open/"] = "POST api/v1/dialogues/"
TWINS[f"POST {C}panels/<uuid:dialogue_id>/"] = "POST api/v1/dialogues/<uuid:dialogue_id>/panel/"
WITHOUT = {
    "POST logout/": "A token is revoked, a session is ended at api/v1/account/sessions/.",
    "PUT account/password/": "Django's page takes it for a POST.",
    "PUT login/": "Django's page takes it for a POST.",
    f"POST {C}faults/preview/": "Orders a computation for the page beside it; the decision itself has a twin.",
}
OF_PAGES = [route for route in CHANGING_ROUTES if " api/" not in route]


@pytest.mark.parametrize("route", OF_PAGES)
def test_an_act_of_a_page_has_a_twin_in_the_api_or_a_reason(route):
    assert route in TWINS or route in WITHOUT, f"{route}: name its twin in the API, or say why it has none"


def test_every_twin_is_a_route():
    missing = {twin for twin in TWINS.values() if twin not in CHANGING_ROUTES}
    assert not missing


def test_no_row_is_left_over():
    assert not (TWINS.keys() | WITHOUT.keys()) - set(OF_PAGES)
    assert not TWINS.keys() & WITHOUT.keys()


# The route of the API that gives what the page shows; what stands on it beside has a route of its own.
READ_TWINS = {
    "": "account/campaigns/",
    "about/": "public-campaigns/",
    "about/api/": "schema/",
    "account/details/": "account/details/",
    "account/second-factor/": "account/second-factor/",
    "account/sessions/": "account/sessions/",
    "account/tokens/": "account/tokens/",
    "assignments/<int:assignment_id>/open/": "assignments/",
    "campaigns/new/": "presets/",
    "dialogues/<uuid:dialogue_id>/": "dialogues/<uuid:dialogue_id>/",
    "invitations/<str:token>/": "invitations/<str:token>/",
    "reviews/<uuid:dialogue_id>/": "dialogues/<uuid:dialogue_id>/review/sheet/",
    "reviews/<uuid:dialogue_id>/vetting/": "dialogues/<uuid:dialogue_id>/review/sheet/",
    "trail/": "trail/",
    "trail/lines.<slug:format>": "trail/",
    f"{C}review/": "reviews/queue/",
} | {
    C + page: C + twin
    for page, twin in (
        ("", ""),
        ("agreement/", "agreement/"),
        ("apply/", "application/"),
        ("assignments/", "assignments/"),
        ("assignments/<int:assignment_id>/", "assignments/"),
        ("boards/<slug:key>/", "boards/<slug:key>/"),
        ("boards/<slug:key>/publication/", "boards/<slug:key>/publication/"),
        ("bots/<int:entry_id>/checks/", "bots/<int:entry_id>/checks/"),
        ("calendar/", "calendar/"),
        ("checks/<uuid:check_id>/", "checks/<uuid:check_id>/"),
        ("correlations/", "correlations/"),
        ("correlations/<slug:table>.csv", "correlations/"),
        ("coverage/", "coverage/"),
        ("coverage/draw/", "drawing/"),
        ("dialogues/", "dialogues/"),
        ("dialogues/<uuid:dialogue_id>/", "dialogues/<uuid:dialogue_id>/"),
        ("dialogues/<uuid:dialogue_id>/request/", "dialogues/<uuid:dialogue_id>/request/"),
        ("export/<slug:what>.<slug:format>", "exports/<slug:what>.<slug:format>"),
        ("failures/", "failures/"),
        ("faults/", "faults/preview/"),
        ("file/", "file/"),
        ("file/download/", "file/"),
        ("leaderboard/", "leaderboard/"),
        ("leaderboard/<int:number>/", "leaderboard/<int:number>/leaderboard.json"),
        ("leaderboard/<int:number>/bundle.zip", "leaderboard/<int:number>/bundle.zip"),
        ("leaderboard/<int:number>/leaderboard.csv", "leaderboard/<int:number>/leaderboard.csv"),
        ("leaderboard/<int:number>/leaderboard.json", "leaderboard/<int:number>/leaderboard.json"),
        ("leaderboard/<int:number>/records/<slug:figure>/", "leaderboard/<int:number>/records/<slug:figure>/"),
        ("leaderboard/parts/", "leaderboard/parts/"),
        ("leaderboard/records/<int:entry_id>/<slug:figure>/", "leaderboard/records/<int:entry_id>/<slug:figure>/"),
        ("organize/", "wall/"),
        ("panels/", "panels/"),
        ("people/", "people/"),
        ("people/<int:person_id>/", "people/<int:person_id>/"),
        ("people/<int:person_id>/leave/", "people/<int:person_id>/leave/"),
        ("people/invitations/", "invitations/"),
        ("problems/", "problems/"),
        ("publication/", "publication/"),
        ("publication/<int:number>/", "publication/<int:number>/"),
        ("revisions/", "revision-requests/"),
        ("runs/<uuid:run_id>/", "runs/<uuid:run_id>/"),
        ("runs/<uuid:run_id>/file/", "runs/<uuid:run_id>/file/"),
        ("runs/<uuid:run_id>/items/<slug:split>/", "runs/<uuid:run_id>/items/<slug:split>/"),
        ("runs/<uuid:run_id>/progress/", "runs/<uuid:run_id>/"),
        ("scenarios/", "scenarios/"),
        ("scenarios/example/<slug:format>/", "scenarios/example/<slug:format>/"),
        ("scenarios/one/<slug:scenario>/", "scenarios/one/<slug:scenario>/"),
        ("scenarios/one/<slug:scenario>/preview/", "scenarios/one/<slug:scenario>/card/"),
        ("service-checks/<uuid:service_check_id>/", "service-checks/<uuid:service_check_id>/"),
        ("services/", "services/"),
        ("services/<int:service_id>/", "services/<int:service_id>/"),
        ("services/<int:service_id>/checks/", "services/<int:service_id>/checks/"),
        ("rankings/", "rankings/"),
        ("settings/", "settings/"),
        ("task-setup/", "task-setup/"),
        ("task-setup/example/<slug:type>/", "task-setup/example/<slug:type>/"),
        ("task-setup/files/", "task-setup/files/"),
        ("task-setup/one/<slug:key>/", "task-setup/one/<slug:key>/"),
        ("task-setup/one/<slug:key>/quotas/", "task-setup/one/<slug:key>/quotas/"),
        ("tasks/", "tasks/"),
        ("tasks/<slug:key>/", "tasks/<slug:key>/runs/"),
        ("tasks/<slug:key>/board/<slug:split>/", "tasks/<slug:key>/board/<slug:split>/"),
        ("tasks/<slug:key>/board/<slug:split>/publication/", "tasks/<slug:key>/board/<slug:split>/publication/"),
        ("tasks/<slug:key>/example/", "tasks/<slug:key>/example/"),
        ("tasks/<slug:key>/organize/", "task-setup/one/<slug:key>/"),
        ("team/", "team/"),
        ("team/bots/<int:entry_id>/", "team/bots/<int:entry_id>/"),
        ("team/dialogues/<uuid:dialogue_id>/", "team/dialogues/<uuid:dialogue_id>/"),
        ("team/packages/<int:package_id>/", "team/packages/<int:package_id>/"),
        ("teams/", "teams/"),
        ("teams/agreement/", "teams/agreement/"),
        ("teams/bots/<int:entry_id>/", "teams/bots/<int:entry_id>/"),
        ("teams/data/", "teams/data/"),
        ("testing/", "choices/"),
        ("trail/", "trail/"),
        ("trail/lines.<slug:format>", "trail/"),
        ("wall/", "wall/"),
    )
}
EMPTY_FORM = "An empty form: what it sends has a twin."
NO_READ_TWIN = {
    "account/password/": EMPTY_FORM,
    "login/": EMPTY_FORM,
    "login/code/": EMPTY_FORM,
    "logout/": "Django's page refuses it.",
    "password/forgotten/": EMPTY_FORM,
    "password/set/<str:token>/": EMPTY_FORM,
    f"{C}imports/": EMPTY_FORM,
    f"{C}imports/records/": EMPTY_FORM,
    f"{C}scenarios/import/": EMPTY_FORM,
    f"{C}scenarios/new/": EMPTY_FORM,
    f"{C}task-setup/new/<slug:type>/": EMPTY_FORM,
    f"{C}team/try/": EMPTY_FORM,
    f"{C}teams/try/": EMPTY_FORM,
    f"{C}team/practice/<uuid:dialogue_id>/": "The console of a dialogue that the API gives by its id.",
    "checks/<uuid:check_id>/badge.svg": "A picture for pages elsewhere, open to whoever has its address.",
    "service-checks/<uuid:service_check_id>/badge.svg": "A picture for pages elsewhere, open to whoever has its address.",
    "design/": "The parts of the pages themselves.",
    "favicon.ico": "An icon of the pages.",
    "huace-verify.pyz": "A program, as a file to download.",
    "session/": "Tells a page whether its cookie still counts.",
    "start/": "Leads a browser on after the login.",
}
# Pages whose twin has another rule, with the reason.
OTHER_RULE = {
    f"{C}apply/": "Who has no account reads a form there; a program sends it to application/newcomer/.",
    "": "Newcomers see the front page there, whose campaigns are at public-campaigns/.",
    "assignments/<int:assignment_id>/open/": "The list is everybody's own, empty for who is no tester.",
    "campaigns/new/": "What presets mean is no secret; making a campaign is for staff in both.",
    "reviews/<uuid:dialogue_id>/": "Experts read the same sheet; whose dialogue it is decides in both.",
    "reviews/<uuid:dialogue_id>/vetting/": "Those who score read the same sheet; whose dialogue it is decides in both.",
    f"{C}calendar/": "The form is the organizer's; its dates stand on the pages of everybody in the campaign.",
    f"{C}review/": "Reviewers alone have a queue; what adjudicators and experts have is at reviews/waiting/.",
}


def shows_something(callback) -> bool:
    """Whether the route answers GET: by its class, or by what its decorator names."""
    if cls := getattr(callback, "cls", None) or getattr(callback, "view_class", None):
        return hasattr(cls, "get")
    while callback is not None:
        free = callback.__code__.co_freevars
        if "request_method_list" in free:
            return "GET" in callback.__closure__[free.index("request_method_list")].cell_contents
        callback = getattr(callback, "__wrapped__", None)
    raise AssertionError("names its methods nowhere (django.views.decorators.http)")


SHOWING = {path: access_of(callback) for path, callback in ROUTES if shows_something(callback)}
PAGES = [path for path in SHOWING if not path.startswith("api/")]


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_shows_a_program_reads_or_there_is_a_reason(page):
    assert page in READ_TWINS or page in NO_READ_TWIN, f"{page}: name its twin in the API, or say why it has none"


def test_every_twin_of_a_page_that_shows_something_answers_a_get():
    assert not {twin for twin in READ_TWINS.values() if f"api/v1/{twin}" not in SHOWING}


def test_no_page_that_shows_something_is_left_over():
    assert READ_TWINS.keys() | NO_READ_TWIN.keys() == set(PAGES)
    assert not READ_TWINS.keys() & NO_READ_TWIN.keys()


@pytest.mark.parametrize("page", sorted(READ_TWINS))
def test_one_rule_says_who_reads_the_page_and_its_twin(page):
    own, twin = SHOWING[page], SHOWING[f"api/v1/{READ_TWINS[page]}"]
    same = (own.kind, set(own.roles)) == (twin.kind, set(twin.roles))
    assert same != (page in OTHER_RULE), f"{page}: {own}, its twin {twin}"
