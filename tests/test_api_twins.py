"""Whatever a page can do, a program can do: each route of a page that changes something has its twin in the API, or a reason."""

import pytest

from tests.test_trail import CHANGING_ROUTES

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
        ("calendar/", "PATCH", "calendar/"),
        ("correlations/file/", "POST", "correlations/file/"),
        ("coverage/draw/", "POST", "drawing/"),
        ("dialogues/<uuid:dialogue_id>/<slug:act>/", "POST", "dialogues/<uuid:dialogue_id>/<slug:act>/"),
        ("faults/change/", "PUT", "faults/"),
        ("file/", "POST", "file/"),
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
