"""How far the work of somebody in a study is, and whether their gold scores pass."""

from dataclasses import dataclass
from typing import Any

from crowds.models import Arrival, CrowdStudy
from dialogues.models import Dialogue
from reviews.models import Review
from reviews.training import gold_tries, training_gold

COUNTED_PARTS = (Review.Part.PANEL, Review.Part.GOLD)


@dataclass(frozen=True, slots=True)
class Progress:
    """`has_failed`: the screening is over and was not passed."""

    n_done: int
    n_needed: int
    has_failed: bool = False

    @property
    def is_complete(self) -> bool:
        return self.n_done >= self.n_needed

    @property
    def n_left(self) -> int:
        return max(0, self.n_needed - self.n_done)

    @property
    def shown(self) -> int:
        """As much of a ruler as there is."""
        return min(self.n_done, self.n_needed)


def work_of(arrival: Arrival) -> Any:
    """The dialogues or reviews that count for the place: closed and not void, with the tester's scores where they are asked for."""
    study, since = arrival.study, arrival.started_at
    if study.role == CrowdStudy.WorkedAs.REVIEWER:
        own = Review.objects.filter(reviewer=arrival.person, is_submitted=True, part__in=COUNTED_PARTS)
        return own.filter(dialogue__assignment__campaign=study.campaign_id, submitted_at__gte=since)
    talks = Dialogue.objects.filter(assignment__campaign=study.campaign_id).of_tester(arrival.person)
    talks = talks.reviewable().filter(opened_at__gte=since)
    if study.campaign.testers_score:
        talks = talks.filter(reviews__reviewer=arrival.person, reviews__is_submitted=True)
    return talks


def n_done(arrival: Arrival) -> int:
    return 0 if arrival.person_id is None else int(work_of(arrival).count())


def progress_of(arrival: Arrival) -> Progress:
    """Of somebody at work; what ended keeps its figures."""
    if arrival.state != Arrival.State.STARTED:
        return Progress(arrival.n_done, arrival.study.n_needed)
    return Progress(n_done(arrival), arrival.study.n_needed)


def has_failed_screening(arrival: Arrival) -> bool:
    """Whether all gold for training was scored, and too little of it exactly."""
    study = arrival.study
    if study.screening_percent is None or arrival.person_id is None:
        return False
    own = [one for one in gold_tries(study.campaign) if one.reviewer_id == arrival.person_id and one.is_for_training]
    n_gold = training_gold(study.campaign).exclude(set_by=arrival.person).count()
    if not own or len(own) < n_gold:
        return False
    n_exact, n_scores = sum(one.n_exact for one in own), sum(one.n_scores for one in own)
    return 100 * n_exact < study.screening_percent * n_scores
