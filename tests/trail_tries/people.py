"""People of a campaign and their invitations: pages and the API."""

from accounts.second_factor.actions import begin_set_up, finish_set_up
from campaigns.actions.people import pause_person
from campaigns.models import Role
from registration.actions.inviting import invite
from registration.invitation_lines import Invitee
from registration.models import Invitation
from tests.accounts.second_factor.conftest import code_of
from tests.reviews.conftest import person
from tests.trail_tries.table import tries

PAGES, API = "campaigns/<slug:slug>/people/", "api/v1/campaigns/<slug:slug>/people/"
ONE = "<int:person_id>/"
INVITATIONS = "api/v1/campaigns/<slug:slug>/invitations/"
INVITATION = "<int:invitation_id>/"


def page_of(stage, name, what):
    return f"/campaigns/small/people/{stage.person(name).pk}/{what}"


def api_of(stage, name, what):
    return f"/api/v1{page_of(stage, name, what)}"


def pause(stage, name="tester"):
    paused, by = stage.person(name), stage.person("organizer")
    pause_person(campaign=stage.campaign, person=paused, because="ill", by=by, at=stage.now)


def expert(stage):
    """Somebody with a role that has no work to hand on."""
    person(stage.campaign, "tester", Role.EXPERT)


def invited(stage):
    invitee = Invitee(line=1, name="Li", email="", roles=(Role.REVIEWER,), team="")
    invite(campaign=stage.campaign, invitees=[invitee], by=None, at=stage.now)
    return Invitation.objects.get().pk


@tries(f"POST {PAGES}{ONE}change/", "person.paused")
def _(stage):
    return page_of(stage, "tester", "change/"), {"act": "pause", "because": "ill"}


@tries(f"POST {PAGES}{ONE}change/", "person.resumed")
def _(stage):
    pause(stage)
    return page_of(stage, "tester", "change/"), {"act": "resume", "because": "well"}


@tries(f"POST {PAGES}{ONE}change/", "role.given")
def _(stage):
    return page_of(stage, "tester", "change/"), {"act": "give", "role": "expert", "because": "needed"}


@tries(f"POST {PAGES}{ONE}change/", "role.taken")
def _(stage):
    expert(stage)
    return page_of(stage, "tester", "change/"), {"act": "take", "role": "expert", "because": "done"}


@tries(f"POST {API}{ONE}pause/", "person.paused")
def _(stage):
    return api_of(stage, "tester", "pause/"), {"because": "ill"}


@tries(f"DELETE {API}{ONE}pause/", "person.resumed")
def _(stage):
    pause(stage)
    return api_of(stage, "tester", "pause/"), {"because": "well"}


@tries(f"POST {API}{ONE}roles/", "role.given")
def _(stage):
    return api_of(stage, "tester", "roles/"), {"role": "expert", "because": "needed"}


@tries(f"DELETE {API}{ONE}roles/", "role.taken")
def _(stage):
    expert(stage)
    return api_of(stage, "tester", "roles/?role=expert"), {"because": "done"}


@tries(f"POST {PAGES}{ONE}leave/", "person.work_handed_on")
def _(stage):
    stage.with_plan()
    return page_of(stage, "tester", "leave/"), {"role": "tester", "because": "left"}


@tries(f"POST {API}{ONE}leave/", "person.work_handed_on")
def _(stage):
    stage.with_plan()
    return api_of(stage, "tester", "leave/"), {"role": "tester", "because": "left"}


@tries(f"POST {PAGES}{ONE}leave/", "person.work_handed_on")
def _(stage):
    return page_of(stage, "reviewer", "leave/"), {"role": "reviewer", "because": "left"}


@tries(f"POST {PAGES}{ONE}password-link/", "account.password_link")
def _(stage):
    return page_of(stage, "tester", "password-link/"), {}


@tries(f"POST {API}{ONE}password-link/", "account.password_link")
def _(stage):
    return api_of(stage, "tester", "password-link/"), {}


@tries(f"POST {PAGES}invitations/", "invitation.made")
def _(stage):
    return "", {"pasted": "Li\nWang", "role": ["reviewer"], "days": "7"}


@tries(f"POST {INVITATIONS}", "invitation.made")
def _(stage):
    return "", {"people": "Li\nWang", "roles": ["reviewer"]}


@tries(f"POST {PAGES}invitations/{INVITATION}renew/", "invitation.renewed")
def _(stage):
    return f"/campaigns/small/people/invitations/{invited(stage)}/renew/", {}


@tries(f"POST {INVITATIONS}{INVITATION}renew/", "invitation.renewed")
def _(stage):
    return f"/api/v1/campaigns/small/invitations/{invited(stage)}/renew/", {}


@tries(f"POST {PAGES}invitations/{INVITATION}withdraw/", "invitation.withdrawn")
def _(stage):
    return f"/campaigns/small/people/invitations/{invited(stage)}/withdraw/", {}


@tries(f"DELETE {INVITATIONS}{INVITATION}", "invitation.withdrawn")
def _(stage):
    return f"/api/v1/campaigns/small/invitations/{invited(stage)}/", {}


def with_factor(stage):
    """The tester has a second factor."""
    tester = stage.person("tester")
    device = begin_set_up(person=tester)
    finish_set_up(person=tester, code=code_of(device, steps=-1))


@tries(f"POST {PAGES}log-in-limit/", "login.network_limit_lifted")
def _(stage):
    return "/campaigns/small/people/log-in-limit/", {}


@tries(f"DELETE {API}log-in-limit/", "login.network_limit_lifted")
def _(stage):
    return "/api/v1/campaigns/small/people/log-in-limit/", {}


@tries(f"POST {PAGES}{ONE}second-factor/", "second_factor.reset")
def _(stage):
    with_factor(stage)
    return page_of(stage, "tester", "second-factor/"), {"because": "lost the phone"}


@tries(f"DELETE {API}{ONE}second-factor/", "second_factor.reset")
def _(stage):
    with_factor(stage)
    return api_of(stage, "tester", "second-factor/"), {"because": "lost the phone"}


@tries("POST campaigns/<slug:slug>/people/hours/", "hours.changed")
def _(stage):
    return "", {"testers.tester": "mon-fri 09:00-18:00"}


@tries("PATCH api/v1/campaigns/<slug:slug>/people/hours/", "hours.changed")
def _(stage):
    return "", {"testers": {"tester": "mon-fri 09:00-18:00"}}
