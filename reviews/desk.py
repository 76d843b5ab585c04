"""What a reviewer, an adjudicator or an expert has to do: their scores, queue, disputes, and dialogues to be vetted."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from statistics import median
from typing import Any
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.models import Person
from campaigns.access import roles_of
from campaigns.interests import barred_entries
from campaigns.models import Campaign, Role
from dialogues.models import Dialogue, DialogueQuerySet
from dialogues.progress import Bar, bar, time_left
from reviews.actions.checking import may_hand_in_again, may_revise
from reviews.actions.contents import NOTHING_CHOSEN, chosen_in
from reviews.actions.second_readings import n_second_readings, readings_to_score
from reviews.actions.submitting import HAND_INS, REVIEWER_WINDOW_S, seconds_to_undo, undo_window_s
from reviews.models import Dispute, Review, ReviewPlace, RevisionRequest, SecondReading, Vetting
from reviews.training import training_of

# A dialogue that was left open over lunch says nothing about the pace.
LONGEST_S = 3600.0
SHORTEST_S = 5.0
Row = dict[str, Any]
WAITING_SHOWN = 8
DONE_PER_PAGE = 20
TO_VET_SHOWN = 50
ANSWERED_SHOWN = 50
# The pace is that of the last dialogues: it changes as a reviewer learns.
PACE_OF_LAST = 50
LIST_BAR_PX = 252
EMPTY: dict[str, Any] = {
    "progress": {"done": 0, "total": 0, "minutes_left": None, "pace_s": None},
    "training": None,
    "places": [],
}


def own_scores(dialogue: Dialogue, reviewer: Person, at: datetime) -> dict[str, Any]:
    """The reviewer's choices with where they stand: handed in or not, still to be undone for how long, revisable."""
    review = Review.objects.filter(dialogue=dialogue, reviewer=reviewer).first() or Review()
    is_open = may_revise(dialogue.assignment.campaign)
    return {
        "version": review.version,
        "is_submitted": review.is_submitted,
        "submitted_at": review.submitted_at.isoformat() if review.submitted_at else None,
        "may_be_changed": not review.is_submitted or (is_open and may_hand_in_again(review)),
        "undo_s": undo_s(review, at) if is_open else 0,
        "revision": revision_state(review),
        "is_draft": review.draft is not None,
        "chosen": chosen_in(review),
    }


def scores_of_reading(reading: SecondReading, at: datetime) -> dict[str, Any]:
    """The same of a dialogue that is scored once more."""
    return {
        "version": reading.version,
        "is_submitted": reading.done_at is not None,
        "submitted_at": reading.done_at.isoformat() if reading.done_at else None,
        "may_be_changed": reading.done_at is None,
        "undo_s": undo_s_of_reading(reading, at),
        # Asked for the first scores: told of both, it would join them.
        "revision": None,
        "is_draft": reading.draft is not None,
        "chosen": reading.draft or reading.content or NOTHING_CHOSEN,
    }


def undo_s_of_reading(reading: SecondReading, at: datetime) -> int:
    if reading.done_at is None or reading.content is None:
        return 0
    is_open = may_revise(reading.review.dialogue.assignment.campaign)
    return seconds_to_undo(reading.done_at, at, REVIEWER_WINDOW_S) if is_open else 0


def undo_s(review: Review, at: datetime) -> int:
    """The seconds in which the last hand-in can still be undone."""
    if not review.is_submitted:
        return 0
    last = review.changes.filter(version=review.version, kind__in=HAND_INS).first()
    return seconds_to_undo(last.at, at, undo_window_s(review)) if last else 0


def revision_state(review: Review) -> dict[str, Any] | None:
    """The reviewer's last request for a revision, and what became of it; None where there is none."""
    last = RevisionRequest.objects.filter(review=review).last() if review.pk else None
    if last is None:
        return None
    return {"reason": last.reason, "granted": last.is_granted, "used": last.used_at is not None}


