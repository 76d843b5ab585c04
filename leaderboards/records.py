"""Gathers the records of a campaign: the reviews that count, and what was imported."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any
from uuid import UUID

from campaigns.models import Campaign
from dialogues.fault_policy import FaultPolicy, fault_policy_of
from dialogues.models import Dialogue, DialogueQuerySet, DialogueSubtask, Turn
from dialogues.turn_policy import TurnPolicy, turn_policy_of
from dialogues.turn_taking import OPENING, TurnStatus
from leaderboards.models import ImportedRecord
from measures.live import Record, SubtaskOutcome, mean
from measures.record_lines import record_of
from participants.failures import Fault
from reviews.counting_rules import weights
from reviews.models import Rating, Review, SubtaskVerdict
from rubrics.models import Criterion


def records_by_entry(campaign: Campaign) -> dict[int, list[Record]]:
    """Every record of the campaign by entry id: the reviews that count there, and imported records."""
    gathered: dict[int, list[Record]] = defaultdict(list)
    for entry_id, record in live_records(campaign):
        gathered[entry_id].append(record)
    for row in ImportedRecord.objects.filter(campaign=campaign).with_shares().order_by("pk"):
        gathered[row.entry_id].append(record_of(row.content, row.n_sharing))
    return gathered


def live_records(campaign: Campaign) -> Iterator[tuple[int, Record]]:
    """One record per review that counts."""
    for review, record, _ in told_by_reviews(campaign, Dialogue.objects.of_campaign(campaign)):
        yield review.dialogue.assignment.entry_id, record


def told_by_reviews(campaign: Campaign, dialogues: DialogueQuerySet) -> Iterator[tuple[Review, Record, list[Rating]]]:
    """Yields each counted review of the dialogues with its record and ratings, in seven queries at most.

    A subtask is as finished as the reviewer's verdict says.
    """
    faults = fault_policy_of(campaign)
    reviewable = dialogues.reviewable().under(faults)
    # Read first, and once: what is handed in from here on is in none of the reads below.
    reviews = list(
        Review.objects.filter(is_counted=True, dialogue__in=reviewable)
        .select_related("reviewer", "dialogue__assignment__entry__bot__team", "dialogue__assignment__scenario")
        # Else every record would read, among all else, the facts and contexts of its scenario.
        .only(
            "part",
            "reviewer__username",
            "dialogue__turn_cap",
            "dialogue__assignment__entry__key",
            "dialogue__assignment__entry__bot__name",
            "dialogue__assignment__entry__bot__team__name",
            "dialogue__assignment__scenario__key",
        )
        .order_by("dialogue__assignment_id", "dialogue__opened_at", "dialogue_id", "pk")
    )
    policy = turn_policy_of(campaign)
    shares = weights_of((review.pk, review.dialogue_id, review.part) for review in reviews)
    outcomes = _Outcomes(reviews, policy, faults)
    scores = Rating.objects.filter(review__in=reviews, criterion__kind=Criterion.Kind.SCALE)
    in_order = scores.select_related("criterion").order_by("criterion__position", "place")
    ratings = _grouped(in_order, "review_id")
    for review in reviews:
        assignment = review.dialogue.assignment
        yield (
            review,
            Record(
                team=assignment.entry.bot.team.name,
                bot=assignment.entry.bot.name,
                scenario=assignment.scenario.key,
                reviewer=review.reviewer.username,
                subtasks=outcomes.of(review),
                ratings=means_over_places(ratings[review.pk]),
                dialogue_cap=in_turns(policy, review.dialogue.turn_cap),
                weight=shares[review.pk],
            ),
            ratings[review.pk],
        )


def weights_of(counted: Iterable[tuple[int, UUID, str]]) -> dict[int, Fraction]:
    """The weight of each review, given all `counted` ones of some dialogues (id, dialogue, part). One query at most."""
    by_dialogue: dict[UUID, list[tuple[int, str]]] = defaultdict(list)
    for review, dialogue, part in counted:
        by_dialogue[dialogue].append((review, part))
    decided = [
        dialogue for dialogue, own in by_dialogue.items() if any(part == Review.Part.ADJUDICATION for _, part in own)
    ]
    replaced = Review.objects.filter(dialogue__in=decided, part=Review.Part.PANEL, is_submitted=True, is_counted=False)
    n_replaced = Counter(replaced.values_list("dialogue", flat=True))
    return {
        review: weight
        for dialogue, own in by_dialogue.items()
        for (review, _), weight in zip(own, weights([part for _, part in own], n_replaced[dialogue]), strict=True)
    }


def means_over_places(ratings: Iterable[Rating]) -> dict[str, float | None]:
    """A record's figure per criterion: one that is scored per subtask or turn gives the mean of those scores."""
    scores: dict[str, list[int]] = defaultdict(list)
    for rating in ratings:
        scores[rating.criterion.key].append(rating.score)
    return {key: mean(given) for key, given in scores.items()}


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


class _Outcomes:
    """What each review says of the subtasks of its dialogue, looked up in four queries at most."""

    def __init__(self, reviews: Sequence[Review], policy: TurnPolicy, faults: FaultPolicy) -> None:
        dialogues = {review.dialogue_id for review in reviews}
        self._policy = policy
        self._charging = Charging(dialogues, policy, faults)
        self._subtasks = _grouped(
            DialogueSubtask.objects.filter(dialogue__in=dialogues).order_by("index"), "dialogue_id"
        )
        self._verdicts = {
            (verdict.review_id, verdict.subtask): verdict.is_finished
            for verdict in SubtaskVerdict.objects.filter(review__in=reviews)
        }

    def of(self, review: Review) -> tuple[SubtaskOutcome, ...]:
        cap = in_turns(self._policy, review.dialogue.turn_cap)
        return tuple(
            SubtaskOutcome(
                kind=subtask.kind,
                is_finished=self._verdicts.get((review.pk, subtask.index), False),
                turns=self._charging.turns(review.dialogue_id, subtask.index, subtask.answered_turns),
                cap=cap or self._charging.cap(subtask.index, subtask.turn_cap),
            )
            for subtask in self._subtasks[review.dialogue_id]
        )


def _grouped(rows: Iterable[Any], key: str) -> dict[Any, list[Any]]:
    groups = defaultdict(list)
    for row in rows:
        groups[getattr(row, key)].append(row)
    return groups
