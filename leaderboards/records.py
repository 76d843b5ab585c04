"""Records of a campaign, one per review that counts: the record rule in Python.

`live_sums.py` states the same rule in SQL for boards; a test holds both together. The verification of a bundle has its own on purpose.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import Any
from uuid import UUID

from django.db.models import Q

from accounts.models import Person
from campaigns.models import Campaign, Entry
from dialogues.fault_policy import FaultPolicy, fault_policy_of
from dialogues.models import Dialogue, DialogueQuerySet, Turn
from dialogues.turn_policy import TurnPolicy, turn_policy_of
from dialogues.turn_taking import OPENING, TurnStatus
from leaderboards.models import ImportedRecord
from leaderboards.stored_columns import Stored, rows_of
from measures.live import COMPLETION, MEAN_TURNS, Record, charged_turns, completion, record_of
from participants.failures import Fault
from reviews.counting_rules import weights
from reviews.models import Review

PERSON = Person._meta.db_table

COUNTED = Stored(
    f"reviews_review review JOIN {PERSON} person ON person.id = review.reviewer_id "
    "JOIN dialogues_dialogue dialogue ON dialogue.id = review.dialogue_id "
    "JOIN campaigns_assignment assignment ON assignment.id = dialogue.assignment_id "
    "JOIN campaigns_entry entry ON entry.id = assignment.entry_id "
    "JOIN campaigns_scenario scenario ON scenario.id = assignment.scenario_id "
    "JOIN participants_bot bot ON bot.id = entry.bot_id JOIN participants_team team ON team.id = bot.team_id",
    dialogue="review.dialogue_id",
    only="review.is_counted",
    in_order_of="review.id",
    columns={
        "review.id": "plain", "review.part": "plain", "entry.key": "plain", "team.name": "plain", "bot.name": "plain",
        "scenario.key": "plain", "person.username": "plain", "dialogue.turn_cap": "plain",
    },
)  # fmt: skip
SUBTASKS = Stored(
    "dialogues_dialoguesubtask subtask",
    dialogue="subtask.dialogue_id",
    in_order_of='subtask."index"',
    columns={
        'subtask."index"': "plain", "subtask.kind": "plain", "subtask.answered_turns": "plain", "subtask.turn_cap": "plain",
    },
)  # fmt: skip
# Labels have no mean.
SCORES = Stored(
    "reviews_rating rating JOIN reviews_review review ON review.id = rating.review_id "
    "JOIN rubrics_criterion criterion ON criterion.id = rating.criterion_id",
    dialogue="review.dialogue_id",
    only="review.is_counted AND criterion.kind = 'scale'",
    in_order_of="rating.review_id, criterion.position, rating.place",
    columns={"rating.review_id": "plain", "criterion.key": "plain", "rating.place": "plain", "rating.score": "plain"},
)
STORED_VERDICTS = Stored(
    "reviews_subtaskverdict verdict JOIN reviews_review review ON review.id = verdict.review_id",
    dialogue="review.dialogue_id",
    in_order_of="verdict.review_id, verdict.subtask",
    columns={"verdict.review_id": "plain", "verdict.subtask": "plain", "verdict.is_finished": "flag"},
)


@dataclass(frozen=True, slots=True)
class CountedLine:
    """One review that counts: the key of its bot's entry, its dialogue, its part, and its record as the line of a record file."""

    entry: str
    dialogue: UUID
    part: str
    content: dict[str, Any]


def counted_lines(campaign: Campaign, dialogues: DialogueQuerySet) -> Iterator[CountedLine]:
    """The lines of those of the dialogues that can be reviewed, in their order. Six to eight queries, whatever their number.

    A subtask is as finished as the reviewer's verdict says.
    """
    policy, faults = turn_policy_of(campaign), fault_policy_of(campaign)
    pks = list(dialogues.reviewable().under(faults).values_list("pk", flat=True))
    # Read first, and once: what is handed in from here on is in none of the reads below.
    reviews = rows_of(COUNTED, pks)
    subtasks, verdicts, ratings = rows_of(SUBTASKS, pks), verdicts_of(pks), _ratings_of(pks)
    shares = weights_of(
        (review, dialogue, part) for dialogue, own in zip(pks, reviews, strict=True) for review, part, *_ in own
    )
    charging = Charging(pks, policy, faults)
    for dialogue, of_dialogue, own in zip(pks, reviews, subtasks, strict=True):
        told = [
            (index, kind, charging.turns(dialogue, index, answered), charging.cap(index, cap))
            for index, kind, answered, cap in own
        ]
        for review, part, entry, team, bot, scenario, reviewer, stored_cap in of_dialogue:
            dialogue_cap, is_finished = in_turns(policy, stored_cap), verdicts.get(review, {})
            line: dict[str, Any] = {"team": team, "bot": bot, "scenario": scenario, "reviewer": reviewer}
            line["dialogue"] = str(dialogue)
            line["subtasks"] = [
                {"kind": kind, "completed": is_finished.get(index, False), "turns": turns, "cap": dialogue_cap or cap}
                for index, kind, turns, cap in told
            ]
            line["ratings"] = ratings.get(review, {})
            if dialogue_cap is not None:
                line["dialogue_cap"] = dialogue_cap
            yield CountedLine(entry, dialogue, part, line | {"weight": float(shares[review])})


def verdicts_of(dialogues: Sequence[UUID]) -> dict[int, dict[int, bool]]:
    """What each review says of each subtask, in their order."""
    verdicts: dict[int, dict[int, bool]] = defaultdict(dict)
    for review, subtask, is_finished in chain.from_iterable(rows_of(STORED_VERDICTS, dialogues)):
        verdicts[review][subtask] = is_finished
    return verdicts


