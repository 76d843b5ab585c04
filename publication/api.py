"""REST: freezing the leaderboard, its snapshots, publishing and withdrawing one; the same rules as the pages."""

from typing import Annotated, Any, TypedDict

from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from accounts.access import person_of
from api.answers import From, encoded
from api.describing import describes
from api.paging import asked_in
from api.parsers import body_in
from campaigns.access import OrganizersView
from campaigns.actions import ReasonNeeded
from campaigns.campaign_file.calendar_settings import MomentOr
from campaigns.models import Campaign
from participants.limits import REASON_LIMIT
from publication.actions.ordering import drop_order, order_freeze
from publication.actions.publishing import publish, withdraw
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


OF_BOARD = From(lambda one: one.of_board or None)


class SnapshotAnswer(TypedDict):
    """`board` is the key of the combined board that it is of, or task and split of a board of runs (`dq/hidden`); null for the leaderboard.

    `bundle_sha256` is what is cited and what `verify` compares, `sha256` that of the JSON. `is_intact` says whether both files still have them.
    """

    number: int
    board: Annotated[str | None, OF_BOARD]
    made_at: Moment
    sha256: Annotated[str, From("digest")]
    bundle_sha256: Annotated[str | None, From(lambda one: one.bundle_digest or None)]
    is_intact: Annotated[bool, From(is_intact)]
    hides_teams: bool
    has_bundle: Annotated[bool, From(has_bundle)]
    is_public: bool


class FreezeAnswer(TypedDict):
    """`since` is when it was ordered; `failure` says in the reader's language why it failed, and is null while it runs.

    `began_at` and `percent_done` say since when it is carried out and how much is done; null while it waits for that, and once it failed.
    """

    state: Annotated[str, From(lambda order: "failed" if order.failure else "running")]
    board: Annotated[str | None, OF_BOARD]
    since: Annotated[Moment, From("asked_at")]
    began_at: Annotated[Moment | None, From(lambda order: None if order.failure else order.began_at)]
    percent_done: Annotated[int | None, From(lambda order: None if order.failure else order.percent_done)]
    hides_teams: bool
    # Stored in English, said in the reader's language, like on the page.
    failure: Annotated[str | None, From(lambda order: _(order.failure) if order.failure else None)]


class PublicationAnswer(TypedDict):
    """`findings` are those of the preflight; `freeze` is what was ordered and made no snapshot yet.

    `is_ordered` says whether a freeze is under way: one that failed is not, until it is ordered again.
    """

    findings: list[FindingAnswer]
    is_ordered: bool
    freeze: FreezeAnswer | None
    snapshots: list[SnapshotAnswer]


class PublicationOfCampaign(OrganizersView):
    """POST orders a freeze, DELETE drops the order."""

    @describes("Gives what the preflight finds, and the snapshots", PublicationAnswer)
    def get(self, request: Request) -> Any:
        return publication_of(self.campaign)

    @describes(
        "Orders a freeze of the leaderboard, which follows in the background",
        PublicationAnswer,
        202,
        reads=FREEZE,
        refuses=(409, 422),
    )
    def post(self, request: Request) -> Any:
        hides = body_in(request, FREEZE)["names"] == "aliases"
        order_freeze(campaign=self.campaign, hides_teams=hides, by=person_of(request), at=timezone.now())
        return publication_of(self.campaign)

    @describes("Drops the order of a freeze: of the leaderboard, or of the `board` that is named", None, 204, asks=DROP)
    def delete(self, request: Request) -> None:
        board = asked_in(request, DROP).get("board", OF_LEADERBOARD)
        drop_order(campaign=self.campaign, by=person_of(request), of_board=board)


class OneSnapshot(OrganizersView):
    """POST publishes it, DELETE withdraws it."""

    @describes("Gives one snapshot", SnapshotAnswer)
    def get(self, request: Request, number: int) -> Any:
        return _snapshot(snapshot_numbered(self.campaign, number))

    @describes("Publishes a snapshot, now or from a time on", SnapshotAnswer, 201, reads=PUBLISH, refuses=(409, 422))
    def post(self, request: Request, number: int) -> Any:
        snapshot, at = snapshot_numbered(self.campaign, number), timezone.now()
        wanted = body_in(request, PUBLISH)["public_from"]
        publish(snapshot=snapshot, public_from=at if wanted == "now" else wanted, by=person_of(request), at=at)
        return _snapshot(snapshot)

    @describes("Withdraws a published snapshot", SnapshotAnswer, reads=WITHDRAW, refuses=(409, 422))
    def delete(self, request: Request, number: int) -> Any:
        snapshot = snapshot_numbered(self.campaign, number)
        because = body_in(request, WITHDRAW)["because"]
        try:
            withdraw(snapshot=snapshot, because=because, by=person_of(request), at=timezone.now())
        except ReasonNeeded as silent:
            raise ValidationError({"because": [str(silent)]}) from silent
        return _snapshot(snapshot)


def publication_of(campaign: Campaign) -> dict[str, Any]:
    """The snapshots are those of all boards of the campaign, and where the leaderboard has no order, the one under way is told."""
    return publication_answer(preflight(campaign), order_told(campaign), campaign.snapshots.all())


def publication_answer(
    findings: list[Finding], order: FreezeOrder | None, snapshots: SnapshotQuerySet
) -> dict[str, Any]:
    """In the shape of `PublicationAnswer`."""
    snapshots = snapshots.order_by("-number")
    public = set(
        Publication.objects.public(timezone.now()).filter(snapshot__in=snapshots).values_list("snapshot", flat=True)
    )
    return {
        "findings": findings,
        "is_ordered": order is not None and not order.failure,
        "freeze": order,
        "snapshots": [encoded(SnapshotAnswer, one, is_public=one.pk in public) for one in snapshots],
    }


def _snapshot(snapshot: Snapshot) -> Any:
    return encoded(SnapshotAnswer, snapshot, is_public=snapshot.publications.public(timezone.now()).exists())
