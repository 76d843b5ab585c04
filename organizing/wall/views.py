"""The organizer's live wall, and the words of its script, which reach it through json_script."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from campaigns.access import for_roles
from campaigns.actions.stages import FAILED_IN_A_ROW
from campaigns.models import Campaign, Role
from dialogues.daily_progress import daily_progress
from dialogues.models import ANNOUNCEMENT_LIMIT
from organizing.wall.reading import wall_now
from participants.failures import FailureKind, Fault
from participants.limits import REASON_LIMIT


def wall_strings(*, testers_choose: bool) -> dict[str, str]:
    """Where no number of dialogues is known, testers choose freely, or nothing is drawn yet."""
    unplanned = _("testers choose freely") if testers_choose else _("no plan is drawn yet")
    return _line() | _figures() | {"freely": unplanned} | _rows() | _failures()


def _line() -> dict[str, str]:
    return {
        "connecting": _("Connecting …"),
        "connected": _("live"),
        "offline": _("Offline: this is how it was at {time}. It reconnects by itself."),
        "ended": _("You are no longer logged in here, or no longer organize this campaign. Load the page again."),
        "fine": _("Everything is fine."),
        "fineText": _("Nothing needs you."),
        "oneNeed": _("1 thing needs you"),
        "needs": _("{n} things need you"),
        "between": " · ",
        "unknown": "—",
    }


def _figures() -> dict[str, str]:
    return {
        "ofNeeded": _("/ {n}"),
        "today": _("{n} today"),
        "unscored": _("{n} not scored yet"),
        "waitFor": _("{bots} wait for a system, {testers} for a tester"),
        "noneFailing": _("all answer"),
        "failedOf": _("today {k} of {n} calls failed by the system's fault"),
        "noCalls": _("nothing was asked today"),
        "hours": _("{n} h"),
        "minutes": _("{n} min"),
        "paceFrom": _("{left} left; {n} done in {hours} h since {since}"),
        "paceUnknown": _("{left} left; too little was done today to tell"),
        "allDone": _("all dialogues are done"),
        "closes": _("testing closes {time}"),
        "noEnd": _("no number of dialogues is planned"),
    }


def _rows() -> dict[str, str]:
    return {
        "nobody": _("Nobody is in a dialogue now."),
        "noBots": _("No system has entered yet."),
        "noTesters": _("No testers yet."),
        "part": _("{n} / {of}"),
        "turnsOf": _("{n} / {cap}"),
        "for.bot": _("system"),
        "for.tester": _("tester"),
        "again": _("asked again"),
        "seconds": _("{n} s"),
        "minutesSeconds": _("{m} min {s} s"),
        "hoursMinutes": _("{h} h {m} min"),
        "state.normal": _("normal"),
        "state.failing": _("failing"),
        "state.paused": _("paused"),
        # Reasons that are the platform's own words.
        FAILED_IN_A_ROW: _(FAILED_IN_A_ROW),
        "state.withdrawn": _("withdrawn"),
        "state.not_asked": _("not asked today"),
        "failedK": _("{k} of {n}"),
        "strip": _("Median latency per minute of the last hour; {failed} failed calls."),
        "ms": _("{n} s"),
        "pause": _("Pause"),
        "resume": _("Resume"),
        "pauseTitle": _("Pause {bot}?"),
        "resumeTitle": _("Resume {bot}?"),
        "doneOf": _("{done} / {all}"),
        "perHour": _("{n} per hour"),
        "talking": _("in a dialogue with {bots}"),
        "online": _("connected"),
        "seen": _("last seen {time}"),
        "never": _("not seen today"),
    }


def _failures() -> dict[str, str]:
    """What went wrong at last, in the words of the failures' page."""
    kinds = {f"kind.{kind}": _(kind) for kind in FailureKind}
    faults = {
        f"fault.{Fault.BOT}": _("the system's fault"),
        f"fault.{Fault.PLATFORM}": _("the platform's fault"),
        f"fault.{Fault.NOBODY}": _("nobody's fault"),
        f"fault.{Fault.TESTER}": _("ended by the tester"),
    }
    return kinds | faults | {"failure": _("{kind}, {fault}, {time}")}


@for_roles(Role.ORGANIZER)
@require_GET
def wall(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    return wall_page(request, campaign)


def wall_page(
    request: HttpRequest,
    campaign: Campaign,
    *,
    said: Mapping[str, str] | None = None,
    wrong: Mapping[str, str] | None = None,
) -> HttpResponse:
    """The page; `said` and `wrong` are what somebody typed into its form, and what has to be corrected."""
    at = timezone.now()
    state = wall_now(campaign, at)
    return render(
        request,
        "organizing/wall.html",
        {
            "campaign": campaign,
            "state": state,
            "daily": daily_progress(campaign, state["sections"]["figures"]["all"]["needed"] or 0, at),
            "settings": page_settings(campaign),
            "strings": wall_strings(testers_choose=campaign.free_choice),
            "reason_limit": REASON_LIMIT,
            "announcements": campaign.announcements.standing(at).select_related("made_by"),
            "announcement_limit": ANNOUNCEMENT_LIMIT,
            "said": said or {},
            "wrong": wrong or {},
        },
        status=400 if wrong else 200,
    )


def page_settings(campaign: Campaign) -> dict[str, Any]:
    """What the page's script needs beside the state."""
    return {
        "socket": f"/ws/campaigns/{campaign.slug}/wall/?language={get_language()}",
        "dialogues": reverse("dialogues", args=[campaign.slug]),
        "failures": reverse("failures", args=[campaign.slug]),
    }
