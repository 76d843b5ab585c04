"""One decision about many dialogues, failures or assignments at once, page and API: one reason, one act and one line of the trail each.

What cannot be done with one of them is told with its name, and keeps none of the others.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, TypedDict
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext
from rest_framework.request import Request

from accounts.access import person_of
from accounts.form_routes import form_on, tells_refusal
from accounts.models import Person
from api.describing import describes
from api.parsers import body_in
from campaigns.access import OrganizersView, for_roles
from campaigns.models import Campaign, Role
from campaigns.reasons import reason_of
from dialogues.actions.deciding import NotPossible, reassign
from dialogues.models import Dialogue
from organizing.dialogues.decisions import DECISIONS_BY_NAME, FAULT, MINUTES, NO_TURN, TURN, Said, fault_of, turn_of
from organizing.dialogues.to_do import free_testers
from participants.limits import PERSON_LIMIT, REASON_LIMIT
from reading.digits import whole_or_none
from reading.kinds import Choice, ListOf, Text, Whole
from reading.tables import Field, Rows, Table
from serving.refused import Refused
from testing_console.live.floor import announce

MOST_AT_ONCE = 200
# Refusals in the message of a page; the API names all.
MOST_TOLD = 5


class NothingChosen(Refused):
    code = "nothing_chosen"

    def __str__(self) -> str:
        return _("Choose from 1 to %(most)d rows.") % {"most": MOST_AT_ONCE}


@dataclass(frozen=True, slots=True)
class Chosen:
    """A dialogue and, where the fault of a failure is changed, the turn that failed."""

    dialogue: str
    turn: int = NO_TURN


@dataclass(slots=True)
class Done:
    """How many rows the act was done with, and by name why it was refused for the others."""

    n: int = 0
    refused: dict[str, str] = field(default_factory=dict)


def decide_each(
    campaign: Campaign, chosen: Iterable[Chosen], act: str, said: Said, *, by: Person, because: str
) -> Done:
    """Does the act with each dialogue by itself. Errors: `ReasonNeeded`, `NothingChosen`; then nothing is done."""
    asked, because, at = _few(chosen), reason_of(because), timezone.now()
    named = Dialogue.with_programs.of_campaign(campaign).with_names().select_related("tester")
    found = {str(one.pk): one for one in named.filter(pk__in=_ids(asked))}

    def decide(one: Chosen) -> None:
        if one.dialogue not in found:
            raise NotPossible(gettext_noop("There is no such dialogue in this campaign."))
        of_one = replace(said, number=one.turn)
        announce(DECISIONS_BY_NAME[act](dialogue=found[one.dialogue], said=of_one, by=by, because=because, at=at))

    return _each(asked, decide, lambda one: one.dialogue[:8] + (f" · {one.turn}" if one.turn >= 0 else ""))


def _ids(chosen: Iterable[Chosen]) -> Iterator[UUID]:
    for one in chosen:
        with suppress(ValueError):
            yield UUID(one.dialogue)


def reassign_each(campaign: Campaign, ids: Iterable[int], *, to: Person | None, by: Person, because: str) -> Done:
    """Gives each to that tester, or without one to the eligible tester with the fewest left to do.

    Errors: `ReasonNeeded`, `NothingChosen`; then nothing is done.
    """
    asked, because, at = _few(ids), reason_of(because), timezone.now()
    found = campaign.assignments.with_names().select_related("tester", "entry__bot").in_bulk(asked)

    def give(one: int) -> None:
        if one not in found:
            raise NotPossible(gettext_noop("The plan was drawn again without this assignment."))
        reassign(assignment=found[one], to=to or _freest(campaign, found[one]), by=by, because=because, at=at)

    def name(one: int) -> str:
        return f"{found[one].entry.alias} · {found[one].scenario.key}" if one in found else str(one)

    return _each(asked, give, name)


def _freest(campaign: Campaign, assignment: Any) -> Person:
    free = [name for name, _n_left in free_testers(campaign, assignment) if name != assignment.tester.username]
    if not free:
        raise NotPossible(gettext_noop("Every other tester has had this system and scenario already."))
    return Person.objects.get(username=free[0])


def _few(chosen: Iterable[Any]) -> list[Any]:
    asked = list(dict.fromkeys(chosen))
    if not 1 <= len(asked) <= MOST_AT_ONCE:
        raise NothingChosen
    return asked


def _each(chosen: Iterable[Any], act: Callable[[Any], None], name: Callable[[Any], str]) -> Done:
    done = Done()
    for one in chosen:
        try:
            act(one)
            done.n += 1
        except Refused as refused:
            done.refused[name(one)] = str(refused)
    return done


# -- pages --------------------------------------------------------------------------------------------------------


@for_roles(Role.ORGANIZER)
@form_on("dialogues")
@tells_refusal
def decide_many(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """The form below the list of dialogues, or that of failures."""
    act = request.POST.get("act", "")
    if act not in DECISIONS_BY_NAME:
        raise Http404
    chosen = [_chosen_in(said) for said in request.POST.getlist("chosen")]
    minutes = whole_or_none(request.POST.get("minutes", "")) or 0
    said = Said(fault=fault_of(request.POST.get("fault", "")), minutes=minutes)
    because = request.POST.get("because", "")
    done = decide_each(campaign, chosen, act, said, by=person_of(request), because=because)
    return _told(request, done, reverse("dialogues", args=[campaign.slug]))


@for_roles(Role.ORGANIZER)
@form_on("assignments")
@tells_refusal
def reassign_many(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    ids = [one for one in map(whole_or_none, request.POST.getlist("chosen")) if one is not None and one < 2**63]
    to = _tester_called(request.POST.get("tester", ""))
    done = reassign_each(campaign, ids, to=to, by=person_of(request), because=request.POST.get("because", ""))
    return _told(request, done, reverse("assignments", args=[campaign.slug]))


def _chosen_in(said: str) -> Chosen:
    """What a checkbox stands for: the id of a dialogue, and behind a colon the number of a turn."""
    dialogue, _colon, turn = said.partition(":")
    return Chosen(dialogue, turn_of(turn))


class NoSuchTester(Refused):
    code = "no_such_tester"

    def __str__(self) -> str:
        return _("Choose a tester.")


def _tester_called(name: str) -> Person | None:
    """None for nobody in particular. Errors: `NoSuchTester`."""
    if not name:
        return None
    if (found := Person.objects.filter(username=name).first()) is None:
        raise NoSuchTester
    return found


def _told(request: HttpRequest, done: Done, page: str) -> HttpResponse:
    if done.n:
        messages.success(request, ngettext("%(n)d done.", "%(n)d done.", done.n) % {"n": done.n})
    if done.refused:
        text = ngettext("%(n)d not done:", "%(n)d not done:", len(done.refused)) % {"n": len(done.refused)}
        told = [f"{name}: {why}" for name, why in list(done.refused.items())[:MOST_TOLD]]
        messages.error(request, " ".join([text, *told]) + (" …" if len(done.refused) > MOST_TOLD else ""))
    back = request.POST.get("back", "")
    is_ours = url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure())
    return redirect(back if is_ours else page)


# -- API ----------------------------------------------------------------------------------------------------------

BECAUSE = Field(Text(REASON_LIMIT, may_be_empty=True), "")
DECISIONS = Table(
    {
        "act": Field(Choice(tuple(DECISIONS_BY_NAME))),
        "dialogues": Field(Rows(Table({"id": Field(Text(36)), "turn": TURN}), most=MOST_AT_ONCE)),
        "fault": FAULT,
        "minutes": MINUTES,
        "because": BECAUSE,
    }
)
REASSIGNMENTS = Table(
    {
        "assignments": Field(ListOf(Whole(0, 2**63 - 1))),
        "tester": Field(Text(PERSON_LIMIT, may_be_empty=True), ""),
        "because": BECAUSE,
    }
)


class RefusedOne(TypedDict):
    name: str
    detail: str


class ManyAnswer(TypedDict):
    """`refused` names those with which it was not done, and why."""

    done: int
    refused: list[RefusedOne]


class DecideMany(OrganizersView):
    @describes(
        "Ends, extends by minutes, voids, restores or, with turns and a fault, rebooks up to 200 dialogues, all for one reason",
        ManyAnswer,
        reads=DECISIONS,
        refuses=(409,),
    )
    def post(self, request: Request) -> Mapping[str, Any]:
        said = body_in(request, DECISIONS)
        chosen = [Chosen(one["id"], one["turn"]) for one in said["dialogues"]]
        beside = Said(fault=fault_of(said["fault"]), minutes=said["minutes"])
        decided = {"by": person_of(request), "because": said["because"]}
        return _answer(decide_each(self.campaign, chosen, said["act"], beside, **decided))


class ReassignMany(OrganizersView):
    @describes(
        "Gives up to 200 assignments to a tester, or each to the tester with the fewest left, all for one reason",
        ManyAnswer,
        reads=REASSIGNMENTS,
        refuses=(409,),
    )
    def post(self, request: Request) -> Mapping[str, Any]:
        said = body_in(request, REASSIGNMENTS)
        to = _tester_called(said["tester"])
        by = person_of(request)
        return _answer(reassign_each(self.campaign, said["assignments"], to=to, by=by, because=said["because"]))


def _answer(done: Done) -> Mapping[str, Any]:
    return {"done": done.n, "refused": [{"name": name, "detail": why} for name, why in done.refused.items()]}
