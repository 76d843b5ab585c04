"""What is next for reviewers, adjudicators and experts: how far they are, and where it is done."""

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

from django.db.models import Count
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.interests import barred_entries
from campaigns.models import Campaign, Role
from frame.step import Step
from reviews.models import ReviewPlace
from reviews.queries import left_to_vet, open_disputes

DECIDING = frozenset({Role.ADJUDICATOR, Role.EXPERT})
REVIEWING = DECIDING | {Role.REVIEWER}


def reviewed_counts(person: Any, campaigns: Collection[Campaign]) -> dict[int, tuple[int, int]]:
    """How many of the person's dialogues are reviewed and how many there are, by campaign: one query for all."""
    own = ReviewPlace.objects.filter(reviewer=person, dialogue__assignment__campaign__in=list(campaigns)).held()
    own = own.exclude(dialogue__assignment__entry__in=barred_entries(person))
    counted = own.values_list("dialogue__assignment__campaign").annotate(Count("done_at"), Count("pk"))
    return {campaign: (n_done, n_all) for campaign, n_done, n_all in counted}


def waiting_counts(person: Any, places: Mapping[Campaign, frozenset[str]]) -> Counter[int]:
    """How many decisions and vettings wait for the person, by campaign: one query each for all."""
    disputed = open_disputes([one for one, roles in places.items() if Role.ADJUDICATOR in roles], person)
    to_vet = left_to_vet([one for one, roles in places.items() if Role.EXPERT in roles], person)
    by_campaign: Counter[int] = Counter()
    for waiting, campaign in ((disputed, "dialogue__assignment__campaign"), (to_vet, "assignment__campaign")):
        by_campaign.update(dict(waiting.order_by().values_list(campaign).annotate(Count("pk"))))
    return by_campaign


def reviewing_steps(
    campaign: Campaign, roles: frozenset[str], reviewed: tuple[int, int] = (0, 0), n_waiting: int = 0
) -> list[Step]:
    """What the reviewing roles ask for; a decision that waits comes after the person's own reviews."""
    steps = [_to_review(campaign, *reviewed)] if Role.REVIEWER in roles else []
    if n_waiting or not steps:
        steps.append(_to_decide(campaign, n_waiting))
    return steps


def _to_review(campaign: Campaign, n_done: int, n_all: int) -> Step:
    url = reverse("review-queue", args=[campaign.slug])
    if n_done < n_all:
        text = _("Systems are shown by alias; neither team nor tester is.")
        return Step(_("Review the next dialogue"), text, url, _("To the review"), n_done, n_all)
    if campaign.reviewed_by == "nobody":
        text = _("In this campaign dialogues are only collected.")
        return Step(_("Nothing to review now"), text, to_do=False)
    if campaign.reviewed_by == "self":
        text = _("In this campaign testers score their own dialogues.")
        return Step(_("Nothing to review now"), text, to_do=False)
    title = _("All dialogues are reviewed") if n_all else _("Nothing to review yet")
    return Step(title, _("New ones appear in your list."), url, _("See the list"), n_done, n_all, to_do=False)


def _to_decide(campaign: Campaign, n_waiting: int) -> Step:
    url = reverse("review-queue", args=[campaign.slug])
    if not n_waiting:
        text = _("Dialogues that wait for your decision appear in your list.")
        return Step(_("Nothing to decide now"), text, url, _("See the list"), to_do=False)
    text = ngettext("%(n)d decision waits for you.", "%(n)d decisions wait for you.", n_waiting) % {"n": n_waiting}
    return Step(_("Decide or vet"), text, url, _("See the list"))
