"""Services of automatic tasks: their addresses, checks, and their way from draft to frozen."""

from datetime import timedelta

from automatic_tasks.actions import register_service, send_back_service, withdraw_service
from automatic_tasks.checked_services import SERVICES
from conformance.actions import finish_fingerprint
from participants.models import Team
from tests.trail_tries.table import tries

API = "api/v1/campaigns/<slug:slug>/"
URL = "http://service.example.com/labels"


def own_service(stage):
    """A service of Team Alpha."""
    stage.service_task()
    task, team = stage.campaign.automatic_tasks.get(), Team.objects.get(name="Team Alpha")
    return register_service(task=task, team=team, url=URL, by=stage.person("participant"), at=stage.now)


def draft(stage):
    by = stage.person("organizer")
    return send_back_service(service=own_service(stage), because="It answers nothing.", by=by, at=stage.now)


@tries("POST campaigns/<slug:slug>/services/<int:service_id>/", "service.address_changed", by="participant")
def _(stage):
    return f"/campaigns/small/services/{own_service(stage).pk}/", {"url": f"{URL}2"}


@tries("POST campaigns/<slug:slug>/services/<int:service_id>/", "service.address_changed")
def _(stage):
    return f"/campaigns/small/services/{own_service(stage).pk}/", {"url": URL, "secret": "s3cret"}


@tries("POST campaigns/<slug:slug>/services/<int:service_id>/checks/", "service.check_asked", by="participant")
def _(stage):
    return f"/campaigns/small/services/{own_service(stage).pk}/checks/", {}


@tries("POST campaigns/<slug:slug>/services/<int:service_id>/submit/", "service.submitted", by="participant")
def _(stage):
    return f"/campaigns/small/services/{draft(stage).pk}/submit/", {}


@tries("POST campaigns/<slug:slug>/services/<int:service_id>/stage/", "service.admitted")
def _(stage):
    return f"/campaigns/small/services/{draft(stage).pk}/stage/", {"act": "admit"}


@tries("POST campaigns/<slug:slug>/services/<int:service_id>/stage/", "service.sent_back")
def _(stage):
    address = f"/campaigns/small/services/{own_service(stage).pk}/stage/"
    return address, {"act": "send_back", "because": "It answers nothing."}


@tries("POST campaigns/<slug:slug>/services/<int:service_id>/stage/", "service.withdrawn")
def _(stage):
    address = f"/campaigns/small/services/{own_service(stage).pk}/stage/"
    return address, {"act": "withdraw", "because": "The team asked for it."}


def changed(stage):
    """A service that answers differently than when it was admitted."""
    service = own_service(stage)
    for minutes, label in ((1, "chat"), (2, "flight")):
        at = stage.now + timedelta(minutes=minutes)
        begun = service.fingerprints.create(taken_at=at, protocol=service.protocol, url=service.url)
        finish_fingerprint(SERVICES, begun=begun, answers=[[label], [label]], at=at)
    return service


@tries(f"POST {API}services/<int:service_id>/", "service.change_accepted")
def _(stage):
    return f"/api/v1/campaigns/small/services/{changed(stage).pk}/", {"act": "accept_change"}


@tries(f"PUT {API}services/<int:service_id>/", "service.address_changed")
def _(stage):
    return f"/api/v1/campaigns/small/services/{own_service(stage).pk}/", {"url": f"{URL}2"}


@tries(f"POST {API}services/<int:service_id>/", "service.frozen")
def _(stage):
    return f"/api/v1/campaigns/small/services/{own_service(stage).pk}/", {"act": "freeze"}


@tries(f"POST {API}services/<int:service_id>/", "service.taken_back")
def _(stage):
    by = stage.person("organizer")
    gone = withdraw_service(service=own_service(stage), because="The team asked for it.", by=by, at=stage.now)
    return f"/api/v1/campaigns/small/services/{gone.pk}/", {"act": "take_back"}


@tries(f"POST {API}services/<int:service_id>/submit/", "service.submitted", by="participant")
def _(stage):
    return f"/api/v1/campaigns/small/services/{draft(stage).pk}/submit/", {}


@tries(f"POST {API}services/<int:service_id>/checks/", "service.check_asked")
def _(stage):
    return f"/api/v1/campaigns/small/services/{own_service(stage).pk}/checks/", {}
