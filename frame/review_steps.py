"""What is next for reviewers, adjudicators and experts: how far they are, and where it is done."""

from collections.abc import Collection
from typing import Any

from django.db.models import Count
from django.urls import reverse
from django.utils.translation import gettext as _

from campaigns.models import Campaign, Role
from reviews.models import ReviewPlace

REVIEWING = frozenset({Role.REVIEWER, Role.ADJUDICATOR, Role.EXPERT})


def reviewed_counts(person: Any, campaigns: Collection[Campaign]) -> dict[int, tuple[int, int]]:
    """How many of the person's dialogues are reviewed and how many there are, by campaign: one query for all."""
    own = ReviewPlace.objects.filter(reviewer=person, dialogue__assignment__campaign__in=list(campaigns)).held()
    counted = own.values_list("dialogue__assignment__campaign").annotate(Count("done_at"), Count("pk"))
    return {campaign: (n_done, n_all) for campaign, n_done, n_all in counted}


def words_for_reviewing(
    campaign: Campaign, roles: frozenset[str], n_done: int, n_all: int
) -> tuple[str, str, str, str, int, int]:
    """Title, text, address, act and progress of the step."""
    url = reverse("review-queue", args=[campaign.slug])
    if Role.REVIEWER not in roles:
        text = _("What waits for your decision is listed there.")
        return (_("Decide or vet"), text, url, _("See the list"), 0, 0)
    if n_done < n_all:
        text = _("Systems are shown by alias; neither team nor tester is.")
        return (_("Review the next dialogue"), text, url, _("To the review"), n_done, n_all)
    if campaign.reviewed_by == "nobody":
        return (_("Nothing to review now"), _("In this campaign dialogues are only collected."), "", "", 0, 0)
    if campaign.reviewed_by == "self":
        return (_("Nothing to review now"), _("In this campaign testers score their own dialogues."), "", "", 0, 0)
    title = _("All dialogues are reviewed") if n_all else _("Nothing to review yet")
    return (title, _("New ones appear in your list."), url, _("See the list"), n_done, n_all)
