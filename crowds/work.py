"""How far the work of somebody in a study is, and whether their gold scores pass."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F

from crowds.models import Arrival, CrowdStudy
from dialogues.models import Dialogue
from reviews.models import Review
from reviews.training import training_gold, trainings

# How many dialogues or reviews are done, by the id of the account.
Done = Mapping[int | None, int]
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


def done_in(study: CrowdStudy, only: Arrival | None = None) -> Done:
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


def progress_of(arrival: Arrival) -> Progress:
    """Of somebody at work; what ended keeps its figures."""
    study = arrival.study
    if not arrival.is_at_work:
        return Progress(arrival.n_done, study.n_needed)
    n_done = done_in(study, arrival).get(arrival.person_id, 0)
    return Progress(n_done, study.n_needed, bool(failed_screening(study, [arrival.person_id])))


def failed_screening(study: CrowdStudy, people: Iterable[int | None]) -> set[int | None]:
    """Those of them who scored all gold that is asked of them before the panel's dialogues, and too little of it exactly.

    Who gave all of it back has passed nothing; who was asked for none has failed nothing. Nobody, where the study screens
    nobody, or no gold comes first any more.
    """
    campaign, wanted = study.campaign, study.screening_percent
    known = [pk for pk in people if pk is not None]
    if wanted is None or campaign.training_pass_percent is None or not known or not training_gold(campaign).exists():
        return set()
    return {
        person
        for person, one in trainings(campaign, known).items()
        if one.n_done >= one.n_total and (100 * one.n_exact < wanted * one.n_scores if one.n_scores else one.gave_back)
    }
