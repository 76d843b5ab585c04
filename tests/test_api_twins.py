"""Whatever a page can do, a program can do: each route of a page has its twin in the API, or a reason why it has none.

Routes that change something are named with their method; those that only show something by their path, and their twin gives
what they show to the same roles.
"""

import pytest

from tests.routes import CHANGING_ROUTES, ROUTES, access_of, methods_of

C = "campaigns/<slug:slug>/"
# The route of the API that does the same act by the same action, where its method or address is another.
TWINS = {
    "POST account/details/": "PATCH api/v1/account/details/",
    "POST account/messages/": "PATCH api/v1/account/messages/",
    "POST account/second-factor/begin/": "POST api/v1/account/second-factor/",
    "POST account/second-factor/off/": "DELETE api/v1/account/second-factor/",
    "POST account/sessions/<int:log_in_id>/end/": "DELETE api/v1/account/sessions/<int:log_in_id>/",
    "POST account/sessions/end/": "DELETE api/v1/account/sessions/",
    "POST account/tokens/new/": "POST api/v1/account/tokens/",
    "POST account/tokens/revoke/": "DELETE api/v1/account/tokens/<slug:token_key>/",
    "POST assignments/<int:assignment_id>/open/": "POST api/v1/dialogues/",
    "POST campaigns/new/": "POST api/v1/campaigns/",
    "POST dialogues/<uuid:dialogue_id>/another/": "POST api/v1/dialogues/",
    "POST login/": "POST api/v1/log-in/",
    "POST login/code/": "POST api/v1/log-in/",
    "POST password/set/<str:token>/": "POST api/v1/password/set/",
    "POST preferences/": "PATCH api/v1/account/preferences/",
} | {
    f"POST {C}{page}": f"{method} api/v1/{C}{twin}"
    for page, method, twin in (
        ("apply/", "POST", "application/"),
        ("apply/withdraw/", "DELETE", "application/"),
        ("boards/<slug:key>/publication/freeze/", "POST", "boards/<slug:key>/publication/"),
        ("calendar/", "PATCH", "calendar/"),
        ("description/", "PATCH", "description/"),
        ("rubric/", "PUT", "rubric/"),
        ("replays/ask/", "POST", "replays/"),
        ("team/replays/ask/", "POST", "team/replays/"),
        ("coverage/draw/", "POST", "drawing/"),
        ("faults/change/", "PUT", "faults/"),
        ("imports/", "POST", "dialogues/import/"),
        ("imports/records/", "POST", "records/import/"),
        ("imports/pairs/", "POST", "pairs/import/"),
        ("teams/requests/<int:team_request_id>/withdraw/", "DELETE", "teams/requests/<int:team_request_id>/"),
        ("models/<int:endpoint_id>/", "PUT", "models/<int:endpoint_id>/"),
        ("models/<int:endpoint_id>/withdraw/", "DELETE", "models/<int:endpoint_id>/"),
        ("programs/new/", "POST", "programs/"),
        ("rehearsals/new/", "POST", "rehearsals/"),
        ("rehearsals/<uuid:rehearsal_id>/remove/", "DELETE", "rehearsals/<uuid:rehearsal_id>/"),
        ("programs/<int:person_id>/stop/", "DELETE", "programs/<int:person_id>/"),
        ("judges/<int:judge_id>/withdraw/", "DELETE", "judges/<int:judge_id>/"),
        ("review/guide/examples/<int:example_id>/remove/", "DELETE", "review/guide/examples/<int:example_id>/"),
        ("people/hours/", "PATCH", "people/hours/"),
        ("people/log-in-limit/", "DELETE", "people/log-in-limit/"),
        ("people/<int:person_id>/change/", "POST", "people/<int:person_id>/roles/"),
        ("people/<int:person_id>/second-factor/", "DELETE", "people/<int:person_id>/second-factor/"),
        ("people/invitations/", "POST", "invitations/"),
        ("people/invitations/<int:invitation_id>/renew/", "POST", "invitations/<int:invitation_id>/renew/"),
        ("people/invitations/<int:invitation_id>/withdraw/", "DELETE", "invitations/<int:invitation_id>/"),
        ("publication/<int:number>/publish/", "POST", "publication/<int:number>/"),
        ("publication/<int:number>/withdraw/", "DELETE", "publication/<int:number>/"),
        ("publication/forget/", "DELETE", "publication/"),
        ("publication/freeze/", "POST", "publication/"),
        ("scenarios/new/", "POST", "scenarios/"),
        ("scenarios/one/<slug:scenario>/", "PUT", "scenarios/one/<slug:scenario>/"),
        ("scenarios/one/<slug:scenario>/remove/", "DELETE", "scenarios/one/<slug:scenario>/"),
        ("services/<int:service_id>/", "PUT", "services/<int:service_id>/"),
        ("services/<int:service_id>/stage/", "POST", "services/<int:service_id>/"),
        ("settings/", "PATCH", "settings/"),
        ("task-setup/new/<slug:type>/", "POST", "task-setup/"),
        ("task-setup/one/<slug:key>/", "PUT", "task-setup/one/<slug:key>/"),
        ("task-setup/one/<slug:key>/remove/", "DELETE", "task-setup/one/<slug:key>/"),
        (
            "tasks/<slug:key>/board/<slug:split>/publication/freeze/",
            "POST",
            "tasks/<slug:key>/board/<slug:split>/publication/",
        ),
        ("tasks/<slug:key>/change/", "PATCH", "task-setup/one/<slug:key>/"),
        ("tasks/<slug:key>/service/", "PUT", "tasks/<slug:key>/service/"),
        ("tasks/<slug:key>/submit/", "POST", "tasks/<slug:key>/runs/"),
        ("team/", "POST", "team/bots/"),
        ("team/bots/<int:entry_id>/", "PUT", "team/bots/<int:entry_id>/"),
        ("team/bots/<int:entry_id>/withdraw/", "DELETE", "team/bots/<int:entry_id>/"),
        ("teams/", "POST", "teams/bots/"),
        ("teams/bots/<int:entry_id>/", "PUT", "teams/bots/<int:entry_id>/"),
        ("teams/bots/act/", "POST", "teams/bots/<int:entry_id>/"),
        ("teams/data/<int:package_id>/remove/", "DELETE", "teams/data/<int:package_id>/"),
        ("studies/<int:study_id>/", "PUT", "studies/<int:study_id>/"),
        ("studies/<int:study_id>/act/", "POST", "studies/<int:study_id>/state/"),
        ("webhooks/<int:webhook_id>/remove/", "DELETE", "webhooks/<int:webhook_id>/"),
        ("wall/announcements/", "POST", "announcements/"),
        ("wall/announcements/<int:announcement_id>/take-back/", "DELETE", "announcements/<int:announcement_id>/"),
    )
}
TWINS["POST operate/addresses/<int:address_id>/remove/"] = "DELETE api/v1/operate/addresses/<int:address_id>/"
TWINS["POST operate/organizers/<int:person_id>/remove/"] = "DELETE api/v1/operate/organizers/<int:person_id>/"
TWINS[f"POST {C}testing/consent/"] = f"POST api/v1/{C}consent/"
TWINS[f"POST {C}testing/open/"] = "POST api/v1/dialogues/"
TWINS[f"POST {C}panels/<uuid:dialogue_id>/"] = "POST api/v1/dialogues/<uuid:dialogue_id>/panel/"
WITHOUT = {
    "POST enter/<str:token>/": "Logs in the browser that a platform sent, and no program.",
    "POST enter/<str:token>/place/": "Ends with the code that its person carries to the platform.",
    "POST logout/": "A token is revoked, a session is ended at api/v1/account/sessions/.",
    "PUT account/password/": "Django's page takes it for a POST.",
    "PUT login/": "Django's page takes it for a POST.",
    f"POST {C}faults/preview/": "Orders a computation for the page beside it; the decision itself has a twin.",
}
OF_PAGES = [route for route in CHANGING_ROUTES if " api/" not in route]


