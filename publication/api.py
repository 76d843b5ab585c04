"""REST: freezing the leaderboard, its snapshots, publishing and withdrawing one; the same rules as the pages."""

from typing import TypedDict

from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access, person_of
from accounts.own_api import read_body
from api.describing import describes
from api.paging import asked_in
from campaigns.access import campaign_for
from campaigns.actions import ReasonNeeded
from campaigns.calendar_settings import MomentOr
from campaigns.models import Campaign, Role
from participants.limits import REASON_LIMIT
from publication.actions.ordering import NotReady, drop_order, order_freeze
from publication.actions.publishing import AlreadyPublished, NotPublished, OtherNames, publish, withdraw
from publication.models import BOARD_KEY_LIMIT, OF_LEADERBOARD, FreezeOrder, Publication, Snapshot, SnapshotQuerySet
from publication.organizer_views import snapshot_numbered
from publication.preflight import Finding
from publication.queries import has_bundle, is_intact, order_told
from publication.readiness import preflight
from reading.json_schemas import Moment
from reading.kinds import Choice, Text
from reading.tables import Field, Table

FREEZE = Table({"names": Field(Choice(("teams", "aliases")), "teams")})
PUBLISH = Table({"public_from": Field(MomentOr("now"), "now")})
DROP = {"board": Text(BOARD_KEY_LIMIT, may_be_empty=True)}
WITHDRAW = Table({"because": Field(Text(REASON_LIMIT))})


class FindingAnswer(TypedDict):
    key: str
    blocks: bool
    text: str
    advice: str


class SnapshotAnswer(TypedDict):
    """`board` is the key of the combined board that it is of, or task and split of a board of runs (`dq/hidden`); null for the leaderboard.

    `bundle_sha256` is what is cited and what `verify` compares, `sha256` that of the JSON. `is_intact` says whether both files still have them.
    """

    number: int
    board: str | None
    made_at: Moment
    sha256: str
    bundle_sha256: str | None
    is_intact: bool
    hides_teams: bool
    has_bundle: bool
    is_public: bool


class FreezeAnswer(TypedDict):
    """`since` is when it was ordered; `failure` says in the reader's language why it failed, and is null while it runs.

    `began_at` and `percent_done` say since when it is carried out and how much is done; null while it waits for that, and once it failed.
    """

    state: str
    board: str | None
    since: Moment
    began_at: Moment | None
    percent_done: int | None
    hides_teams: bool
    failure: str | None


class PublicationAnswer(TypedDict):
    """`findings` are those of the preflight; `freeze` is what was ordered and made no snapshot yet.

    `is_ordered` says whether a freeze is under way: one that failed is not, until it is ordered again.
    """

    findings: list[FindingAnswer]
    is_ordered: bool
    freeze: FreezeAnswer | None
    snapshots: list[SnapshotAnswer]


class Conflict(APIException):
    status_code = 409


class OrganizersView(APIView):
    access = Access("roles", (Role.ORGANIZER,))

    def campaign(self, request: Request, slug: str) -> Campaign:
        return campaign_for(request.user, slug, Role.ORGANIZER)

    def handle_exception(self, exc: Exception) -> Response:
        return super().handle_exception(_answer_to(exc))


def _answer_to(error: Exception) -> Exception:
    match error:
        case NotReady():
            return Conflict(str(error), "not_ready")
        case AlreadyPublished():
            return Conflict(_("It was published in the meantime."), "already_published")
        case NotPublished():
            return Conflict(_("It was withdrawn in the meantime."), "not_published")
        case OtherNames():
            text = _(
                "Withdraw the published one first: one with teams and one with aliases together tell which is which."
            )
            return Conflict(text, "other_names")
        case ReasonNeeded():
            return ValidationError({"because": [str(error)]})
    return error


