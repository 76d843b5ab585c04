"""Keeps `Review.is_counted` (which reviews are records that rank), the policy it follows, and the disputes of panels."""

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime
from typing import Any

from accounts.models import Person
from campaigns.actions import note_changed_scores
from campaigns.interests import Interests, teams_by_person
from campaigns.models import Campaign, CampaignRole, Role
from dialogues.models import Dialogue
from dialogues.turn_taking import REVIEWABLE
from reviews.actions.checking import Part
from reviews.counting_rules import ONE_MORE, Standing, counted_parts, distances, verdict_of_experts
from reviews.models import ClosedPanel, Dispute, Rating, Review, Reviewing, ReviewPlace, Vetting
from rubrics.models import Criterion


def policies_of(campaigns: Collection[Campaign]) -> dict[int, dict[str, Any]]:
    """By campaign, in two queries whatever their number."""
    adjudicators: dict[int, list[int]] = {campaign.pk: [] for campaign in campaigns}
    held = CampaignRole.objects.filter(campaign__in=adjudicators, role=Role.ADJUDICATOR)
    for campaign_id, person_id in held.order_by("person").values_list("campaign", "person"):
        adjudicators[campaign_id].append(person_id)
    interests = teams_by_person([campaign for campaign, held_by in adjudicators.items() if held_by])
    return {
        campaign.pk: {
            "counted": campaign.counted_reviews,
            "reviewers": campaign.reviewers_per_dialogue,
            "over": campaign.adjudicated_over,
            "decisions": campaign.decisions_count,
            "experts": campaign.experts_per_dialogue,
            "adjudicators": adjudicators[campaign.pk],
            # Only where they do, so that panels counted before this rule are not recounted.
            **({"programs": True} if campaign.programs_count else {}),
            # Whom an interest bars, and from which teams: another adjudicator may be the first one for a dispute.
            "interests": {
                str(person): [campaign.members_may_judge, *sorted(teams)]
                for person, teams in interests.get(campaign.pk, {}).items()
                if person in adjudicators[campaign.pk]
            },
        }
        for campaign in campaigns
    }


def policy_of(campaign: Campaign) -> dict[str, Any]:
    return policies_of([campaign])[campaign.pk]


def is_counted_by_policy(campaign: Campaign) -> bool:
    """False from a change of the settings until the chore has recounted."""
    reviewing = Reviewing.objects.filter(campaign=campaign).first()
    return reviewing is None or not reviewing.policy or reviewing.policy == policy_of(campaign)


def recount(dialogue: Dialogue) -> None:
    """Recounts the reviews of the dialogue (`locked`) and marks the leaderboard stale.

    Call last in the transaction: every reviewer of the campaign waits for its row until the commit.
    """
    campaign = dialogue.assignment.campaign
    mark_counted(campaign, [dialogue.pk])
    note_changed_scores(campaign=campaign)


def mark_counted(campaign: Campaign, dialogues: Collection[Any]) -> int:
    """Recounts the reviews of those dialogues, held by the caller; gives the number of changes."""
    parts = {
        pk: counted_parts(campaign.counted_reviews, standing) for pk, standing in standings(campaign, dialogues).items()
    }
    changed: dict[bool, list[int]] = {True: [], False: []}
    reviews = Review.objects.filter(dialogue__in=dialogues)
    for pk, dialogue, part, is_submitted, was_counted, kind in reviews.values_list(
        "pk", "dialogue", "part", "is_submitted", "is_counted", "reviewer__kind"
    ):
        may_count = campaign.programs_count or kind == Person.Kind.PERSON
        is_counted = is_submitted and part in parts[dialogue] and may_count
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


def tend_dispute(dialogue: Dialogue, at: datetime) -> None:
    """Brings the dispute of the dialogue (`locked`) in step with its panel.

    It opens with the last of the panel's reviews, where two differ by more than the campaign allows. Without anybody to
    adjudicate it is settled at once, and the mean stands. Where the panel agrees again it is gone, but what a person settled stays.
    """
    dispute = Dispute.objects.filter(dialogue=dialogue).first()
    if dispute is not None and dispute.settled_by_id is not None:
        return
    campaign = dialogue.assignment.campaign
    apart = disagreements(campaign, [dialogue.pk]).get(dialogue.pk)
    if not apart:
        Dispute.objects.filter(dialogue=dialogue).delete()
        return
    waits = has_adjudicator(dialogue)
    if dispute is None:
        dispute = Dispute(dialogue=dialogue, opened_at=at)
    dispute.criteria = apart
    dispute.settled_at = None if waits else dispute.settled_at or at
    dispute.save()


def disagreements(campaign: Campaign, dialogues: Collection[Any]) -> dict[Any, dict[str, int]]:
    """The ratings on which whole panels are too far apart, with the distance in points, by dialogue: three queries.

    Where not all of a panel's reviews are in, there is no disagreement yet, unless an organizer closed the panel.
    """
    if campaign.adjudicated_over is None:
        return {}
    panel = Review.objects.of_panel(campaign).filter(dialogue__in=dialogues)
    scores: dict[Any, dict[int, dict[str, int]]] = defaultdict(dict)
    for review, dialogue in panel.values_list("pk", "dialogue"):
        scores[dialogue][review] = {}
    ratings = Rating.objects.filter(review__in=panel, criterion__kind=Criterion.Kind.SCALE)
    for dialogue, review, key, place, score in ratings.values_list(
        "review__dialogue", "review", "criterion__key", "place", "score"
    ):
        scores[dialogue][review][f"{key}{place}"] = score
    closed = set(ClosedPanel.objects.in_force().filter(dialogue__in=dialogues).values_list("dialogue", flat=True))
    apart = {
        dialogue: distances(reviews.values(), over=campaign.adjudicated_over)
        for dialogue, reviews in scores.items()
        if len(reviews) >= campaign.reviewers_per_dialogue or dialogue in closed
    }
    return {dialogue: criteria for dialogue, criteria in apart.items() if criteria}


def has_adjudicator(dialogue: Dialogue) -> bool:
    """Whether somebody may adjudicate the dialogue who neither talked in it nor scored it, and has no interest in its bot."""
    adjudicators = dialogue.assignment.campaign.roles.filter(role=Role.ADJUDICATOR)
    if dialogue.talker_id is not None:
        adjudicators = adjudicators.exclude(person=dialogue.talker_id)
    in_panel = ReviewPlace.objects.filter(dialogue=dialogue).held().values("reviewer")
    interested = Interests(dialogue.assignment.campaign).barred_from(dialogue.assignment.entry.bot.team_id)
    return adjudicators.exclude(person__in=in_panel).exclude(person__in=interested).exists()


def note_settled(dialogue: Dialogue, review: Review, at: datetime) -> None:
    """The adjudicator's hand-in settles the dispute; undone, the dispute waits again, or is gone with the disagreement."""
    if review.part != Part.ADJUDICATION:
        return
    settled = (
        {"settled_at": at, "settled_by": review} if review.is_submitted else {"settled_at": None, "settled_by": None}
    )
    Dispute.objects.filter(dialogue=dialogue).update(**settled)
