"""What an organizer does with a service, by the name of the act."""

from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from accounts.models import Person
from automatic_tasks.actions import (
    admit_service,
    freeze_service,
    send_back_service,
    take_back_service,
    withdraw_service,
)
from automatic_tasks.checked_services import SERVICES
from automatic_tasks.models import Service
from conformance.actions import accept_change
from serving.refused import Refused

SERVICE_ACTS = ("admit", "send_back", "freeze", "withdraw", "take_back", "accept_change")


class NoSuchAct(Refused):
    """Nothing was changed."""

    code = "no_such_act"

    def __str__(self) -> str:
        return _("The act is one of %(acts)s.") % {"acts": ", ".join(SERVICE_ACTS)}


def move_on(service: Service, act: str, because: str, *, by: Person, at: datetime) -> None:
    """Errors: `NoSuchAct`, `NotThatStage`, `NotNow`."""
    named: dict[str, Any] = {"service": service, "by": by, "at": at}
    match act:
        case "admit":
            admit_service(**named)
        case "send_back":
            send_back_service(**named, because=because)
        case "freeze":
            freeze_service(**named)
        case "withdraw":
            withdraw_service(**named, because=because)
        case "take_back":
            take_back_service(**named)
        case "accept_change":
            accept_change(SERVICES, system=service, by=by, at=at)
        case _:
            raise NoSuchAct
