"""The pages of pairs: a judge's list, one pair side by side, and the organizer's progress."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from accounts.access import Access, for_people, person_of
from campaigns.access import for_roles
from campaigns.calendar import Doing, why_closed
from campaigns.clocks import keep_clocks_of
from campaigns.labels import kind_label
from campaigns.models import Campaign, Role
from dialogues.actions.opening import ConsentMissing
from dialogues.fault_policy import FaultPolicy, fault_policy_of
from dialogues.pauses import shown_pause
from dialogues.turn_taking import ALL_USED, REPLY_LIMIT
from pairs.actions import open_next_pair
from pairs.actions.opening import judges_of
from pairs.actions.voting import pair_of
from pairs.desk import done_rows, own_vote, sides_of, standing_of, state_of, vote_document
from pairs.progress import progress_of
from participants.limits import MESSAGE_LIMIT
from reviews.review_page import CLOSED
from serving.refused import Refused
from testing_console.console_strings import console_strings
from testing_console.goal_card import card_parts, general_facts
from testing_console.notices import standing_notices
from testing_console.views import SLOW_SHOWN_MS


@for_roles(Role.TESTER, Role.REVIEWER)
@require_http_methods(["GET", "HEAD", "POST"])
def pairs(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """What the judge compares; POST opens the next pair."""
    if request.method == "POST":
        return _opened(request, campaign)
    judge, at = person_of(request), timezone.now()
    role = judges_of(campaign)
    compares = role is not None and campaign.roles.filter(person=judge, role=role).exists()
    doing = Doing.TEST if role == Role.TESTER else Doing.REVIEW
    return render(
        request,
        "pairs/pairs.html",
        {
            "campaign": campaign,
            "compares": compares,
            "standing": standing_of(campaign, judge, at) if compares else None,
            "done": done_rows(campaign, judge, at) if compares else [],
            "pause": shown_pause(judge, campaign, role) if compares and role else None,
            "closed": why_closed(campaign, doing, at) if compares else "",
            "notices": standing_notices(campaign, at),
            "settings": {"person": request.user.get_username()},
            "strings": pair_strings(),
        },
    )


def _opened(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    try:
        opened = open_next_pair(campaign=campaign, judge=person_of(request), at=timezone.now())
    except ConsentMissing:
        return redirect("tester-list", slug=campaign.slug)
    except Refused as refused:
        messages.warning(request, str(refused))
        return redirect("pairs", slug=campaign.slug)
    return redirect("pair", pair_id=opened.pk) if opened else redirect("pairs", slug=campaign.slug)


def _as_judge(view: Any) -> Any:
    view = for_people(view)
    view.access = Access("roles", (Role.TESTER, Role.REVIEWER))
    return view


@_as_judge
@require_GET
def pair(request: HttpRequest, pair_id: UUID) -> HttpResponse:
    """Two dialogues side by side: live ones with a composer, finished ones to be read; below, the vote."""
    judge, at = person_of(request), timezone.now()
    found = pair_of(judge, pair_id)
    campaign, scenario = found.campaign, found.scenario
    keep_clocks_of(campaign)
    given = own_vote(found, judge)
    state, sides = state_of(found, given), sides_of(found)
    kinds = [(one.position, one.kind) for one in scenario.subtasks.all()]
    list_url = reverse("pairs", args=[campaign.slug])
    return render(
        request,
        "pairs/pair.html",
        {
            "campaign": campaign,
            "pair": found,
            "scenario": scenario,
            "state": state,
            "is_talking": found.is_live and state == "open",
            "sides": sides,
            "parts": card_parts(kinds, scenario.facts),
            "general": general_facts([kind for _index, kind in kinds], scenario.facts),
            "standing": standing_of(campaign, judge, at),
            "given": given if given and given.verdict else None,
            "closed_words": CLOSED,
            "list_url": list_url,
            # The templates of the console's lines: flags are for single dialogues.
            "is_practice": True,
            "notices": standing_notices(campaign, at),
            "settings": {
                "person": request.user.get_username(),
                "pair": str(found.pk),
                "state": state,
                "vote": vote_document(given, at),
                "endsWhenUsed": campaign.tester_may_end == ALL_USED,
                "asksForReason": campaign.pairs_reason == "needed",
                "list": list_url,
                "next": reverse("api-pairs", args=[campaign.slug]),
                "textLimit": MESSAGE_LIMIT,
                "replyLimit": REPLY_LIMIT,
                "slowAfterMs": SLOW_SHOWN_MS,
                "sides": {one.side: {"dialogue": str(one.dialogue.pk)} for one in sides if one.dialogue},
                "kinds": {str(index): kind_label(kind) for index, kind in kinds},
            },
            "strings": pair_strings(fault_policy_of(campaign)),
        },
    )


def pair_strings(faults: FaultPolicy | None = None) -> dict[str, str]:
    """The words that the scripts of pairs say: those of the console with what a pair says otherwise."""
    return console_strings(faults) | {
        "side.left": _("Left"),
        "side.right": _("Right"),
        "vote.left": _("Left is better"),
        "vote.right": _("Right is better"),
        "vote.tie": _("Equally good"),
        "vote.both_bad": _("Both are bad"),
        "vote.failed": _("The comparison was not stored: {reason}"),
        "vote.reasonNeeded": _("Say why in a few words, then choose."),
        "vote.evidenceHalf": _("Evidence is a side and its turn: give both, or neither."),
        "vote.nothingSaid": _("Talk to both systems first: nothing was said yet."),
        "vote.ending": _("Both dialogues are being ended …"),
        "vote.notEnded": _("A dialogue could not be ended. Wait for the connection, then choose again."),
        "pair.sideOver": _("{side}: {because} Go on with the other side, or compare them."),
        "pair.bothOver": _("Both sides are over. Which one is better?"),
        "pair.sideFailed": _("{side}: {because} The pair goes on."),
        "pair.uncounted": _("{side}: this dialogue does not count any more. Go on with the next pair."),
        "pair.inFlight": _("A system has not answered yet. Your text stays here."),
        "pair.turns": _("{used} of {cap} turns"),
        "pair.partDone": _("Done: {kind}"),
        "pair.partGivenUp": _("Give up: {kind}"),
        "closed.voided": _("The organizer declared it void, so it does not count."),
        "closed.void": _("Our side failed, so this dialogue does not count."),
    }


@for_roles(Role.ORGANIZER)
@require_GET
def pair_progress(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """How far the judges are, how often systems met, and how balanced sides are."""
    shown = {"campaign": campaign, "progress": progress_of(campaign), "judges": judges_of(campaign)}
    return render(request, "pairs/progress.html", shown)