def _ratings_of(dialogues: Sequence[UUID]) -> dict[int, dict[str, Any]]:
    """By review one score per criterion, or its scores by place: a mean of them would be on no scale."""
    ratings: dict[int, dict[str, Any]] = defaultdict(dict)
    for review, criterion, place, score in chain.from_iterable(rows_of(SCORES, dialogues)):
        if place:
            ratings[review].setdefault(criterion, {})[place] = score
        else:
            ratings[review][criterion] = score
    return ratings


def weights_of(counted: Iterable[tuple[int, UUID, str]]) -> dict[int, Fraction]:
    """The weight of each review, given all `counted` ones of some dialogues (id, dialogue, part). One query at most."""
    by_dialogue: dict[UUID, list[tuple[int, str]]] = defaultdict(list)
    for review, dialogue, part in counted:
        by_dialogue[dialogue].append((review, part))
    decided = [
        dialogue for dialogue, own in by_dialogue.items() if any(part == Review.Part.ADJUDICATION for _, part in own)
    ]
    replaced = Review.objects.filter(dialogue__in=decided, part=Review.Part.PANEL, is_submitted=True, is_counted=False)
    may_count = Q(dialogue__assignment__campaign__judges="count") | Q(reviewer__kind=Person.Kind.PERSON)
    replaced = replaced.filter(may_count)
    n_replaced = Counter(replaced.values_list("dialogue", flat=True))
    return {
        review: weight
        for dialogue, own in by_dialogue.items()
        for (review, _), weight in zip(own, weights([part for _, part in own], n_replaced[dialogue]), strict=True)
    }


def in_turns(policy: TurnPolicy, cap: int | None, *, is_first: bool = True) -> int | None:
    """A stored cap in the turns that the campaign counts."""
    return None if cap is None else policy.turns(cap, is_first=is_first)


def failed_turns(dialogues: Collection[UUID]) -> Counter[tuple[UUID, int]]:
    """How many turns the bot failed to answer, by dialogue and subtask. Its opening spends no turn."""
    failed = Turn.objects.filter(
        dialogue__in=dialogues, number__gt=OPENING, status=TurnStatus.FAILED, attempts__is_current=True,
        attempts__fault=Fault.BOT,
    )  # fmt: skip
    return Counter(failed.order_by().values_list("dialogue_id", "subtask"))


class Charging:
    """What a subtask of one of the dialogues is charged where it is finished, and its cap; looked up in two queries at most."""

    def __init__(self, dialogues: Collection[UUID], policy: TurnPolicy, faults: FaultPolicy) -> None:
        self._policy = policy
        self._failed = failed_turns(dialogues) if faults.charges_failed_turns else Counter()
        opened = Turn.objects.filter(dialogue__in=dialogues, number=OPENING, status=TurnStatus.ANSWERED)
        self._opened = set(opened.values_list("dialogue_id", flat=True)) if policy.opening else set()

    def turns(self, dialogue: UUID, index: int, answered: int) -> int:
        has_opening = index == 1 and dialogue in self._opened
        return self._policy.charged(answered + self._failed[dialogue, index], has_opening=has_opening)

    def cap(self, index: int, turn_cap: int | None) -> int:
        return in_turns(self._policy, turn_cap, is_first=index == 1) or 0


@dataclass(frozen=True, slots=True)
class FigureRecord:
    """One record and its value of the figure, None where its reviewer gave none; `dialogue` is missing where it was imported."""

    record: Record
    value: float | None
    dialogue: UUID | None = None
    part: str = ""


def value_of(record: Record, figure: str) -> float | None:
    if figure == COMPLETION.name:
        return completion(record.subtasks)
    if figure == MEAN_TURNS.name:
        return charged_turns(record.subtasks, record.dialogue_cap)
    return record.ratings.get(figure)


class FigureRecords:
    """What Django's `Paginator` pages through: dialogues, each with all its records, then the imported records.

    A slice reads the records of its own dialogues only.
    """

    def __init__(self, campaign: Campaign, entry: Entry, figure: str) -> None:
        self._campaign, self._figure = campaign, figure
        counted = Review.objects.filter(is_counted=True).values("dialogue")
        dialogues = Dialogue.objects.of_campaign(campaign).reviewable().under(fault_policy_of(campaign))
        self._dialogues = dialogues.filter(assignment__entry=entry, pk__in=counted).order_by("assignment", "opened_at")
        self._imported = ImportedRecord.objects.filter(campaign=campaign, entry=entry).with_shares().order_by("pk")
        self._n_dialogues = self._dialogues.count()

    def __len__(self) -> int:
        return self._n_dialogues + self._imported.count()

    def __getitem__(self, part: slice) -> list[FigureRecord]:
        first, last = part.start, part.stop
        here = list(self._dialogues[first:last].values_list("pk", flat=True))
        rows = self._imported[max(0, first - self._n_dialogues) : max(0, last - self._n_dialogues)]
        return [*self._of(here), *(self._elsewhere(record_of(row.content, row.n_sharing)) for row in rows)]

    def _of(self, dialogues: list[UUID]) -> Iterator[FigureRecord]:
        in_order = Dialogue.objects.filter(pk__in=dialogues).order_by("assignment_id", "opened_at", "pk")
        for line in counted_lines(self._campaign, in_order):
            record = record_of(line.content)
            yield FigureRecord(record, value_of(record, self._figure), line.dialogue, line.part)

    def _elsewhere(self, record: Record) -> FigureRecord:
        return FigureRecord(record, value_of(record, self._figure))
