"""Keeps `Review.is_counted`: which reviews are records that rank."""

from campaigns.actions import note_changed_scores
from reviews.counting_rules import Standing, counted_parts, verdict_of_experts
from reviews.models import Dispute, Review
from testing_console.models import Dialogue
from testing_console.turn_taking import DialogueStatus

REVIEWABLE = (DialogueStatus.COMPLETED, DialogueStatus.UNFINISHED)


def recount(dialogue: Dialogue) -> None:
    """Says anew which reviews of the dialogue (`locked`) count; leaderboards hear of it.

    Comes last in a transaction, since every reviewer of the campaign waits for its row until the commit.
    """
    mark_counted(dialogue)
    note_changed_scores(campaign=dialogue.assignment.campaign)


def mark_counted(dialogue: Dialogue) -> None:
    """Says anew which reviews of the dialogue (`locked`) count; somebody has to tell the leaderboards afterwards."""
    parts = counted_parts(dialogue.assignment.campaign.counted_reviews, standing_of(dialogue))
    counted = Review.objects.filter(dialogue=dialogue, is_submitted=True, part__in=parts)
    Review.objects.filter(dialogue=dialogue, is_counted=True).exclude(pk__in=counted.values("pk")).update(
        is_counted=False
    )
    counted.filter(is_counted=False).update(is_counted=True)


def standing_of(dialogue: Dialogue) -> Standing:
    dispute = Dispute.objects.filter(dialogue=dialogue).first()
    return Standing(
        is_reviewable=dialogue.status in REVIEWABLE,
        is_accepted=is_accepted(dialogue) is True,
        has_open_dispute=dispute is not None and dispute.settled_at is None,
        is_settled_by_person=dispute is not None and dispute.settled_by_id is not None,
    )


def is_accepted(dialogue: Dialogue) -> bool | None:
    """Whether the experts accept the dialogue; None while they have not decided. Without experts everything is accepted."""
    n_experts = dialogue.assignment.campaign.experts_per_dialogue
    if not n_experts:
        return True
    votes = list(dialogue.vettings.values_list("is_accepted", flat=True))
    return verdict_of_experts(votes.count(True), votes.count(False), n_experts)
