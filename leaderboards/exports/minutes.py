"""Minutes at work per person and role, for payment, from the times that are stored of what they did.

The rule: the acts of a person in a campaign, in whatever role, stand in one order. The time between two that follow each
other counts if it is `PAUSE_LIMIT` at most, and for the role of the second; anything longer is a pause and left out. Nothing
is counted before the first act, nor before the first after a pause: no stored time says when that work began. So dialogues
that a tester has open at once are not counted twice, and a form left open overnight counts nothing.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Case, F, Q, QuerySet, Value, When
from django.utils.translation import gettext_lazy as _

from accounts.models import Person
from campaigns.models import Campaign, Role
from dialogues.models import Dialogue, Problem, Turn, TurnFlag
from dialogues.turn_taking import ENDED_EARLY, DialogueStatus
from leaderboards.exports.parts import Export, Rows, iso
from leaderboards.table_files.column_kinds import NUMBER, TEXT, TIME, WHOLE, Columns
from reviews.models import Remark, Review, ReviewChange, ReviewPlace, Vetting

# A long dialogue is read in this time; nobody looks at one goal or one form much longer.
PAUSE_LIMIT = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class Act:
    """Something done at a time; `finishes` says whether a dialogue, review or vetting was done with it."""

    at: datetime
    role: str
    finishes: bool = False


@dataclass(slots=True)
class Work:
    """What somebody did in one role."""

    first_at: datetime
    last_at: datetime
    n_finished: int = 0
    n_pauses: int = 0
    time: timedelta = timedelta()

    @property
    def minutes(self) -> float:
        return round(self.time.total_seconds() / 60, 2)


def work_by_role(acts: Iterable[Act]) -> dict[str, Work]:
    """The work of one person by role, from all their acts in any order."""
    works: dict[str, Work] = {}
    before: Act | None = None
    for act in sorted(acts, key=lambda act: act.at):
        work = works.setdefault(act.role, Work(act.at, act.at))
        work.last_at = act.at
        work.n_finished += act.finishes
        if before is not None and act.at - before.at <= PAUSE_LIMIT:
            work.time += act.at - before.at
        elif before is not None:
            work.n_pauses += 1
        before = act
    return works


WORKED: Columns = {
    "person": TEXT, "role": TEXT, "finished": WHOLE, "minutes": NUMBER, "pauses": WHOLE, "first_at": TIME, "last_at": TIME,
    "pause_limit_min": WHOLE,
}  # fmt: skip


def minutes(campaign: Campaign) -> Rows:
    """One row per person and role in which they did anything; `finished` counts dialogues, reviews or vettings."""
    limit = int(PAUSE_LIMIT.total_seconds() // 60)
    for person in _people(campaign):
        for role, work in sorted(work_by_role(_acts(campaign, person)).items()):
            told = (work.n_finished, work.minutes, work.n_pauses, iso(work.first_at), iso(work.last_at))
            yield (person.username, role, *told, limit)


def _people(campaign: Campaign) -> QuerySet[Person]:
    """People who did something in the campaign, also those who no longer have a role there."""
    dialogues = Dialogue.objects.of_campaign(campaign)
    live = dialogues.filter(origin=Dialogue.Origin.LIVE)
    done_by = live.values("tester").union(
        Review.objects.filter(dialogue__in=dialogues).values("reviewer"),
        ReviewPlace.objects.of_campaign(campaign).order_by().values("reviewer"),
        Vetting.objects.filter(dialogue__in=dialogues).order_by().values("expert"),
    )
    # A program is not paid.
    people = Person.objects.filter(kind=Person.Kind.PERSON)
    return people.filter(pk__in=[pk for (pk,) in done_by.values_list("tester")]).order_by("username")


def _acts(campaign: Campaign, person: Person) -> Iterator[Act]:
    """Everything that has a time, in one query."""
    first, *others = [*_testing(campaign, person), *_reviewing(campaign, person)]
    for at, role, finishes in first.union(*others, all=True):
        if at is not None:
            yield Act(at, role, bool(finishes))


def _testing(campaign: Campaign, person: Person) -> list[QuerySet[Any, Any]]:
    own = Dialogue.objects.of_campaign(campaign).of_tester(person)
    turns = Turn.objects.filter(dialogue__in=own)
    # An abandoned dialogue closes without its tester, unless they gave it up early: that ends their work and finishes nothing.
    closed = own.exclude(status=DialogueStatus.ABANDONED)
    given_up = own.filter(status=DialogueStatus.ABANDONED, reason=ENDED_EARLY)
    problems = Problem.objects.filter(dialogue__in=own, reported_by=person)
    by_tester = Value(Role.TESTER.value)
    return [
        _told(own, by_tester, "opened_at"),
        _told(closed, by_tester, "closed_at", finishes=True),
        _told(given_up, by_tester, "closed_at"),
        _told(own, by_tester, "scored_at"),
        _told(turns, by_tester, "asked_at"),
        _told(turns, by_tester, "settled_at"),
        _told(TurnFlag.objects.filter(turn__in=turns), by_tester, "at"),
        _told(problems, by_tester, "at"),
    ]


def _reviewing(campaign: Campaign, person: Person) -> list[QuerySet[Any, Any]]:
    dialogues = Dialogue.objects.of_campaign(campaign)
    reviews = Review.objects.filter(dialogue__in=dialogues, reviewer=person, is_submitted=True)
    changes = ReviewChange.objects.filter(review__dialogue__in=dialogues, changed_by=person)
    places = ReviewPlace.objects.of_campaign(campaign).filter(reviewer=person)
    remarks = Remark.objects.filter(dialogue__in=dialogues, reviewer=person)
    vettings = Vetting.objects.filter(dialogue__in=dialogues, expert=person)
    by_reviewer, by_expert = Value(Role.REVIEWER.value), Value(Role.EXPERT.value)
    # A tester's own review belongs to the dialogue that they have finished.
    own = Q(part=Review.Part.SELF)
    return [
        _told(reviews.filter(own), Value(Role.TESTER.value), "submitted_at"),
        _told(reviews.exclude(own), _role_of("part"), "submitted_at", finishes=True),
        _told(changes, _role_of("review__part"), "at"),
        _told(places, by_reviewer, "opened_at"),
        _told(places, by_reviewer, "done_at"),
        _told(remarks, by_reviewer, "at"),
        _told(vettings, by_expert, "at", finishes=True),
    ]


def _role_of(part: str) -> Case:
    return Case(
        When(**{part: Review.Part.SELF}, then=Value(Role.TESTER.value)),
        When(**{part: Review.Part.ADJUDICATION}, then=Value(Role.ADJUDICATOR.value)),
        default=Value(Role.REVIEWER.value),
    )


def _told(rows: QuerySet[Any], role: Value | Case, at: str, *, finishes: bool = False) -> QuerySet[Any, Any]:
    named = {"act_at": F(at), "act_role": role, "act_finishes": Value(int(finishes))}
    return rows.order_by().annotate(**named).values_list(*named)


MINUTES = Export("minutes", _("Minutes at work"), WORKED, rows=minutes)
