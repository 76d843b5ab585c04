"""Periodic work for campaigns: recount after a policy change, draw places, hand on expired ones."""

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Count, Max, Q, QuerySet, Sum

from campaigns.actions import note_changed_scores
from campaigns.interests import teams_by_person
from campaigns.models import PANELS_SCORE, Campaign, CampaignRole, Role
from dialogues.models import Dialogue
from reviews.actions.counting import disagreements, mark_counted, policies_of, policy_of, tend_dispute
from reviews.actions.placing import draw_review_places
from reviews.actions.vetting import note_return, return_decided
from reviews.models import ClosedPanel, Dispute, GoldReview, GuideExample, Review, Reviewing, ReviewPlace, Vetting

DIALOGUES_AT_ONCE = 100
PLANNED_EVERY_S = 120
# What was changed in the last seconds still decides, also where no server ran for a night.
COUNTED_AFTER_THE_END = timedelta(days=1)
DRAWN_BY = (
    "reviewers_per_dialogue", "experts_per_dialogue", "gold_every", "training_pass_percent", "reviewed_by",
    "members_may_judge", "judges",
)  # fmt: skip


def tend_reviewing(*, at: datetime, seen: dict[int, Any] | None = None) -> int:
    """Looks after every campaign; gives the number of places drawn. A second process finds nothing left to do.

    `seen` remembers from one time to the next what a campaign looked like when nothing was left to do in it. As long as
    nothing changes, the number of queries does not depend on how many campaigns there are. No places are drawn in one
    that has ended, and what counts stays as it is: who joins a team elsewhere changes none of its figures.
    """
    seen = {} if seen is None else seen
    campaigns = {campaign.pk: campaign for campaign in Campaign.objects.not_ended(at - COUNTED_AFTER_THE_END)}
    counted = dict(Reviewing.objects.filter(campaign__in=campaigns).values_list("campaign", "policy"))
    for pk, policy in policies_of(campaigns.values()).items():
        if counted.get(pk) != policy:
            recount_by_policy(campaign=campaigns[pk], at=at)
    n_drawn = 0
    for pk, looks in looks_of(Campaign.objects.not_ended(at), at).items():
        if pk in campaigns and looks != seen.get(pk):
            n = draw_review_places(campaign=campaigns[pk], at=at)
            n_drawn += n
            seen[pk] = None if n else looks
    return n_drawn


def looks_of(campaigns: QuerySet[Campaign], at: datetime) -> dict[int, Any]:
    """By campaign, a few numbers that change with everything a drawing depends on, so that an idle campaign is not planned again.

    A dialogue that was locked was skipped and may change none of them: every few minutes a plan is made anyway.
    """

    def of_each(rows: Any, campaign: str, **figures: Any) -> dict[int, Any]:
        among = {f"{campaign}__in": campaigns.order_by().values("pk")}
        found = rows.order_by().filter(**among).values_list(campaign).annotate(**figures)
        return {pk: numbers for pk, *numbers in found}

    has_run_out = Q(released_at=None, done_at=None, expires_at__lte=at)
    of_dialogue = "dialogue__assignment__campaign"
    scored = Dialogue.objects.reviewable().filter(gold=None, assignment__campaign__reviewed_by__in=PANELS_SCORE)
    vetted = Vetting.objects.filter(dialogue__assignment__campaign__experts_per_dialogue__gt=0)
    by_campaign = (
        of_each(scored, "assignment__campaign", n=Count("pk"), last=Max("closed_at")),
        of_each(vetted, of_dialogue, n=Count("pk"), last=Max("at")),
        of_each(
            ReviewPlace.objects.all(),
            of_dialogue,
            n=Count("pk"),
            opened=Count("opened_at"),
            done=Count("done_at"),
            released=Count("released_at"),
            run_out=Count("pk", filter=has_run_out),
        ),
        of_each(ClosedPanel.objects.all(), of_dialogue, n=Count("pk"), reopened=Count("reopened_at")),
        of_each(GoldReview.objects.all(), of_dialogue, n=Count("pk"), last=Max("set_at")),
        of_each(Review.objects.filter(part=Review.Part.GOLD), of_dialogue, versions=Sum("version")),
    )
    reviewers: dict[int, set[Any]] = {}
    for pk, *reviewer in CampaignRole.objects.filter(
        role=Role.REVIEWER, campaign__in=campaigns.values("pk")
    ).values_list("campaign", "person", "paused_at"):
        reviewers.setdefault(pk, set()).add(tuple(reviewer))
    settings = list(campaigns.values_list("pk", *DRAWN_BY))
    read = (*by_campaign, reviewers, teams_by_person([pk for pk, *_ in settings]))
    return {pk: (int(at.timestamp()) // PLANNED_EVERY_S, own, [of.get(pk) for of in read]) for pk, *own in settings}


def recount_by_policy(*, campaign: Campaign, at: datetime) -> bool:
    """Recounts the reviews of the campaign if a deciding setting has changed since the last count.

    Dialogues that experts reject by the new settings are returned; examples of the guide wait for no more reviews than are asked for now.
    Stores the settings last: an interrupted recount starts again.
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
    examples = GuideExample.objects.of_campaign(campaign).exclude(panel_size=GuideExample.ASKED_AS_GOLD)
    examples.filter(panel_size__gt=campaign.panel_size).update(panel_size=campaign.panel_size)
    Reviewing.objects.update_or_create(campaign=campaign, defaults={"policy": policy})
    return True


@transaction.atomic
def _recount_some(campaign: Campaign, dialogues: list[Any], at: datetime) -> None:
    """Holds the dialogues in the order of their ids, as every drawing does; the campaign's row comes after all of them."""
    held = Dialogue.objects.filter(pk__in=dialogues).select_for_update(of=("self",)).order_by("pk")
    list(held.values_list("pk", flat=True))
    returned = return_decided(campaign, dialogues, at)
    disputed = Dispute.objects.filter(dialogue__in=dialogues).values_list("dialogue", flat=True)
    for pk in {*disputed, *disagreements(campaign, dialogues)}:
        tend_dispute(Dialogue.objects.with_names().get(pk=pk), at)
    # A return changes boards that count no review: that of pairs.
    if mark_counted(campaign, dialogues) or returned:
        note_changed_scores(campaign=campaign)
    for dialogue in returned:
        note_return(dialogue, at)
