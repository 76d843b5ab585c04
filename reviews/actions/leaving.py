"""A reviewer leaves: what they had not begun goes to the others, or to somebody whom the organizer names."""

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction

from accounts.models import Person
from audit.actions import record
from campaigns.actions import PreviewIsOld
from campaigns.actions.leaving import CannotTakeOver
from campaigns.acts import WORK_HANDED_ON
from campaigns.calendar import Doing, check_open
from campaigns.interests import barred_entries
from campaigns.models import Campaign, Role
from campaigns.reasons import reason_of
from dialogues.models import Dialogue
from reviews.actions.placing import draw_review_places
from reviews.models import Reviewing, ReviewPlace, ReviewPlaceQuerySet
from reviews.places_plan import PlacesPlan, places_plan, ready_reviewers
from reviews.training import adjudicated_in, reviewers_of


@dataclass(frozen=True, slots=True)
class Share:
    """What one reviewer has to do that is not begun, now and afterwards."""

    name: str
    n_now: int
    n_then: int


@dataclass(frozen=True, slots=True)
class ReviewerLeave:
    """`moved` are the places that the named person takes over; `shares` is everybody's work, the leaver's too."""

    moved: list[int] = field(default_factory=list)
    shares: list[Share] = field(default_factory=list)

    def digest(self) -> str:
        said = repr((sorted(self.moved), [(one.name, one.n_now, one.n_then) for one in self.shares]))
        return hashlib.sha256(said.encode()).hexdigest()


def preview_reviewer_leave(
    *, campaign: Campaign, person: Person, at: datetime, to: Person | None = None
) -> ReviewerLeave:
    """What `leave_as_reviewer` would change now. Errors: `CannotTakeOver`."""
    left = ready_reviewers(campaign, set(reviewers_of(campaign)) - {person.pk})
    moved: list[int] = []
    drawn_for = _drawn_for(campaign)
    if to is not None:
        if to.pk not in left:
            raise CannotTakeOver
        # Named: the others keep what they have, so the plan is not to begin anew.
        moved, drawn_for = _taken_over(campaign, person, to), left
    given = dict.fromkeys(moved, to.pk) if to is not None else {}
    plan = places_plan(campaign, drawn_for, at, without=person.pk, given=given)
    return ReviewerLeave(moved, _shares(campaign, plan, person, given))


def _drawn_for(campaign: Campaign) -> list[int]:
    reviewing = Reviewing.objects.filter(campaign=campaign).first()
    return list(reviewing.reviewers) if reviewing else []


def _of_panels(campaign: Campaign) -> ReviewPlaceQuerySet:
    return ReviewPlace.objects.of_campaign(campaign).filter(is_gold=False).not_begun()


def _taken_over(campaign: Campaign, person: Person, to: Person) -> list[int]:
    """The places that the named person may have: never a dialogue that they talked in, scored, gave back or decided, nor one
    of a bot in which they have an interest.
    """
    known = set(ReviewPlace.objects.of_campaign(campaign).filter(reviewer=to).values_list("dialogue", flat=True))
    known |= set(Dialogue.objects.of_campaign(campaign).of_tester(to).values_list("pk", flat=True))
    of_own = Dialogue.objects.of_campaign(campaign).filter(assignment__entry__in=barred_entries(to))
    known |= set(of_own.values_list("pk", flat=True))
    known |= {dialogue for dialogue, adjudicator in adjudicated_in(campaign) if adjudicator == to.pk}
    own = _of_panels(campaign).filter(reviewer=person).order_by("position", "pk").values_list("pk", "dialogue")
    return [pk for pk, dialogue in own if dialogue not in known]


def _shares(campaign: Campaign, plan: PlacesPlan, person: Person, given: Mapping[int, int]) -> list[Share]:
    now = Counter(_of_panels(campaign).values_list("reviewer", flat=True))
    then = Counter(now)
    for reviewer in given.values():
        then[reviewer] += 1
        then[person.pk] -= 1
    for place in plan.taken:
        then[place.reviewer_id] -= not place.is_gold
    for wanted in plan.drawn:
        then[wanted.reviewer_id] += not wanted.is_gold
    names = dict(Person.objects.filter(pk__in=now.keys() | then.keys()).values_list("pk", "username"))
    shares = [Share(name, now[pk], max(0, then[pk])) for pk, name in names.items()]
    return sorted((share for share in shares if share.n_now or share.n_then), key=lambda share: share.name)


def leave_as_reviewer(
    *,
    campaign: Campaign,
    person: Person,
    because: str,
    by: Person | None,
    at: datetime,
    to: Person | None = None,
    previewed: str = "",
) -> ReviewerLeave:
    """Takes the role of reviewer back; what was handed in stays, what was begun is given to others.

    Errors: `NotNow`; `ReasonNeeded`; `CannotTakeOver`; `PreviewIsOld` where something else would move than was agreed to.
    """
    check_open(campaign, Doing.ORGANIZE, at)
    because = reason_of(because)
    Reviewing.objects.get_or_create(campaign=campaign)
    leave = _leave(campaign, person, because, by, at, to, previewed)
    # After the commit, as the chore would a few seconds later: a drawing holds its dialogues in an order of its own.
    draw_review_places(campaign=campaign, at=at)
    return leave


@transaction.atomic
def _leave(
    campaign: Campaign, person: Person, because: str, by: Person | None, at: datetime, to: Person | None, previewed: str
) -> ReviewerLeave:
    # First this row, then dialogues, then places, as drawings do: none comes in between.
    reviewing = Reviewing.objects.select_for_update().get(campaign=campaign)
    own = _of_panels(campaign).filter(reviewer=person).values("dialogue")
    list(Dialogue.objects.filter(pk__in=own).select_for_update(of=("self",)).order_by("pk").values_list("pk"))
    leave = preview_reviewer_leave(campaign=campaign, person=person, at=at, to=to)
    if previewed and leave.digest() != previewed:
        raise PreviewIsOld
    if to is not None:
        ReviewPlace.objects.filter(pk__in=leave.moved).not_begun().update(reviewer=to)
        reviewing.reviewers = ready_reviewers(campaign, set(reviewers_of(campaign)) - {person.pk})
        reviewing.save(update_fields=["reviewers"])
    campaign.roles.filter(person=person, role=Role.REVIEWER).delete()
    details = {"role": Role.REVIEWER.value, "to": to.username if to else "", "moved": len(leave.moved)}
    record(
        WORK_HANDED_ON, by=by, at=at, campaign=campaign.slug, about=person.username, because=because, details=details
    )
    return leave
