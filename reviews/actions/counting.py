"""Keeps `Review.is_counted`: which reviews are records that rank."""

from collections import defaultdict
from collections.abc import Collection
from typing import Any

from campaigns.actions import note_changed_scores
from campaigns.models import Campaign
from dialogues.models import Dialogue
from dialogues.turn_taking import REVIEWABLE
from reviews.counting_rules import ONE_MORE, Standing, counted_parts, verdict_of_experts
from reviews.models import Dispute, Review, Vetting


def recount(dialogue: Dialogue) -> None:
    """Says anew which reviews of the dialogue (`locked`) count; leaderboards hear of it.

    Comes last in a transaction, since every reviewer of the campaign waits for its row until the commit.
    """
    campaign = dialogue.assignment.campaign
    mark_counted(campaign, [dialogue.pk])
    note_changed_scores(campaign=campaign)


def mark_counted(campaign: Campaign, dialogues: Collection[Any]) -> int:
    """Says anew which reviews of those dialogues, held by the caller, count; gives how many are others than before."""
    parts = {
        pk: counted_parts(campaign.counted_reviews, standing) for pk, standing in standings(campaign, dialogues).items()
    }
    changed: dict[bool, list[int]] = {True: [], False: []}
    reviews = Review.objects.filter(dialogue__in=dialogues)
    for pk, dialogue, part, is_submitted, was_counted in reviews.values_list(
        "pk", "dialogue", "part", "is_submitted", "is_counted"
    ):
        is_counted = is_submitted and part in parts[dialogue]
        if is_counted != was_counted:
            changed[is_counted].append(pk)
    for is_counted, pks in changed.items():
        if pks:
            Review.objects.filter(pk__in=pks).update(is_counted=is_counted)
    return sum(map(len, changed.values()))


def standings(campaign: Campaign, dialogues: Collection[Any]) -> dict[Any, Standing]:
    """What decides which reviews count, for each of the campaign's dialogues: three queries whatever their number."""
    settled = {
        pk: (settled_at, settled_by)
        for pk, settled_at, settled_by in Dispute.objects.filter(dialogue__in=dialogues).values_list(
            "dialogue", "settled_at", "settled_by"
        )
    }
    accepted = acceptances(campaign, dialogues)
    return {
        pk: Standing(
            is_reviewable=status in REVIEWABLE,
            is_accepted=accepted[pk] is True,
            has_open_dispute=pk in settled and settled[pk][0] is None,
            is_settled_by_person=pk in settled and settled[pk][1] is not None,
            keeps_panel=campaign.decisions_count == ONE_MORE,
        )
        for pk, status in Dialogue.objects.filter(pk__in=dialogues).values_list("pk", "status")
    }


def is_accepted(dialogue: Dialogue) -> bool | None:
    """Whether the experts accept the dialogue; None while they have not decided. Without experts everything is accepted."""
    return acceptances(dialogue.assignment.campaign, [dialogue.pk])[dialogue.pk]


def acceptances(campaign: Campaign, dialogues: Collection[Any]) -> dict[Any, bool | None]:
    """Whether the experts accept each of the campaign's dialogues, as `is_accepted` says: one query at most."""
    n_experts = campaign.experts_per_dialogue
    if not n_experts:
        return dict.fromkeys(dialogues, True)
    votes: dict[Any, list[bool]] = defaultdict(list)
    for pk, vote in Vetting.objects.filter(dialogue__in=dialogues).values_list("dialogue", "is_accepted"):
        votes[pk].append(vote)
    return {pk: verdict_of_experts(votes[pk].count(True), votes[pk].count(False), n_experts) for pk in dialogues}
