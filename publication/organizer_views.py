"""The organizer's pages of publication: preflight, freeze, the snapshots, publishing and withdrawing one."""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from accounts.access import person_of
from accounts.form_routes import form_on
from campaigns.access import for_roles
from campaigns.actions import ReasonNeeded
from campaigns.calendar import NotNow
from campaigns.models import Campaign, Role
from leaderboards.board import BoardSource, with_english_names
from leaderboards.board_page import board_page
from leaderboards.live_board import stored_board
from participants.limits import REASON_LIMIT
from publication.actions.ordering import NotReady, drop_order, order_freeze
from publication.actions.publishing import AlreadyPublished, NotPublished, OtherNames, publish, withdraw
from publication.documents import agreement_in, board_in, board_name_in, name_head_of
from publication.models import OF_LEADERBOARD, FreezeOrder, Publication, Snapshot
from publication.preflight import Finding, blocks
from publication.queries import differences_since, is_intact, order_told, published
from publication.readiness import known_findings
from publication.steps import steps_of


@for_roles(Role.ORGANIZER)
@require_GET
def publication(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    snapshots = campaign.snapshots.select_related("made_by").order_by("-number")
    shown = standing_in_steps(
        campaign, known_findings(campaign), order_told(campaign), snapshots, trail_of(campaign), OF_LEADERBOARD
    )
    shown |= {"published": published(campaign, shown["now"]), "stored": stored_board(campaign)}
    return render(request, "publication/publication.html", shown)


def standing_in_steps(
    campaign: Campaign,
    findings: Sequence[Finding],
    order: FreezeOrder | None,
    snapshots: Iterable[Snapshot],
    trail: Sequence[Publication],
    of_board: str,
) -> dict[str, Any]:
    """What the page of a board's publication shows: where each of its steps stands, what was frozen and what was published."""
    now, standing = timezone.now(), standing_publications(snapshots, trail)
    return {
        "campaign": campaign,
        "findings": findings,
        "is_blocked": blocks(findings),
        "order": order,
        "snapshots": standing,
        "trail": trail,
        "now": now,
        "steps": steps_of(findings, order, standing, now, of_board=of_board),
        "zone": timezone.get_current_timezone_name(),
        "public_from": _not_before(campaign),
    }


def trail_of(campaign: Campaign, of_board: str | None = None) -> list[Publication]:
    """What was published and withdrawn, the newest first: of all boards, or of one."""
    rows = Publication.objects.filter(snapshot__campaign=campaign).order_by("-pk")
    if of_board is not None:
        rows = rows.of_board(of_board)
    return list(rows.select_related("snapshot__campaign", "published_by", "withdrawn_by").defer("snapshot__board"))


def standing_publications(
    snapshots: Iterable[Snapshot], trail: Iterable[Publication]
) -> list[tuple[Snapshot, Publication | None, bool]]:
    """Each snapshot with the publication that nobody has withdrawn, and whether its files still are what their digests say."""
    standing = {row.snapshot_id: row for row in trail if row.withdrawn_at is None}
    return [(row, standing.get(row.pk), is_intact(row)) for row in snapshots]


@for_roles(Role.ORGANIZER)
@require_GET
def snapshot_details(request: HttpRequest, campaign: Campaign, number: int) -> HttpResponse:
    """What differs between the snapshot and the board of today, and publishing or withdrawing it."""
    return _details(request, snapshot_numbered(campaign, number))


def _details(
    request: HttpRequest, snapshot: Snapshot, refused: dict[str, str] | None = None, status: int = 200
) -> HttpResponse:
    """`refused`: the reason typed and why nothing was withdrawn; beside no form where nothing is published any more."""
    campaign, document = snapshot.campaign, json.loads(snapshot.board)
    standing = snapshot.publications.standing().first()
    return render(
        request,
        "publication/snapshot_details.html",
        {
            "campaign": campaign,
            "snapshot": snapshot,
            "document": document,
            "shown": board_page(
                BoardSource(
                    with_english_names(board_in(document), campaign.english_team_names()),
                    document["statistics"],
                    agreement_in(document),
                )
            ),
            "teams": not (snapshot.hides_teams or snapshot.of_board),
            "board_name": board_name_in(document),
            "name_head": name_head_of(document),
            "standing": standing,
            "not_withdrawn": refused if standing else None,
            "not_done": None if standing else refused,
            "is_intact": is_intact(snapshot),
            "is_public": snapshot.publications.public(timezone.now()).exists(),
            # Of another board nobody here knows what it is like today.
            "differences": None if snapshot.of_board else differences_since(campaign, snapshot),
            "reason_limit": REASON_LIMIT,
            "zone": timezone.get_current_timezone_name(),
            "public_from": _not_before(campaign),
            "stored": stored_board(campaign),
        },
        status=status,
    )


@for_roles(Role.ORGANIZER)
@form_on("publication")
def freeze(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    hides_teams = request.POST.get("names") == "aliases"
    try:
        order_freeze(campaign=campaign, hides_teams=hides_teams, by=person_of(request), at=timezone.now())
    except NotReady as refused:
        messages.error(request, str(refused))
    return redirect("publication", slug=campaign.slug)


@for_roles(Role.ORGANIZER)
@form_on("publication")
def forget_order(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    drop_order(campaign=campaign, by=person_of(request), of_board=request.POST.get("board", ""))
    return redirect("publication", slug=campaign.slug)


@for_roles(Role.ORGANIZER)
@form_on("snapshot-details")
def publish_snapshot(request: HttpRequest, campaign: Campaign, number: int) -> HttpResponse:
    now = timezone.now()
    public_from = _time(request.POST.get("public_from", "")) or now
    snapshot = snapshot_numbered(campaign, number)
    try:
        publish(snapshot=snapshot, public_from=public_from, by=person_of(request), at=now)
    except AlreadyPublished as late:
        messages.warning(request, str(late))
    except (OtherNames, NotNow) as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("Published.") if public_from <= now else _("It will be public from its day on."))
        if not snapshot.of_board:
            return redirect("publication", slug=campaign.slug)
    return redirect("snapshot-details", slug=campaign.slug, number=number)


@for_roles(Role.ORGANIZER)
@form_on("snapshot-details")
def withdraw_snapshot(request: HttpRequest, campaign: Campaign, number: int) -> HttpResponse:
    """Where it cannot be withdrawn, the page says why beside the reason typed."""
    snapshot, because = snapshot_numbered(campaign, number), request.POST.get("because", "")
    try:
        withdraw(snapshot=snapshot, because=because, by=person_of(request), at=timezone.now())
    except (ReasonNeeded, NotPublished) as refused:
        return _details(request, snapshot, {"because": because, "wrong": str(refused)}, status=409)
    messages.success(request, _("Withdrawn."))
    return redirect("snapshot-details", slug=campaign.slug, number=number)


def snapshot_numbered(campaign: Campaign, number: int) -> Snapshot:
    found = campaign.snapshots.select_related("campaign", "made_by").filter(number=number).first()
    if found is None:
        raise Http404
    return found


def _not_before(campaign: Campaign) -> datetime | None:
    """The day of publication, while it is to come."""
    at = campaign.publication_at
    return at if at is not None and at > timezone.now() else None


def _time(text: str) -> datetime | None:
    """What a field of date and time holds, in the campaign's zone; None where it is empty."""
    if not text:
        return None
    try:
        at = datetime.fromisoformat(text)
        return at if timezone.is_aware(at) else timezone.make_aware(at)
    except (ValueError, OverflowError) as wrong:
        raise BadRequest(_("This is not a date and time.")) from wrong