def is_scored() -> Q:
    """Filter of dialogues: scored by the tester, or by the whole panel where only panels score; closed, where no scores are asked."""
    panel = Review.objects.filter(dialogue=OuterRef("pk"), part=Review.Part.PANEL, is_submitted=True)
    left = ReviewPlace.objects.to_do().filter(dialogue=OuterRef("pk"), is_gold=False)
    by_panel = Q(Exists(panel), ~Exists(left), assignment__campaign__reviewed_by="panel")
    by_nobody = Q(closed_at__isnull=False, assignment__campaign__reviewed_by="nobody")
    return Q(scored_at__isnull=False) | by_panel | by_nobody


def to_vet(campaign: Campaign, expert: Person) -> DialogueQuerySet:
    """The dialogues on which this expert has not spoken and the experts have not decided, the oldest first."""
    return left_to_vet([campaign], expert).with_names().order_by("closed_at", "pk")


def left_to_vet(campaigns: Iterable[Campaign], expert: Person) -> DialogueQuerySet:
    """The same in several campaigns, in no order."""
    vetted = [campaign for campaign in campaigns if campaign.experts_per_dialogue]
    own = Dialogue.objects.of_tester(expert).values("pk")
    collected = Dialogue.objects.filter(assignment__campaign__in=vetted).reviewable().exclude(pk__in=own)
    collected = collected.exclude(assignment__entry__in=barred_entries(expert))
    spoken = Vetting.objects.filter(expert=expert).values("dialogue")
    return collected.exclude(pk__in=spoken).exclude(pk__in=Vetting.objects.dialogues_accepted_in(*vetted))


def disputes_for(campaigns: Iterable[Campaign], adjudicator: Person) -> QuerySet[Dispute]:
    """Disputes that the person may settle: on dialogues that they neither talked in nor scored, of bots in which they have no interest."""
    # A dialogue voided since does not wait; a settled dispute stays listed.
    standing = Q(settled_at__isnull=False) | Q(dialogue__in=Dialogue.objects.reviewable())
    within = Dispute.objects.filter(standing, dialogue__assignment__campaign__in=list(campaigns))
    own = Review.objects.filter(reviewer=adjudicator, is_submitted=True, part__in=["panel", "gold"])
    return (
        within.exclude(dialogue__in=Dialogue.objects.of_tester(adjudicator))
        .exclude(dialogue__in=own.values("dialogue"))
        .exclude(dialogue__assignment__entry__in=barred_entries(adjudicator))
        .select_related("dialogue__assignment__scenario", "dialogue__assignment__entry")
        .order_by("opened_at", "pk")
    )


def open_disputes(campaigns: Iterable[Campaign], adjudicator: Person) -> QuerySet[Dispute]:
    """The unsettled ones."""
    return disputes_for(campaigns, adjudicator).filter(settled_at=None)


def queue_of(campaign: Campaign, reviewer: Person, at: datetime) -> Row:
    """The queue as the API answers it; nothing in it tells gold from the rest. The number of queries is constant."""
    rows = _in_order(campaign, reviewer)
    training = training_of(campaign, reviewer)
    # Asked once: of thousands of rows it would be a tenth of the page's time.
    is_english = (get_language() or "").startswith("en")
    shown_training = {"done": training.n_done, "total": training.n_total, "passed": False}
    return {
        "progress": progress_of(rows, campaign.second_reading_every),
        "training": None if training.has_passed else shown_training,
        "places": [_place_row(row, at, is_english=is_english) for row in rows],
    }


def _in_order(campaign: Campaign, reviewer: Person) -> list[Row]:
    """The places and, behind the place that was opened before it, each dialogue that is scored once more; `is_gold` is None there."""
    again = readings_to_score(campaign, reviewer).values(
        "position", "opened_at", "done_at", dialogue_id=F("pk"), number=F("review_id"), has_draft=Q(draft__isnull=False),
        **_names("review__dialogue__assignment"),
    )  # fmt: skip
    rows = [*_places_in_order(campaign, reviewer)]
    rows += [{**row, "id": row["number"], "expires_at": None, "released_at": None, "is_gold": None} for row in again]
    return sorted(rows, key=lambda row: (row["position"], row["is_gold"] is None))


