"""What is read for reviewers, adjudicators and experts: one's own scores, and what waits for whom."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import Person
from campaigns.interests import barred_entries
from campaigns.models import Campaign
from dialogues.models import Dialogue, DialogueQuerySet
from reviews.actions.capacities import may_hand_in_again, may_revise
from reviews.actions.drafting import chosen_in
from reviews.actions.submitting import HAND_INS, seconds_to_undo, undo_window_s
from reviews.models import Dispute, Review, ReviewPlace, RevisionRequest, Vetting


def own_scores(dialogue: Dialogue, reviewer: Person, at: datetime) -> dict[str, Any]:
    """The reviewer's choices with where they stand: handed in or not, still to be undone for how long, revisable."""
    review = Review.objects.filter(dialogue=dialogue, reviewer=reviewer).first() or Review()
    is_open = may_revise(dialogue.assignment.campaign)
    return {
        "version": review.version,
        "is_submitted": review.is_submitted,
        "submitted_at": review.submitted_at.isoformat() if review.submitted_at else None,
        "may_be_changed": not review.is_submitted or (is_open and may_hand_in_again(review)),
        "undo_s": undo_s(review, at) if is_open else 0,
        "revision": revision_shown(review),
        "is_draft": review.draft is not None,
        "chosen": chosen_in(review),
    }


def undo_s(review: Review, at: datetime) -> int:
    """The seconds in which the last hand-in can still be undone."""
    if not review.is_submitted:
        return 0
    last = review.changes.filter(version=review.version, kind__in=HAND_INS).first()
    return seconds_to_undo(last.at, at, undo_window_s(review)) if last else 0


def revision_shown(review: Review) -> dict[str, Any] | None:
    """The reviewer's last request for a revision, and what became of it; None where there is none."""
    last = RevisionRequest.objects.filter(review=review).last() if review.pk else None
    if last is None:
        return None
    return {"reason": last.reason, "granted": last.is_granted, "used": last.used_at is not None}


def is_scored() -> Q:
    """Of dialogues: the tester has scored it, or the whole of its panel where only panels score; closed is all where nobody does."""
    panel = Review.objects.filter(dialogue=OuterRef("pk"), part=Review.Part.PANEL, is_submitted=True)
    left = ReviewPlace.objects.to_do().filter(dialogue=OuterRef("pk"), is_gold=False)
    by_panel = Q(Exists(panel), ~Exists(left), assignment__campaign__reviewed_by="panel")
    by_nobody = Q(closed_at__isnull=False, assignment__campaign__reviewed_by="nobody")
    return Q(scored_at__isnull=False) | by_panel | by_nobody


def to_vet(campaign: Campaign, expert: Person) -> DialogueQuerySet:
    """The dialogues on which this expert has not spoken and the experts have not decided, the oldest first."""
    return left_to_vet([campaign], expert).with_names().order_by("closed_at", "pk")


def left_to_vet(campaigns: Iterable[Campaign], expert: Person) -> DialogueQuerySet:
    """The same in several campaigns, in no order."""
    vetted = [campaign for campaign in campaigns if campaign.experts_per_dialogue]
    own = Dialogue.objects.of_tester(expert).values("pk")
    collected = Dialogue.objects.filter(assignment__campaign__in=vetted).reviewable().exclude(pk__in=own)
    collected = collected.exclude(assignment__entry__in=barred_entries(expert))
    spoken = Vetting.objects.filter(expert=expert).values("dialogue")
    return collected.exclude(pk__in=spoken).exclude(pk__in=Vetting.objects.dialogues_accepted_in(*vetted))


def disputes_for(campaigns: Iterable[Campaign], adjudicator: Person) -> QuerySet[Dispute]:
    """Disputes that the person may settle: on dialogues that they neither talked in nor scored, of bots in which they have no interest."""
    # What was declared void since waits for nobody; what was decided stays in the list.
    standing = Q(settled_at__isnull=False) | Q(dialogue__in=Dialogue.objects.reviewable())
    within = Dispute.objects.filter(standing, dialogue__assignment__campaign__in=list(campaigns))
    own = Review.objects.filter(reviewer=adjudicator, is_submitted=True, part__in=["panel", "gold"])
    return (
        within.exclude(dialogue__in=Dialogue.objects.of_tester(adjudicator))
        .exclude(dialogue__in=own.values("dialogue"))
        .exclude(dialogue__assignment__entry__in=barred_entries(adjudicator))
        .select_related("dialogue__assignment__scenario", "dialogue__assignment__entry")
        .order_by("opened_at", "pk")
    )


def open_disputes(campaigns: Iterable[Campaign], adjudicator: Person) -> QuerySet[Dispute]:
    """Those of them that nobody has settled."""
    return disputes_for(campaigns, adjudicator).filter(settled_at=None)
