"""REST: the calendar of a campaign: everybody in it reads it, its organizers change it with a reason."""

from typing import Any, TypedDict
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access, person_of
from api.describing import describes
from campaigns.access import campaign_for
from campaigns.actions import ConfirmationNeeded, DatesOutOfOrder, ReasonNeeded, change_calendar
from campaigns.calendar import DATES, Doing, is_open, now_and_next
from campaigns.calendar_settings import NO_DATE
from campaigns.campaign_settings import settings_of
from campaigns.models import Campaign, Role
from participants.limits import REASON_LIMIT
from reading.json_schemas import Moment
from testing_console.serializers import KindField


class CalendarSerializer(serializers.Serializer[Any]):
    because = serializers.CharField(required=False, allow_blank=True, default="", max_length=REASON_LIMIT)
    confirmed = serializers.BooleanField(required=False, default=False)

    def get_fields(self) -> dict[str, Any]:
        kinds = {name: setting.kind for name, setting in settings_of("calendar").items()}
        dates = {name: KindField(kind, required=False, allow_null=name in DATES) for name, kind in kinds.items()}
        return super().get_fields() | dates


class NextPhase(TypedDict):
    phase: str
    at: Moment
    begins: bool


class CalendarAnswer(TypedDict):
    """Beside these one member per date of the calendar, each a time or null. `open` says what may be done now."""

    time_zone: str
    now: list[str]
    next: NextPhase | None
    open: dict[str, bool]


class Unconfirmed(APIException):
    status_code = 409
    default_code = "unconfirmed"


class CalendarOfCampaign(APIView):
    """GET gives dates, phases and what is open now; PATCH changes the dates that it names (null takes one back)."""

    access = Access("roles", tuple(Role.values))

    @describes("Gives the dates, the phases and what is open now", CalendarAnswer)
    def get(self, request: Request, slug: str) -> Response:
        return Response(shown(campaign_for(request.user, slug, *Role.values)))

    @describes(
        "Changes the dates that it names; null takes one back", CalendarAnswer, reads=CalendarSerializer, refuses=(409,)
    )
    def patch(self, request: Request, slug: str) -> Response:
        campaign = campaign_for(request.user, slug, Role.ORGANIZER)
        said = CalendarSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        asked = said.validated_data
        try:
            change_calendar(
                campaign=campaign,
                dates={name: None if asked[name] == NO_DATE else asked[name] for name in DATES if name in asked},
                time_zone=asked.get("time_zone", ""),
                because=asked["because"],
                is_confirmed=asked["confirmed"],
                by=person_of(request),
                at=timezone.now(),
            )
        except DatesOutOfOrder as wrong:
            raise ValidationError(
                {one.later: [_(one.text) % {"earlier": one.earlier}] for one in wrong.wrong}
            ) from wrong
        except ReasonNeeded as silent:
            raise ValidationError({"because": [str(silent)]}) from silent
        except ConfirmationNeeded as closing:
            names = ", ".join(change.name for change in closing.changes)
            text = _("This closes at once what %(names)s covers: send it with confirmed = true.") % {"names": names}
            raise Unconfirmed(text) from closing
        return Response(shown(campaign))


def shown(campaign: Campaign) -> dict[str, Any]:
    """Dates carry the offset of the campaign's own clocks."""
    zone, at = ZoneInfo(campaign.time_zone), timezone.now()
    dates = {name: getattr(campaign, name) for name in DATES}
    seen = now_and_next(campaign, at)
    following = seen.next and {
        "phase": seen.next.phase,
        "at": seen.next.at.astimezone(zone).isoformat(),
        "begins": seen.next.is_beginning,
    }
    return {
        "time_zone": campaign.time_zone,
        **{name: moment.astimezone(zone).isoformat() if moment else None for name, moment in dates.items()},
        "now": [phase for phase, _until in seen.now],
        "next": following,
        "open": {doing.value: is_open(campaign, doing, at) for doing in Doing},
    }