def _names(assignment: str) -> dict[str, F]:
    """What a row says of its dialogue, by the path to its assignment."""
    return {
        "alias": F(f"{assignment}__entry__alias"),
        "key": F(f"{assignment}__scenario__key"),
        "title_zh": F(f"{assignment}__scenario__title_zh"),
        "title_en": F(f"{assignment}__scenario__title_en"),
    }


def _places_in_order(campaign: Campaign, reviewer: Person) -> Iterable[Any]:
    """The reviewer's places, with expired ones whose replacement has not begun."""
    drafts = Review.objects.filter(dialogue=OuterRef("dialogue"), reviewer=reviewer, draft__isnull=False)
    own = ReviewPlace.objects.of_campaign(campaign).filter(reviewer=reviewer)
    own = own.exclude(dialogue__assignment__entry__in=barred_entries(reviewer))
    shown = own.filter(Q(released_at=None) | Q(pk__in=own.reclaimable(campaign).values("pk")))
    return shown.order_by("position", "pk").values(
        "id", "position", "opened_at", "expires_at", "done_at", "released_at", "dialogue_id", "is_gold",
        has_draft=Exists(drafts), **_names("dialogue__assignment"),
    )  # fmt: skip


def _place_row(row: Row, at: datetime, *, is_english: bool) -> Row:
    titles = (row["title_en"], row["title_zh"]) if is_english else (row["title_zh"], row["title_en"])
    status = status_of(row, at)
    expires_at = row["expires_at"] if status in {"reserved", "draft"} else None
    return {
        "id": row["id"],
        "dialogue": str(row["dialogue_id"]),
        "alias": row["alias"],
        "scenario": titles[0] or titles[1] or row["key"],
        "status": status,
        "expires_at": expires_at.isoformat() if expires_at else None,
    }


def status_of(row: Row, at: datetime) -> str:
    if row["done_at"]:
        return "done"
    if row["released_at"] or (row["expires_at"] and row["expires_at"] <= at):
        return "expired"
    if row["has_draft"]:
        return "draft"
    return "reserved" if row["opened_at"] else "new"


def progress_of(rows: Sequence[Row], second_reading_every: int = 0) -> Row:
    """How many are done, the reviewer's own seconds per dialogue, and the minutes that the rest takes at that pace."""
    n_done = sum(row["done_at"] is not None for row in rows)
    n_panel, n_again = (sum(row.get("is_gold") is one for row in rows) for one in (False, None))
    total = _total(len(rows), n_done, n_panel, n_again, second_reading_every)
    pace = pace_s((row["done_at"] - row["opened_at"]).total_seconds() for row in rows if row["done_at"])
    minutes = ceil((total - n_done) * pace / 60) if pace is not None else None
    return {"done": n_done, "total": total, "minutes_left": minutes, "pace_s": pace}


def _total(n_drawn: int, n_done: int, n_panel: int, n_again: int, every: int) -> int:
    """The drawn dialogues, and the second readings to come: they count before they are drawn, so that no total grows when one comes."""
    n_to_come = n_second_readings(n_panel, every) - n_again if n_done < n_drawn else 0
    return n_drawn + max(0, n_to_come)


