"""Log-ins, passwords, tokens."""

from accounts.actions import issue_token
from accounts.models import Person
from accounts.passwords.actions import make_password_link
from accounts.second_factor.actions import begin_set_up, finish_set_up
from tests.accounts.second_factor.conftest import code_of
from tests.trail_tries.stage import OTHER_PASSWORD, PASSWORD
from tests.trail_tries.table import tries


@tries("POST login/", "login.done", by="")
def _(stage):
    Person.objects.create_user("ann", password=PASSWORD)
    return "", {"username": "ann", "password": PASSWORD}


@tries("POST api/v1/log-in/", "token.issued", by="")
def _(stage):
    Person.objects.create_user("ann", password=PASSWORD)
    return "", {"username": "ann", "password": PASSWORD}


@tries("POST logout/", "login.ended")
def _(stage):
    return "", {}


@tries("POST account/password/", "password.changed")
def _(stage):
    return "", {"old_password": PASSWORD, "new_password1": OTHER_PASSWORD, "new_password2": OTHER_PASSWORD}


@tries("POST api/v1/password/set/", "account.password_set", by="")
def _(stage):
    token = make_password_link(person=stage.person("tester"), by=None, at=stage.now)
    return "", {"token": token, "password": OTHER_PASSWORD}


@tries("POST password/set/<str:token>/", "account.password_set", by="")
def _(stage):
    token = make_password_link(person=stage.person("tester"), by=None, at=stage.now)
    return f"/password/set/{token}/", {"new_password1": OTHER_PASSWORD, "new_password2": OTHER_PASSWORD}


NEW_TOKEN = {"name": "My program", "role": "", "campaign": "", "days": "30"}


@tries("POST account/tokens/new/", "token.issued")
def _(stage):
    return "", NEW_TOKEN


@tries("POST api/v1/account/tokens/", "token.issued")
def _(stage):
    return "", {"name": "My program"}


@tries("DELETE api/v1/account/tokens/<slug:token_key>/", "token.revoked")
def _(stage):
    return f"/api/v1/account/tokens/{issue_token(person=stage.person('organizer'))[:15]}/", {}


@tries("POST account/tokens/revoke/", "token.revoked")
def _(stage):
    return "", {"token_key": issue_token(person=stage.person("organizer"))[:15]}


@tries("POST account/sessions/<int:log_in_id>/end/", "session.ended")
def _(stage):
    return f"/account/sessions/{stage.other_log_in().pk}/end/", {}


@tries("POST account/sessions/end/", "sessions.ended")
def _(stage):
    stage.other_log_in()
    return "", {}


@tries("DELETE api/v1/account/sessions/<int:log_in_id>/", "session.ended")
def _(stage):
    return f"/api/v1/account/sessions/{stage.other_log_in().pk}/", {}


@tries("DELETE api/v1/account/sessions/", "sessions.ended")
def _(stage):
    stage.other_log_in()
    return "", {}


@tries("POST invitations/<str:token>/", "invitation.accepted", by="tester")
def _(stage):
    return f"/invitations/{stage.invitation()}/", {}


@tries("POST api/v1/invitations/<str:token>/", "invitation.accepted", by="")
def _(stage):
    return f"/api/v1/invitations/{stage.invitation()}/", {"username": "newcomer", "password": OTHER_PASSWORD}


def with_factor(stage):
    """The organizer has a password and a second factor."""
    organizer = stage.person("organizer")
    organizer.set_password(PASSWORD)
    organizer.save()
    device = begin_set_up(person=stage.person("organizer"))
    finish_set_up(person=stage.person("organizer"), code=code_of(device, steps=-1))
    return device


@tries("POST account/second-factor/confirm/", "second_factor.set")
def _(stage):
    return "", {"code": code_of(begin_set_up(person=stage.person("organizer")))}


@tries("POST account/second-factor/codes/", "second_factor.codes")
def _(stage):
    with_factor(stage)
    return "", {"password": PASSWORD}


@tries("POST account/second-factor/off/", "second_factor.ended")
def _(stage):
    with_factor(stage)
    return "", {"password": PASSWORD}


@tries("POST login/code/", "login.done", by="")
def _(stage):
    device = with_factor(stage)
    stage.client.post("/login/", {"username": "organizer", "password": PASSWORD})
    return "", {"code": code_of(device)}


@tries("POST login/code/", "login.code_wrong", by="")
def _(stage):
    with_factor(stage)
    stage.client.post("/login/", {"username": "organizer", "password": PASSWORD})
    return "", {"code": "000000"}


@tries("POST account/details/", "account.details")
def _(stage):
    return "", {"display_name": "张三", "email": ""}


@tries("PATCH api/v1/account/details/", "account.details")
def _(stage):
    return "", {"display_name": "张三"}


@tries("POST api/v1/account/password/", "password.changed")
def _(stage):
    return "", {"old_password": PASSWORD, "new_password": OTHER_PASSWORD}


@tries("POST api/v1/account/second-factor/confirm/", "second_factor.set")
def _(stage):
    return "", {"code": code_of(begin_set_up(person=stage.person("organizer")))}


@tries("POST api/v1/account/second-factor/codes/", "second_factor.codes")
def _(stage):
    with_factor(stage)
    return "", {"password": PASSWORD}


@tries("DELETE api/v1/account/second-factor/", "second_factor.ended")
def _(stage):
    with_factor(stage)
    return "", {"password": PASSWORD}
