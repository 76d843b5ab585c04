"""What is done for campaigns from time to time: count anew what another policy decides, draw places, hand on what ran out."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Count, Max, Q, Sum

from campaigns.actions import note_changed_scores
from campaigns.models import Campaign, Role
from reviews.actions.counting import mark_counted
from reviews.actions.disputing import disagreements, tend_dispute
from reviews.actions.placing import draw_review_places
from reviews.actions.vetting import return_decided
from reviews.models import ClosedPanel, Dispute, GoldReview, Review, Reviewing, ReviewPlace, Vetting
from reviews.places_seen import panel_dialogues
from reviews.policy import policy_of
from testing_console.models import Dialogue

DIALOGUES_AT_ONCE = 100
PLANNED_EVERY_S = 120


def tend_reviewing(*, at: datetime, seen: dict[int, Any] | None = None) -> int:
    """Looks after every campaign; gives the number of places drawn. A second process finds nothing left to do.

    `seen` remembers from one time to the next what a campaign looked like when nothing was left to do in it.
    """
    seen = {} if seen is None else seen
    n_drawn = 0
    for campaign in Campaign.objects.all():
        recount_by_policy(campaign=campaign, at=at)
        looks = looks_of(campaign, at)
        if looks != seen.get(campaign.pk):
            n = draw_review_places(campaign=campaign, at=at)
            n_drawn += n
            seen[campaign.pk] = None if n else looks
    return n_drawn


def looks_of(campaign: Campaign, at: datetime) -> Any:
    """A few numbers that change with whatever a drawing depends on, so that a campaign at rest is not planned anew.

    A dialogue that somebody held was left out and may change none of them: every few minutes it is planned anyway.
    """
    places = ReviewPlace.objects.of_campaign(campaign)
    has_run_out = Q(released_at=None, done_at=None, expires_at__lte=at)
    return (
        int(at.timestamp()) // PLANNED_EVERY_S,
        panel_dialogues(campaign).aggregate(n=Count("pk"), last=Max("closed_at")),
        places.aggregate(
            n=Count("pk"),
            opened=Count("opened_at"),
            done=Count("done_at"),
            released=Count("released_at"),
            run_out=Count("pk", filter=has_run_out),
        ),
        ClosedPanel.objects.of_campaign(campaign).aggregate(n=Count("pk"), reopened=Count("reopened_at")),
        GoldReview.objects.filter(dialogue__assignment__campaign=campaign).aggregate(n=Count("pk"), last=Max("set_at")),
        Review.objects.filter(part=Review.Part.GOLD, dialogue__assignment__campaign=campaign).aggregate(
            n=Sum("version")
        ),
        sorted(campaign.roles.filter(role=Role.REVIEWER).values_list("person", "paused_at"), key=str),
        (campaign.reviewers_per_dialogue, campaign.gold_every, campaign.training_pass_percent, campaign.reviewed_by),
    )


def recount_by_policy(*, campaign: Campaign, at: datetime) -> bool:
    """Says anew which reviews count, where a setting that decides it is another than when that was last said.

    What experts have decided to return by the new settings is returned. Stores the settings last: whoever is
    interrupted begins again.
    """
    policy = policy_of(campaign)
    reviewing = Reviewing.objects.filter(campaign=campaign).first()
    if reviewing is not None and reviewing.policy == policy:
        return False
    judged = Q(pk__in=Review.objects.values("dialogue")) | Q(pk__in=Vetting.objects.values("dialogue"))
    of_campaign = Dialogue.objects.of_campaign(campaign).filter(judged).order_by("pk")
    dialogues = list(of_campaign.values_list("pk", flat=True))
    for start in range(0, len(dialogues), DIALOGUES_AT_ONCE):
        _recount_some(campaign, dialogues[start : start + DIALOGUES_AT_ONCE], at)
    Reviewing.objects.update_or_create(campaign=campaign, defaults={"policy": policy})
    return True


@transaction.atomic
def _recount_some(campaign: Campaign, dialogues: list[Any], at: datetime) -> None:
    """Holds the dialogues in the order of their ids, as every drawing does; the campaign's row comes after all of them."""
    held = Dialogue.objects.filter(pk__in=dialogues).select_for_update(of=("self",)).order_by("pk")
    list(held.values_list("pk", flat=True))
    return_decided(campaign, dialogues, at)
    disputed = Dispute.objects.filter(dialogue__in=dialogues).values_list("dialogue", flat=True)
    for pk in {*disputed, *disagreements(campaign, dialogues)}:
        tend_dispute(Dialogue.objects.with_names().get(pk=pk), at)
    if mark_counted(campaign, dialogues):
        note_changed_scores(campaign=campaign)
