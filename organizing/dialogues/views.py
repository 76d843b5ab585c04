"""The organizer's pages of single dialogues: the list, one transcript, and what is decided about it."""

from collections.abc import Callable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET

from accounts.access import person_of
from accounts.form_routes import form_on
from accounts.models import Person
from campaigns.access import for_roles
from campaigns.actions import ReasonNeeded
from campaigns.interests import check_interest
from campaigns.models import Campaign, Role
from dialogues.actions.deciding import NotPossible
from dialogues.fault_policy import FAULTS
from dialogues.models import Dialogue, Turn
from organizing.dialogues.decisions import DECISIONS_BY_NAME, Decision, Said, fault_of, turn_of
from organizing.dialogues.failed import PER_PAGE as FAILURES_PER_PAGE
from organizing.dialogues.failed import failed_requests, failure_filters_of, named_requests, tally_of
from organizing.dialogues.filters import dialogues_of, filters_of
from organizing.dialogues.listing import PER_PAGE, STATES, rows_of
from organizing.dialogues.requests import request_of_turn
from organizing.dialogues.transcript import transcript_of
from organizing.dialogues.words import WHERE, words_of
from participants.failures import FailureKind
from participants.limits import REASON_LIMIT
from reading.digits import whole_or_none
from testing_console.live.floor import announce

SAID: dict[str, str | Promise] = {
    "end": gettext_lazy("The dialogue is over. Its tester reads why."),
    "extend": gettext_lazy("More time was given. Please tell the tester."),
    "void": gettext_lazy("The dialogue counts nowhere any more, and its assignment is open again."),
    "restore": gettext_lazy("The dialogue counts again."),
    "fault": gettext_lazy("The fault has been reassigned. Figures follow within seconds."),
}