def same_of(route):
    """The twin of a route that has no row."""
    return route.replace(" ", " api/v1/")


@pytest.mark.parametrize("route", OF_PAGES)
def test_an_act_of_a_page_has_a_twin_in_the_api_or_a_reason(route):
    known = route in WITHOUT or TWINS.get(route, same_of(route)) in CHANGING_ROUTES
    assert known, f"{route}: name its twin in the API, or say why it has none"


def test_no_row_is_left_over():
    assert not (TWINS.keys() | WITHOUT.keys()) - set(OF_PAGES)
    assert not TWINS.keys() & WITHOUT.keys()
    assert not [route for route, twin in TWINS.items() if twin == same_of(route)]


# The route of the API that gives what the page shows, where its address is another; what stands on it beside has a route of its own.
READ_TWINS = {
    "": "account/campaigns/",
    "about/": "public-campaigns/",
    "about/api/": "schema/",
    "assignments/<int:assignment_id>/open/": "assignments/",
    "campaigns/new/": "presets/",
    "reviews/<uuid:dialogue_id>/": "dialogues/<uuid:dialogue_id>/review/sheet/",
    "reviews/<uuid:dialogue_id>/vetting/": "dialogues/<uuid:dialogue_id>/review/sheet/",
    "trail/lines.<slug:format>": "trail/",
    f"{C}review/": "reviews/queue/",
} | {
    C + page: C + twin
    for page, twin in (
        ("about/<int:version>/", "description/<int:version>/"),
        ("apply/", "application/"),
        ("assignments/<int:assignment_id>/", "assignments/"),
        ("correlations/<slug:table>.csv", "correlations/"),
        ("coverage/draw/", "drawing/"),
        ("export/<slug:what>.<slug:format>", "exports/<slug:what>.<slug:format>"),
        ("faults/", "faults/preview/"),
        ("redact/<uuid:dialogue_id>/", "dialogues/<uuid:dialogue_id>/"),
        ("file/download/", "file/"),
        ("leaderboard/<int:number>/", "leaderboard/<int:number>/leaderboard.json"),
        ("leaderboard/<int:number>/paper/", "leaderboard/<int:number>/leaderboard.json"),
        ("leaderboard/<int:number>/dialogues/", "leaderboard/<int:number>/bundle.zip"),
        ("leaderboard/<int:number>/dialogues/<int:dialogue_number>/", "leaderboard/<int:number>/bundle.zip"),
        ("leaderboard/<int:number>/dialogues/side-by-side/", "leaderboard/<int:number>/bundle.zip"),
        ("leaderboard/<int:number>/pairs/", "leaderboard/<int:number>/leaderboard.json"),
        ("leaderboard/<int:number>/figures/", "leaderboard/<int:number>/bundle.zip"),
        ("leaderboard/<int:number>/files/<slug:part>.<slug:format>", "leaderboard/<int:number>/leaderboard.json"),
        ("leaderboard/<int:number>/ranks.svg", "leaderboard/<int:number>/leaderboard.json"),
        ("leaderboard/figures/", "leaderboard/parts/"),
        ("leaderboard/files/<slug:part>.<slug:format>", "leaderboard/parts/"),
        ("organize/", "wall/"),
        ("people/invitations/", "invitations/"),
        ("revisions/", "revision-requests/"),
        ("runs/<uuid:run_id>/progress/", "runs/<uuid:run_id>/"),
        ("scenarios/one/<slug:scenario>/preview/", "scenarios/one/<slug:scenario>/card/"),
        ("tasks/<slug:key>/", "tasks/<slug:key>/runs/"),
        ("tasks/<slug:key>/organize/", "task-setup/one/<slug:key>/"),
        ("testing/", "choices/"),
        ("trail/lines.<slug:format>", "trail/"),
    )
}
EMPTY_FORM = "An empty form: what it sends has a twin."
NO_READ_TWIN = {
    "account/password/": EMPTY_FORM,
    "login/": EMPTY_FORM,
    "login/code/": EMPTY_FORM,
    "password/forgotten/": EMPTY_FORM,
    "account/messages/confirm/<str:token>/": EMPTY_FORM,
    "password/set/<str:token>/": EMPTY_FORM,
    f"{C}imports/": EMPTY_FORM,
    f"{C}imports/records/": EMPTY_FORM,
    f"{C}imports/pairs/": EMPTY_FORM,
    f"{C}scenarios/import/": EMPTY_FORM,
    f"{C}scenarios/new/": EMPTY_FORM,
    f"{C}task-setup/new/<slug:type>/": EMPTY_FORM,
    f"{C}team/try/": EMPTY_FORM,
    f"{C}teams/try/": EMPTY_FORM,
    f"{C}testing/practice/": "It is played in the browser: there is nothing on the server to read.",
    f"{C}team/practice/<uuid:dialogue_id>/": "The console of a dialogue that the API gives by its id.",
    "checks/<uuid:check_id>/badge.svg": "A picture for pages elsewhere, open to whoever has its address.",
    "service-checks/<uuid:service_check_id>/badge.svg": "A picture for pages elsewhere, open to whoever has its address.",
    "operate/": "What `manage.py status --format json` prints.",
    "enter/<str:token>/": "The door of people whom a platform sends: a program has none.",
    "enter/<str:token>/place/": "The way back to the platform, for its person alone.",
    "design/": "The parts of the pages themselves.",
    "favicon.ico": "An icon of the pages.",
    "huace-verify.pyz": "A program, as a file to download.",
    "session/": "Tells a page whether its cookie still counts.",
    "start/": "Leads a browser on after the login.",
    "find/": "Leads to pages: what these show, their twins give.",
}
# Pages whose twin has another rule, with the reason.
OTHER_RULE = {
    C + "leaderboard/<int:number>/ranks.svg": "It leads on, whatever there is to read.",
    f"{C}apply/": "Who has no account reads a form there; a program sends it to application/newcomer/.",
    "": "Newcomers see the front page there, whose campaigns are at public-campaigns/.",
    "assignments/<int:assignment_id>/open/": "The list is everybody's own, empty for who is no tester.",
    "campaigns/new/": "What presets mean is no secret; making a campaign is for staff in both.",
    "reviews/<uuid:dialogue_id>/": "Experts read the same sheet; whose dialogue it is decides in both.",
    "reviews/<uuid:dialogue_id>/vetting/": "Those who score read the same sheet; whose dialogue it is decides in both.",
    f"{C}description/": "The form is the organizer's; what it stored stands on the page of everybody who sees the campaign.",
    f"{C}calendar/": "The form is the organizer's; its dates stand on the pages of everybody in the campaign.",
    f"{C}review/": "Reviewers alone have a queue; what adjudicators and experts have is at reviews/waiting/.",
}


SHOWING = {path: access_of(callback) for path, callback in ROUTES if "GET" in methods_of(callback)}
PAGES = [path for path in SHOWING if not path.startswith("api/")]


def twin_of(page):
    return f"api/v1/{READ_TWINS.get(page, page)}"


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_shows_a_program_reads_or_there_is_a_reason(page):
    known = page in NO_READ_TWIN or twin_of(page) in SHOWING
    assert known, f"{page}: name its twin in the API, or say why it has none"


def test_no_page_that_shows_something_is_left_over():
    assert READ_TWINS.keys() | NO_READ_TWIN.keys() <= set(PAGES)
    assert not READ_TWINS.keys() & NO_READ_TWIN.keys()
    assert not [page for page, twin in READ_TWINS.items() if page == twin]


@pytest.mark.parametrize("page", sorted(set(PAGES) - NO_READ_TWIN.keys()))
def test_one_rule_says_who_reads_the_page_and_its_twin(page):
    own, twin = SHOWING[page], SHOWING[twin_of(page)]
    same = (own.kind, set(own.roles)) == (twin.kind, set(twin.roles))
    assert same != (page in OTHER_RULE), f"{page}: {own}, its twin {twin}"