class PublicationOfCampaign(OrganizersView):
    """POST orders a freeze, DELETE drops the order."""

    @describes("Gives what the preflight finds, and the snapshots", PublicationAnswer)
    def get(self, request: Request, slug: str) -> Response:
        return Response(publication_of(self.campaign(request, slug)))

    @describes(
        "Orders a freeze of the leaderboard, which follows in the background",
        PublicationAnswer,
        202,
        reads=FREEZE,
        refuses=(409, 422),
    )
    def post(self, request: Request, slug: str) -> Response:
        campaign, said = self.campaign(request, slug), read_body(request, FREEZE)
        hides = said["names"] == "aliases"
        order_freeze(campaign=campaign, hides_teams=hides, by=person_of(request), at=timezone.now())
        return Response(publication_of(campaign), status=202)

    @describes("Drops the order of a freeze: of the leaderboard, or of the `board` that is named", None, 204, asks=DROP)
    def delete(self, request: Request, slug: str) -> Response:
        campaign, board = self.campaign(request, slug), asked_in(request, DROP).get("board", OF_LEADERBOARD)
        drop_order(campaign=campaign, by=person_of(request), of_board=board)
        return Response(status=204)


class OneSnapshot(OrganizersView):
    """POST publishes it, DELETE withdraws it."""

    @describes("Gives one snapshot", SnapshotAnswer)
    def get(self, request: Request, slug: str, number: int) -> Response:
        return Response(snapshot_document(snapshot_numbered(self.campaign(request, slug), number)))

    @describes("Publishes a snapshot, now or from a time on", SnapshotAnswer, 201, reads=PUBLISH, refuses=(409, 422))
    def post(self, request: Request, slug: str, number: int) -> Response:
        snapshot, at = snapshot_numbered(self.campaign(request, slug), number), timezone.now()
        wanted = read_body(request, PUBLISH)["public_from"]
        publish(snapshot=snapshot, public_from=at if wanted == "now" else wanted, by=person_of(request), at=at)
        return Response(snapshot_document(snapshot), status=201)

    @describes("Withdraws a published snapshot", SnapshotAnswer, reads=WITHDRAW, refuses=(409, 422))
    def delete(self, request: Request, slug: str, number: int) -> Response:
        snapshot = snapshot_numbered(self.campaign(request, slug), number)
        because = read_body(request, WITHDRAW)["because"]
        withdraw(snapshot=snapshot, because=because, by=person_of(request), at=timezone.now())
        return Response(snapshot_document(snapshot))


def publication_of(campaign: Campaign) -> PublicationAnswer:
    """The snapshots are those of all boards of the campaign, and where the leaderboard has no order, the one under way is told."""
    return publication_answer(preflight(campaign), order_told(campaign), campaign.snapshots.all())


def publication_answer(
    findings: list[Finding], order: FreezeOrder | None, snapshots: SnapshotQuerySet
) -> PublicationAnswer:
    snapshots = snapshots.order_by("-number")
    public = set(
        Publication.objects.public(timezone.now()).filter(snapshot__in=snapshots).values_list("snapshot", flat=True)
    )
    return {
        "findings": [finding_document(one) for one in findings],
        "is_ordered": order is not None and not order.failure,
        "freeze": freeze_document(order) if order else None,
        "snapshots": [_as_document(one, is_public=one.pk in public) for one in snapshots],
    }


def freeze_document(order: FreezeOrder) -> FreezeAnswer:
    return {
        "state": "failed" if order.failure else "running",
        "board": order.of_board or None,
        "since": order.asked_at.isoformat(),
        "began_at": order.began_at.isoformat() if order.began_at and not order.failure else None,
        "percent_done": None if order.failure else order.percent_done,
        "hides_teams": order.hides_teams,
        # Stored in English, said in the reader's language, like on the page.
        "failure": _(order.failure) if order.failure else None,
    }


def finding_document(finding: Finding) -> FindingAnswer:
    return {"key": finding.key, "blocks": finding.blocks, "text": finding.text, "advice": finding.advice}


def snapshot_document(snapshot: Snapshot) -> SnapshotAnswer:
    return _as_document(snapshot, is_public=snapshot.publications.public(timezone.now()).exists())


def _as_document(snapshot: Snapshot, *, is_public: bool) -> SnapshotAnswer:
    return {
        "number": snapshot.number,
        "board": snapshot.of_board or None,
        "made_at": snapshot.made_at.isoformat(),
        "sha256": snapshot.digest,
        "bundle_sha256": snapshot.bundle_digest or None,
        "is_intact": is_intact(snapshot),
        "hides_teams": snapshot.hides_teams,
        "has_bundle": has_bundle(snapshot),
        "is_public": is_public,
    }