@for_roles(Role.ORGANIZER)
@require_GET
def dialogues(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    filters, at = filters_of(request.GET.dict()), timezone.now()
    page = Paginator(
        dialogues_of(campaign, filters, person_of(request), at).values_list("pk", flat=True), PER_PAGE
    ).get_page(request.GET.get("page"))
    shown = {
        "campaign": campaign,
        "page": page,
        "rows": rows_of(campaign, page.object_list, words_of(filters.words)),
        "filters": filters,
        "query": urlencode(filters.said()),
        "choices": _choices(campaign),
        "states": STATES.items(),
        "where": WHERE.items(),
        "at": at,
    }
    return render(request, "organizing/dialogues/list.html", shown)


def _choices(campaign: Campaign) -> dict[str, Any]:
    talked = Person.objects.filter(pk__in=Dialogue.with_programs.of_campaign(campaign).values("tester"))
    return {
        "entries": campaign.entries.listed().select_related("bot__team").order_by("alias"),
        "testers": talked.order_by("username").values_list("username", flat=True),
        "scenarios": campaign.scenarios.all(),
    }


@for_roles(Role.ORGANIZER)
@require_GET
def dialogue_shown(request: HttpRequest, campaign: Campaign, dialogue_id: UUID) -> HttpResponse:
    return _page(request, campaign, dialogue_for(person_of(request), campaign, dialogue_id))


def neighbours(
    campaign: Campaign, asked: Mapping[str, str], dialogue: Dialogue, reader: Person, at: datetime
) -> dict[str, str]:
    """Where the dialogues before and after it are in the list that the address filters, the latest first; empty at its ends."""
    filters = filters_of(asked)
    listed, opened = dialogues_of(campaign, filters, reader, at), dialogue.opened_at
    earlier = listed.filter(Q(opened_at__lt=opened) | Q(opened_at=opened, pk__gt=dialogue.pk))
    later = listed.filter(Q(opened_at__gt=opened) | Q(opened_at=opened, pk__lt=dialogue.pk))
    found = {"previous": later.order_by("opened_at", "-pk"), "next": earlier.order_by("-opened_at", "pk")}
    return {
        name: reverse("dialogue-shown", args=[campaign.slug, pk], query=filters.said())
        for name, ones in found.items()
        for pk in ones.values_list("pk", flat=True)[:1]
    }


def dialogue_for(organizer: Person, campaign: Campaign, dialogue_id: UUID | str) -> Dialogue:
    """A dialogue of that campaign; 404 for one of another. Errors: `Interested`."""
    named = Dialogue.with_programs.of_campaign(campaign).with_names()
    named = named.select_related("tester", "assignment__entry__bot__team")
    dialogue = get_object_or_404(named.select_related("assignment__tester"), pk=dialogue_id)
    check_interest(organizer, dialogue.assignment.entry_id)
    return dialogue


def _page(
    request: HttpRequest,
    campaign: Campaign,
    dialogue: Dialogue,
    typed: Mapping[str, str] = MappingProxyType({}),
    status: int = 200,
) -> HttpResponse:
    """`typed` is what was typed for an act that was not done; it comes back even if its form is not there any more."""
    talk = transcript_of(dialogue)
    has_form = typed.get("act") != "fault" or talk.has_failed(typed["turn"])
    at, asked = timezone.now(), request.GET.dict()
    shown = {
        "campaign": campaign,
        "dialogue": dialogue,
        "talk": talk,
        "beside": neighbours(campaign, asked, dialogue, person_of(request), at),
        "query": urlencode(filters_of(asked).said()),
        "faults": FAULTS.items(),
        "reason_limit": REASON_LIMIT,
        "at": at,
        "typed": typed if has_form else {},
        "not_done": None if has_form else typed,
    }
    return render(request, "organizing/dialogues/one.html", shown, status=status)


@for_roles(Role.ORGANIZER)
@form_on("dialogue-shown")
def decide(request: HttpRequest, campaign: Campaign, dialogue_id: UUID, act: str) -> HttpResponse:
    """Ends a dialogue, gives it more time, declares it void, has it count again, or books the failure of a turn to somebody else."""
    done, dialogue = _act_named(act), dialogue_for(person_of(request), campaign, dialogue_id)
    because, fault = request.POST.get("because", ""), request.POST.get("fault", "")
    number, minutes = request.POST.get("turn", ""), request.POST.get("minutes", "")
    typed = {"act": act, "turn": number, "because": because, "fault": fault, "minutes": minutes}
    try:
        outcome = done(
            dialogue=dialogue, said=Said(turn_of(number), fault_of(fault), whole_or_none(minutes) or 0),
            by=person_of(request), because=because, at=timezone.now(),
        )  # fmt: skip
    except ReasonNeeded as needed:
        return _page(request, campaign, dialogue, typed | {"wrong": str(needed)}, status=400)
    except NotPossible as refused:
        dialogue = dialogue_for(person_of(request), campaign, dialogue_id)
        return _page(request, campaign, dialogue, typed | {"wrong": str(refused)}, status=409)
    announce(outcome)
    messages.success(request, str(SAID[act]))
    filters = filters_of(request.GET.dict())
    return redirect(reverse("dialogue-shown", args=[campaign.slug, dialogue.pk], query=filters.said()))


def _act_named(name: str) -> Decision:
    done: Callable[..., Any] | None = DECISIONS_BY_NAME.get(name)
    if done is None:
        raise Http404
    return done


@for_roles(Role.ORGANIZER)
@require_GET
def request_shown(request: HttpRequest, campaign: Campaign, dialogue_id: UUID) -> HttpResponse:
    """The request of the turn that the address names, or of the last, as a line for a shell; empty where nothing was sent."""
    turn = turn_asked_for(dialogue_for(person_of(request), campaign, dialogue_id), request.GET.get("turn", ""))
    rebuilt = request_of_turn(turn) if turn else None
    line = rebuilt.as_curl + "\n" if rebuilt else ""
    return HttpResponse(line, content_type="text/plain; charset=utf-8")


def turn_asked_for(dialogue: Dialogue, number: str) -> Turn | None:
    """The turn with that number, 404 where there is none; without a number the last, if there is any."""
    if not number:
        return dialogue.turns.order_by("-number").first()
    asked_for = whole_or_none(number)
    if asked_for is None:
        raise Http404
    return get_object_or_404(dialogue.turns, number=asked_for)


@for_roles(Role.ORGANIZER)
@require_GET
def failures(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    filters = failure_filters_of(request.GET.dict())
    found = failed_requests(campaign, filters, person_of(request))
    page = Paginator(found.values_list("pk", flat=True), FAILURES_PER_PAGE).get_page(request.GET.get("page"))
    shown = {
        "campaign": campaign,
        "page": page,
        "rows": named_requests(page.object_list),
        "tally": tally_of(found),
        "filters": filters,
        "query": urlencode(filters.said()),
        "choices": _choices(campaign),
        "kinds": [(kind.value, _(kind.value)) for kind in FailureKind],
        "faults": FAULTS.items(),
    }
    return render(request, "organizing/dialogues/failures.html", shown)