def pace_s(seconds: Iterable[float]) -> int | None:
    """The median of the seconds that dialogues took; None before the first."""
    taken = [min(max(one, SHORTEST_S), LONGEST_S) for one in seconds]
    return round(median(taken)) if taken else None


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a reviewer is; `number` is the place of the dialogue at hand in their own order (0: none)."""

    done: int
    total: int
    number: int
    time_left: str
    bar: Bar


@dataclass(frozen=True, slots=True)
class DoneRow:
    """A dialogue that was handed in, with what can still be done about it."""

    place: Mapping[str, Any]
    number: int
    version: int
    undo_s: int
    request: RevisionRequest | None

    @property
    def undo_min(self) -> int:
        return -(-self.undo_s // 60)


@dataclass(frozen=True, slots=True)
class Desk:
    """One person's work in one campaign; what a role does not have is empty."""

    is_reviewer: bool
    is_adjudicator: bool
    is_expert: bool
    has_panel: bool
    training: Mapping[str, Any] | None
    progress: Mapping[str, Any]
    time_left: str
    bar: Bar
    following: Mapping[str, Any] | None
    following_number: int
    begun: Sequence[tuple[int, Mapping[str, Any]]]
    waiting: Sequence[tuple[int, Mapping[str, Any]]]
    n_new: int
    done: Page[DoneRow] | None
    disputes: Sequence[Dispute]
    decided: Sequence[Dispute]
    to_vet: Sequence[Dialogue]
    n_to_vet: int
    n_vetted: int

    @property
    def undone_by_key(self) -> DoneRow | None:
        """The last hand-in on the page that can still be undone."""
        undoable = [row for row in self.done or () if row.undo_s]
        return max(undoable, key=lambda row: row.undo_s, default=None)

    @property
    def n_more(self) -> int:
        """The waiting dialogues beyond those that are shown."""
        return self.n_new - len(self.waiting)

    @property
    def pace(self) -> str:
        """The reviewer's own pace in words; empty before the first dialogue."""
        seconds = self.progress["pace_s"]
        if seconds is None:
            return ""
        return _("%(n)d s") % {"n": seconds} if seconds < 90 else _("%(n)d min") % {"n": round(seconds / 60)}

    @property
    def has_training_to_do(self) -> bool:
        return self.training is not None and self.training["done"] < self.training["total"]


def desk_of(campaign: Campaign, person: Person, at: datetime, *, page: str = "") -> Desk:
    """Everything on the person's desk; the number of queries does not grow with the dialogues."""
    roles = roles_of(person, campaign)
    is_reviewer, is_expert = Role.REVIEWER in roles, Role.EXPERT in roles
    queue = queue_of(campaign, person, at) if is_reviewer else EMPTY
    places = list(enumerate(queue["places"], start=1))
    open_places = [(number, place) for number, place in places if place["status"] != "done"]
    begun = [(number, place) for number, place in open_places if place["status"] != "new"]
    following_number, following = next(iter(begun or open_places), (0, None))
    progress = queue["progress"]
    vetted = to_vet(campaign, person) if is_expert else Dialogue.objects.none()
    return Desk(
        is_reviewer=is_reviewer,
        is_adjudicator=Role.ADJUDICATOR in roles,
        is_expert=is_expert,
        has_panel=campaign.panels_score,
        training=queue["training"],
        progress=progress,
        time_left=time_left(progress["minutes_left"] or 0),
        bar=bar(progress["total"], LIST_BAR_PX),
        following=following,
        following_number=following_number,
        begun=begun,
        waiting=[(number, place) for number, place in open_places if place["status"] == "new"][:WAITING_SHOWN],
        n_new=len(open_places) - len(begun),
        done=done_rows(campaign, person, places, at, page) if is_reviewer else None,
        disputes=list(open_disputes([campaign], person)) if Role.ADJUDICATOR in roles else [],
        decided=list(decided_by(campaign, person)) if Role.ADJUDICATOR in roles else [],
        to_vet=list(vetted[:TO_VET_SHOWN]),
        n_to_vet=vetted.count() if is_expert else 0,
        n_vetted=person.vettings.filter(dialogue__assignment__campaign=campaign).count() if is_expert else 0,
    )


def done_rows(
    campaign: Campaign,
    person: Person,
    places: Iterable[tuple[int, Mapping[str, Any]]],
    at: datetime,
    page: str,
) -> Page[DoneRow]:
    """A page of what was handed in, the last of the own order first; only its reviews are read."""
    done = [(number, place) for number, place in places if place["status"] == "done"][::-1]
    shown: Page[Any] = Paginator(done, DONE_PER_PAGE).get_page(page)
    dialogues = [place["dialogue"] for _number, place in shown]
    own = Review.objects.filter(reviewer=person, dialogue__in=dialogues).prefetch_related("revision_requests")
    reviews = {str(review.dialogue_id): review for review in own}
    again = SecondReading.objects.of_reviewer(campaign, person).filter(pk__in=dialogues)
    again = again.select_related("review__dialogue__assignment__campaign")
    readings = {str(reading.pk): reading for reading in again}
    shown.object_list = [
        DoneRow(place, number, reading.version, undo_s_of_reading(reading, at), None)
        if (reading := readings.get(place["dialogue"]))
        else _done_row(number, place, reviews.get(place["dialogue"]), at)
        for number, place in shown
    ]
    return shown


