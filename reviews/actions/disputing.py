"""Opens, settles and closes the dispute of a dialogue as the scores of its panel come and change."""

from datetime import datetime

from campaigns.models import Role
from reviews.actions.capacities import Part
from reviews.counting_rules import distances
from reviews.models import Dispute, Rating, Review, ReviewPlace
from rubrics.models import Criterion
from testing_console.models import Dialogue


def tend_dispute(dialogue: Dialogue, at: datetime) -> None:
    """Has the dispute of the dialogue (`locked`) say what its panel says now.

    It opens with the last of the panel's reviews, where two differ by more than the campaign allows. Without anybody to
    adjudicate it is settled at once, and the mean stands. Where the panel agrees again it is gone, but what a person settled stays.
    """
    dispute = Dispute.objects.filter(dialogue=dialogue).first()
    if dispute is not None and dispute.settled_by_id is not None:
        return
    apart = disagreement(dialogue)
    if not apart:
        Dispute.objects.filter(dialogue=dialogue).delete()
        return
    waits = has_adjudicator(dialogue)
    if dispute is None:
        dispute = Dispute(dialogue=dialogue, opened_at=at)
    dispute.criteria = apart
    dispute.settled_at = None if waits else dispute.settled_at or at
    dispute.save()


def disagreement(dialogue: Dialogue) -> dict[str, int]:
    """The ratings on which the whole panel is too far apart, with the distance in points; none until all are in."""
    campaign = dialogue.assignment.campaign
    if campaign.adjudicated_over is None:
        return {}
    panel = Review.objects.filter(dialogue=dialogue, part=Part.PANEL, is_submitted=True)
    if panel.count() < campaign.reviewers_per_dialogue:
        return {}
    scores: dict[int, dict[str, int]] = {}
    ratings = Rating.objects.filter(review__in=panel, criterion__kind=Criterion.Kind.SCALE)
    for review, key, place, score in ratings.values_list("review", "criterion__key", "place", "score"):
        scores.setdefault(review, {})[f"{key}{place}"] = score
    return distances(scores.values(), over=campaign.adjudicated_over)


def has_adjudicator(dialogue: Dialogue) -> bool:
    """Whether somebody may adjudicate the dialogue who neither had it nor scored it."""
    adjudicators = dialogue.assignment.campaign.roles.filter(role=Role.ADJUDICATOR).exclude(person=dialogue.tester_id)
    in_panel = ReviewPlace.objects.filter(dialogue=dialogue).held().values("reviewer")
    return adjudicators.exclude(person__in=in_panel).exists()


def note_settled(dialogue: Dialogue, review: Review, at: datetime) -> None:
    """The adjudicator's hand-in settles the dispute; undone, the dispute waits again, or is gone with the disagreement."""
    if review.part != Part.ADJUDICATION:
        return
    settled = (
        {"settled_at": at, "settled_by": review} if review.is_submitted else {"settled_at": None, "settled_by": None}
    )
    Dispute.objects.filter(dialogue=dialogue).update(**settled)
