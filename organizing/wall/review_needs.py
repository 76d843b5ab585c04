"""What of a campaign's reviewing waits for a person: panels, disputes, requests, experts, reviewers who do nothing."""

from collections import defaultdict
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Count, Max, Min, Q
from django.db.models.functions import Coalesce

from campaigns.calendar import Doing, is_open
from campaigns.interests import Interests
from campaigns.models import Campaign, Role
from dialogues.models import Dialogue, DialogueQuerySet
from organizing.wall.counting import first_of
from organizing.wall.waiting import NOTHING, PersonInNeed, Waiting
from reviews.models import Dispute, ReviewPlace, RevisionRequest, Vetting
from reviews.panel_survey import short_panels

# A reviewer who has dialogues to score and did nothing for so long is named.
IDLE_AFTER = timedelta(days=1)


def requests(campaign: Campaign) -> Waiting:
    """Requests to revise scores that nobody has answered."""
    asked = RevisionRequest.objects.filter(review__dialogue__assignment__campaign=campaign, is_granted=None)
    return first_of(asked, "asked_at")


def disputes(campaign: Campaign) -> Waiting:
    reviewable = Dialogue.objects.of_campaign(campaign).reviewable()
    return first_of(Dispute.objects.filter(dialogue__in=reviewable, settled_at=None), "opened_at")


def short(campaign: Campaign, at: datetime) -> Waiting:
    """Panels that lack a reviewer whom nobody can replace."""
    if not campaign.panels_score:
        return NOTHING
    found = short_panels(campaign, at)
    return Waiting(len(found), found[0].since) if found else NOTHING


def unvetted(campaign: Campaign, at: datetime) -> Waiting:
    """Dialogues on which the experts have not decided, while they can."""
    if not campaign.experts_per_dialogue or not is_open(campaign, Doing.REVIEW, at):
        return NOTHING
    return first_of(_undecided(campaign), "closed_at")


def _undecided(campaign: Campaign) -> DialogueQuerySet:
    collected = Dialogue.objects.of_campaign(campaign).reviewable()
    return collected.exclude(pk__in=Vetting.objects.dialogues_accepted_in(campaign))


def fewest_experts(campaign: Campaign, interests: Interests) -> int:
    """How many experts there are for the undecided dialogue that has the fewest: those who assessed it, and those who may.

    An expert assesses neither a dialogue that they talked in nor a system in which they have an interest.
    """
    if not campaign.experts_per_dialogue:
        return 0
    undecided = _undecided(campaign)
    experts = set(interests.judging(Role.EXPERT).values_list("person", flat=True))
    given: dict[UUID, set[int]] = defaultdict(set)
    for dialogue, expert in Vetting.objects.filter(dialogue__in=undecided).values_list("dialogue", "expert"):
        given[dialogue].add(expert)
    fewest = len(experts)
    of_each = undecided.values_list("pk", "tester", "origin", "assignment__entry__bot__team")
    for dialogue, tester, origin, team in of_each.iterator():
        talker = tester if origin == Dialogue.Origin.LIVE else None
        may_assess = {one for one in experts if one != talker and not interests.bars(one, team)}
        fewest = min(fewest, len(may_assess | given[dialogue]))
    return fewest


def n_experts_needed(campaign: Campaign) -> int:
    """How many experts assess a dialogue before it is accepted or returned."""
    return campaign.experts_per_dialogue


def idle_reviewers(campaign: Campaign, at: datetime) -> list[PersonInNeed]:
    """Reviewers who for a day have had dialogues to score, and opened or scored none; nobody before review is open.

    What is drawn for them meanwhile is no work of theirs: since when counts from the first dialogue that waits, and not from
    before review is open.
    """
    if not campaign.panels_score or not is_open(campaign, Doing.REVIEW, at):
        return []
    at_work = campaign.roles.at_work().filter(role=Role.REVIEWER).values("person")
    places = ReviewPlace.objects.of_campaign(campaign).held().filter(reviewer__in=at_work).order_by()
    is_left = Q(done_at=None)
    rows = places.values_list("reviewer__username").annotate(
        n_left=Count("pk", filter=is_left),
        waits_since=Min("drawn_at", filter=is_left),
        acted_at=Max(Coalesce("done_at", "opened_at")),
    )
    found = [
        PersonInNeed(username, max(since, acted_at or since, campaign.review_from or since), n=n_left)
        for username, n_left, since, acted_at in rows.filter(n_left__gt=0)
    ]
    return sorted((one for one in found if one.since < at - IDLE_AFTER), key=lambda one: (one.since, one.username))