def _done_row(number: int, place: Mapping[str, Any], review: Review | None, at: datetime) -> DoneRow:
    if review is None:
        return DoneRow(place, number, 0, 0, None)
    requests = list(review.revision_requests.all())
    # Most stand there for days: only of the last minutes' the change is looked up.
    is_new = review.submitted_at is not None and (at - review.submitted_at).total_seconds() < REVIEWER_WINDOW_S
    left_s = undo_s(review, at) if is_new else 0
    return DoneRow(place, number, review.version, left_s, requests[-1] if requests else None)


def progress_at(campaign: Campaign, person: Person, dialogue_id: UUID, width: int) -> Progress:
    """Where the reviewer is with this dialogue, without reading the whole queue."""
    own = ReviewPlace.objects.of_campaign(campaign).filter(reviewer=person).held()
    again = SecondReading.objects.of_reviewer(campaign, person)
    again_at = again.filter(pk=dialogue_id).values_list("position", flat=True).first()
    position = again_at
    if again_at is None:
        position = own.filter(dialogue=dialogue_id).values_list("position", flat=True).first()
    done, before = Q(done_at__isnull=False), Q(position__lt=position or 0)
    # A dialogue that is scored once more stands behind the place of the same position.
    places = own.aggregate(
        total=Count("pk"), done=Count("pk", done), panel=Count("pk", Q(is_gold=False)),
        before=Count("pk", before if again_at is None else Q(position__lte=position)),
    )  # fmt: skip
    read = again.aggregate(total=Count("pk"), done=Count("pk", done), before=Count("pk", before))
    n_done, n_before, n_drawn = (places[name] + read[name] for name in ("done", "before", "total"))
    total = _total(n_drawn, n_done, places["panel"], read["total"], campaign.second_reading_every)
    last = own.exclude(done_at=None).exclude(opened_at=None).order_by("-done_at")[:PACE_OF_LAST]
    times = last.values_list("done_at", "opened_at")
    pace = pace_s((done - begun).total_seconds() for done, begun in times if done and begun)
    return Progress(
        done=n_done,
        total=total,
        number=n_before + 1 if position is not None else 0,
        time_left=time_left(-(-(total - n_done) * (pace or 0) // 60)),
        bar=bar(total, width),
    )


def decided_by(campaign: Campaign, adjudicator: Person) -> QuerySet[Dispute]:
    decided = disputes_for([campaign], adjudicator).filter(settled_by__reviewer=adjudicator)
    return decided.order_by("-settled_at")[:ANSWERED_SHOWN]


def open_requests(campaign: Campaign, person: Person) -> tuple[list[RevisionRequest], list[RevisionRequest]]:
    """The requests for revisions that wait for an answer, and the last ones that have it."""
    asked = requests_in(campaign, person)
    answered = asked.exclude(is_granted=None).order_by("-answered_at")[:ANSWERED_SHOWN]
    return list(asked.filter(is_granted=None)), list(answered)


def requests_in(campaign: Campaign, person: Person) -> QuerySet[RevisionRequest]:
    """The requests for revisions, the oldest first; those of dialogues that an interest closes to the person are left out."""
    assignment = "review__dialogue__assignment"
    closed = {f"{assignment}__entry__in": barred_entries(person)}
    asked = RevisionRequest.objects.filter(**{f"{assignment}__campaign": campaign}).exclude(**closed)
    return asked.select_related("review__reviewer", "answered_by", f"{assignment}__scenario", f"{assignment}__entry")
