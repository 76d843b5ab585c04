"""How far the work of somebody in a study is, and whether their gold scores pass."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F

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


def done_in(study: CrowdStudy, only: Arrival | None = None) -> dict[int, int]:
    """How many dialogues or reviews count for each place where somebody is at work, by the id of the account: one query.

    A dialogue counts that was opened since the start, is closed and not void, and has its tester's scores where they are asked
    for; a review that was handed in since then, of a panel or of gold.
    """
    worker = "reviewer" if study.role == CrowdStudy.WorkedAs.REVIEWER else "tester"
    place = f"{worker}__crowd_places"
    of_place: dict[str, Any] = {f"{place}__study": study, f"{place}__state": Arrival.State.STARTED}
    if only is not None:
        of_place[worker] = only.person_id
    since = F(f"{place}__started_at")
    rows: Any
    if worker == "reviewer":
        rows = Review.objects.filter(is_submitted=True, part__in=COUNTED_PARTS, submitted_at__gte=since, **of_place)
        rows = rows.filter(dialogue__assignment__campaign=study.campaign_id)
    else:
        rows = Dialogue.objects.filter(origin=Dialogue.Origin.LIVE, opened_at__gte=since, **of_place).reviewable()
        rows = rows.filter(assignment__campaign=study.campaign_id)
        if study.campaign.testers_score:
            rows = rows.filter(reviews__reviewer=F("tester"), reviews__is_submitted=True)
    return dict(rows.order_by().values_list(worker).annotate(Count("pk", distinct=True)))


def n_done(arrival: Arrival) -> int:
    """The same of one place."""
    return 0 if arrival.person_id is None else done_in(arrival.study, arrival).get(arrival.person_id, 0)


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
