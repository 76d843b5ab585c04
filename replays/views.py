"""Pages of replays: what was asked for and what the sentinel found, one replay beside its dialogue; for organizers, and for teams."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet, Window
from django.db.models.functions import RowNumber
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET

from accounts.access import person_of
from accounts.form_routes import form_on, tells_refusal
from campaigns.access import for_roles
from campaigns.models import Campaign, Entry, Role
from dialogues.models import Dialogue
from participants.limits import REASON_LIMIT
from reading.digits import whole_or_none
from replays.access import Own, Wanted, dialogues_for, own_of, replays_for, rounds_for, systems_for, wanted_in
from replays.actions.asking import MOST_AT_ONCE, CannotReplay, ReplayPlan, calls_left, stop_replay
from replays.actions.sentinel import settle_drift
from replays.models import Replay, SentinelRound, Settled
from replays.side_by_side import pairs_of

PER_PAGE = 50
# Of one system on the page.
ROUNDS_SHOWN = 14


@dataclass(frozen=True, slots=True)
class Counted:
    """What was chosen in the form, and what it would take; `wrong` says why nothing can be asked for."""

    dialogue: str = ""
    of: str = ""
    n: int = 1
    against: str = ""
    plan: ReplayPlan | None = None
    wrong: str = ""


def said_in(sent: Mapping[str, str]) -> dict[str, Any]:
    n = whole_or_none(sent.get("n", "")) or 1
    dialogue = sent.get("dialogue", "").strip()
    return {
        "dialogues": [dialogue] if dialogue else [],
        "of": sent.get("of", ""),
        "n": max(1, min(n, MOST_AT_ONCE)),
        "against": sent.get("against", ""),
    }


def counted_in(
    sent: Mapping[str, str],
    campaign: Campaign,
    dialogues: QuerySet[Dialogue],
    systems: QuerySet[Entry],
    own: Own | None,
) -> Counted:
    """Nothing is counted before a system is chosen."""
    said = said_in(sent)
    typed = {"dialogue": "".join(said["dialogues"]), "of": said["of"], "n": said["n"], "against": said["against"]}
    if not said["against"]:
        return Counted(**typed)
    try:
        plan = wanted_in(said, campaign, dialogues, systems, own.team if own else None).plan(timezone.now())
        if not plan.n_dialogues:
            raise CannotReplay("no_dialogues")
        if not plan.fits:
            raise CannotReplay("over_budget", calls=plan.n_calls, left=plan.n_left)
    except CannotReplay as refused:
        return Counted(**typed, wrong=str(refused))
    return Counted(**typed, plan=plan)


@dataclass(frozen=True, slots=True)
class Watched:
    """One system and its latest rounds, the latest first."""

    entry: Entry
    rounds: Sequence[SentinelRound]

    @property
    def latest(self) -> SentinelRound:
        return self.rounds[0]

    @property
    def told(self) -> SentinelRound | None:
        """The latest round that ended with a drift."""
        return next((one for one in self.rounds if one.drift is not None), None)

    @property
    def drifts(self) -> list[int]:
        """In percent, oldest first."""
        return [one.drift_percent for one in reversed(self.rounds) if one.drift is not None]

    @property
    def in_words(self) -> str:
        return _("Drift in percent, oldest first: %(values)s") % {"values": ", ".join(map(str, self.drifts))}


def watched_by(rounds: QuerySet[SentinelRound]) -> list[Watched]:
    """Each system with its latest rounds."""
    nth = Window(RowNumber(), partition_by="entry", order_by=["-began_at", "-pk"])
    latest = rounds.annotate(nth=nth).filter(nth__lte=ROUNDS_SHOWN).select_related("entry__bot__team", "settled_by")
    by_entry = groupby(latest.order_by("entry__alias", "-began_at", "-pk"), key=lambda one: one.entry)
    return [Watched(entry, list(many)) for entry, many in by_entry]


@for_roles(Role.ORGANIZER)
@require_GET
def replays(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    reader = person_of(request)
    systems = systems_for(reader, campaign)
    found = replays_for(reader, campaign).filter(is_of_sentinel=False)
    shown = {
        "campaign": campaign,
        "page": Paginator(found, PER_PAGE).get_page(request.GET.get("page")),
        "counted": counted_in(request.GET.dict(), campaign, dialogues_for(reader, campaign), systems, None),
        "systems": systems,
        "left": calls_left(campaign, timezone.now()),
        "most": MOST_AT_ONCE,
        "watched": watched_by(rounds_for(reader, campaign)),
        "reason_limit": REASON_LIMIT,
    }
    return render(request, "replays/replays.html", shown)


@for_roles(Role.ORGANIZER)
@form_on("replays")
@tells_refusal
def ask(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    by = person_of(request)
    said = said_in(request.POST.dict())
    wanted = wanted_in(said, campaign, dialogues_for(by, campaign), systems_for(by, campaign))
    return _asked(request, wanted, "replay", reverse("replays", args=[campaign.slug]))


def _asked(request: HttpRequest, wanted: Wanted, one: str, many: str) -> HttpResponse:
    """Leads to the replay, or to the list where there are more."""
    made = wanted.ask(by=person_of(request), at=timezone.now())
    text = ngettext("%(n)d dialogue is being replayed.", "%(n)d dialogues are being replayed.", len(made))
    messages.success(request, text % {"n": len(made)})
    return redirect(one, wanted.campaign.slug, made[0].pk) if len(made) == 1 else redirect(many)


@for_roles(Role.ORGANIZER)
@require_GET
def replay_shown(request: HttpRequest, campaign: Campaign, replay_id: UUID) -> HttpResponse:
    replay = get_object_or_404(replays_for(person_of(request), campaign), pk=replay_id)
    return render(request, "replays/replay.html", {"campaign": campaign, **_beside(replay), "is_own": False})


def _beside(replay: Replay) -> dict[str, Any]:
    return {"replay": replay, "pairs": pairs_of(replay)}


@for_roles(Role.ORGANIZER)
@form_on("replay")
@tells_refusal
def stop(request: HttpRequest, campaign: Campaign, replay_id: UUID) -> HttpResponse:
    replay = get_object_or_404(replays_for(person_of(request), campaign), pk=replay_id)
    stop_replay(replay=replay, by=person_of(request), at=timezone.now())
    messages.success(request, _("The replay is stopped."))
    return redirect("replay", campaign.slug, replay.pk)


@for_roles(Role.ORGANIZER)
@form_on("replays")
@tells_refusal
def settle(request: HttpRequest, campaign: Campaign, round_id: int) -> HttpResponse:
    by, sent = person_of(request), request.POST
    found = get_object_or_404(rounds_for(by, campaign).select_related("entry__campaign"), pk=round_id)
    settled = Settled.ACCEPTED if sent.get("settled") == Settled.ACCEPTED else Settled.NOTED
    settle_drift(found=found, settled=settled, because=sent.get("because", ""), by=by, at=timezone.now())
    messages.success(request, _("The drift is settled."))
    return redirect("replays", campaign.slug)


# -- teams ----------------------------------------------------------------------------------------------------------------


@for_roles(Role.PARTICIPANT)
@require_GET
def own_replays(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """After publication: what the team had put to its own system, and the form for more."""
    own = own_of(person_of(request), campaign)
    shown = {
        "campaign": campaign,
        "own": own,
        "page": Paginator(own.replays, PER_PAGE).get_page(request.GET.get("page")),
        "counted": counted_in(request.GET.dict(), campaign, own.dialogues, own.systems, own),
        "systems": own.systems,
        "left": calls_left(campaign, timezone.now(), own.team),
        "most": MOST_AT_ONCE,
    }
    return render(request, "replays/own_replays.html", shown)


@for_roles(Role.PARTICIPANT)
@form_on("own-replays")
@tells_refusal
def ask_own(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    own = own_of(person_of(request), campaign)
    if not own.is_open:
        raise CannotReplay("not_released")
    wanted = wanted_in(said_in(request.POST.dict()), campaign, own.dialogues, own.systems, own.team)
    return _asked(request, wanted, "own-replay", reverse("own-replays", args=[campaign.slug]))


@for_roles(Role.PARTICIPANT)
@require_GET
def own_replay(request: HttpRequest, campaign: Campaign, replay_id: UUID) -> HttpResponse:
    replay = get_object_or_404(own_of(person_of(request), campaign).replays, pk=replay_id)
    return render(request, "replays/replay.html", {"campaign": campaign, **_beside(replay), "is_own": True})
