"""What an organizer sees of pairs: how far each judge is, how often systems met, and whether sides are balanced. No verdict is told."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from django.db.models import Count, Q

from accounts.models import Person
from campaigns.interests import Interests
from campaigns.models import Campaign, Entry
from pairs.actions.opening import judges_of
from pairs.models import Pair
from pairs.pair_drawing import Two, two_of

# Of one judge: systems on the left and on the right, and how many pairs of them are held, compared, and released.
Row = Sequence[int]


@dataclass(frozen=True, slots=True)
class JudgeRow:
    """`n_open` are drawn and not compared yet; `most_apart` is how far lefts and rights of a system are apart for this judge."""

    judge: Person
    n_done: int
    n_open: int
    n_released: int
    most_apart: int


@dataclass(frozen=True, slots=True)
class SystemRow:
    entry: Entry
    n_left: int
    n_right: int

    @property
    def n(self) -> int:
        return self.n_left + self.n_right


@dataclass(frozen=True, slots=True)
class MetRow:
    """How often two systems were put side by side, and how many votes they have."""

    first: Entry
    second: Entry
    n_drawn: int
    n_votes: int


@dataclass(frozen=True, slots=True)
class Progress:
    """Of the pairs that the platform drew for people; programs have rows of their own and are in no sum."""

    judges: list[JudgeRow]
    systems: list[SystemRow]
    met: list[MetRow]
    n_drawn: int
    n_votes: int
    n_expected: int

    @property
    def most_apart(self) -> int:
        """How far lefts and rights of a system are apart over all judges."""
        return max((abs(row.n_left - row.n_right) for row in self.systems), default=0)


def progress_of(campaign: Campaign) -> Progress:
    """Five queries, however many pairs there are; the database counts them."""
    drawn = Pair.objects.of_campaign(campaign).drawn().order_by()
    held = Q(released_at=None)
    told = drawn.values_list("judge", "left", "right").annotate(
        n_held=Count("pk", filter=held),
        n_voted=Count("votes", filter=held & ~Q(votes__verdict="")),
        n_released=Count("pk", filter=~held),
    )
    rows = list(told)
    role = judges_of(campaign)
    ids = {judge for judge, *_rest in rows}
    if role:
        ids |= set(Interests(campaign).judging(role).values_list("person", flat=True))
    judges = Person.objects.in_bulk(ids)
    met: dict[int, list[Row]] = {pk: [] for pk in judges}
    n_left, n_right, n_drawn, n_votes = Counter[int](), Counter[int](), Counter[Two](), Counter[Two]()
    for judge, *row in rows:
        met[judge].append(row)
        if not judges[judge].is_program:
            left, right, n, n_voted, _n_released = row
            n_left[left] += n
            n_right[right] += n
            n_drawn[two_of(left, right)] += n
            n_votes[two_of(left, right)] += n_voted
    entries = [
        one
        for one in campaign.entries.select_related("bot__team").order_by("alias")
        if n_left[one.pk] or n_right[one.pk] or one.takes_part
    ]
    n_people = sum(not judge.is_program for judge in judges.values())
    return Progress(
        judges=sorted(
            (_judge_row(judge, met[pk]) for pk, judge in judges.items()),
            key=lambda row: (row.judge.is_program, row.judge.username),
        ),
        systems=[SystemRow(one, n_left[one.pk], n_right[one.pk]) for one in entries],
        met=[
            MetRow(one, other, n_drawn[two_of(one.pk, other.pk)], n_votes[two_of(one.pk, other.pk)])
            for one, other in combinations(entries, 2)
        ],
        n_drawn=n_drawn.total(),
        n_votes=n_votes.total(),
        n_expected=campaign.pairs_per_judge * n_people if role else 0,
    )


def _judge_row(judge: Person, rows: Sequence[Row]) -> JudgeRow:
    lean = Counter[int]()
    for left, right, n, *_rest in rows:
        lean[left] += n
        lean[right] -= n
    n_held, n_done, n_released = (sum(row[place] for row in rows) for place in (2, 3, 4))
    return JudgeRow(judge, n_done, n_held - n_done, n_released, max(map(abs, lean.values()), default=0))
