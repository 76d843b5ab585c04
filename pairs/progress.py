"""What an organizer sees of pairs: how far each judge is, how often systems met, and whether sides are balanced. No verdict is told."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from itertools import combinations

from accounts.models import Person
from campaigns.interests import Interests
from campaigns.models import Campaign, Entry
from pairs.actions.opening import judges_of
from pairs.models import Pair, PairVote
from pairs.pair_drawing import two_of


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
    """Six queries, however many pairs there are."""
    pairs = list(Pair.objects.of_campaign(campaign).drawn().select_related("judge"))
    voted = set(PairVote.objects.given().filter(pair__campaign=campaign).values_list("pair_id", flat=True))
    judges = {one.judge.pk: one.judge for one in pairs if one.judge is not None}
    role = judges_of(campaign)
    if role:
        people = Person.objects.filter(pk__in=Interests(campaign).judging(role).values("person"))
        judges |= {person.pk: person for person in people}
    rows = [_judge_row(judge, [one for one in pairs if one.judge_id == pk], voted) for pk, judge in judges.items()]
    held = [one for one in pairs if one.released_at is None and one.judge and not one.judge.is_program]
    left, right = Counter(one.left_id for one in held), Counter(one.right_id for one in held)
    entries = [
        one
        for one in campaign.entries.select_related("bot__team").order_by("alias")
        if left[one.pk] or right[one.pk] or one.takes_part
    ]
    drawn = Counter(two_of(one.left_id, one.right_id) for one in held)
    votes = Counter(two_of(one.left_id, one.right_id) for one in held if one.pk in voted)
    return Progress(
        judges=sorted(rows, key=lambda row: (row.judge.is_program, row.judge.username)),
        systems=[SystemRow(one, left[one.pk], right[one.pk]) for one in entries],
        met=[
            MetRow(one, other, drawn[two_of(one.pk, other.pk)], votes[two_of(one.pk, other.pk)])
            for one, other in combinations(entries, 2)
        ],
        n_drawn=len(held),
        n_votes=sum(votes.values()),
        n_expected=campaign.pairs_per_judge * sum(not judge.is_program for judge in judges.values()) if role else 0,
    )


def _judge_row(judge: Person, pairs: list[Pair], voted: Collection[object]) -> JudgeRow:
    held = [one for one in pairs if one.released_at is None]
    lean: Counter[int] = Counter()
    for one in held:
        lean[one.left_id] += 1
        lean[one.right_id] -= 1
    n_done = sum(one.pk in voted for one in held)
    return JudgeRow(judge, n_done, len(held) - n_done, len(pairs) - len(held), max(map(abs, lean.values()), default=0))
