"""Tokens and passwords for the people of a campaign."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from accounts.actions import issue_password, issue_token
from accounts.models import Person
from accounts.passwords.actions import make_password_link
from campaigns.models import Campaign


@transaction.atomic
def issue_tokens(*, campaign: Campaign, by: Person | None = None) -> dict[str, str]:
    """A new API token for each person of the campaign, by user name. Only its hash is stored."""
    return {
        person.username: issue_token(person=person, by=by, campaign=campaign.slug) for person in people_of(campaign)
    }


def issue_passwords(*, campaign: Campaign, by: Person | None = None) -> dict[str, str]:
    """A password for each person of the campaign who has none yet, by user name."""
    without = [person for person in people_of(campaign) if not person.has_usable_password()]
    return {person.username: issue_password(person=person, by=by, campaign=campaign.slug) for person in without}


def issue_password_links(*, campaign: Campaign, at: datetime, by: Person | None = None) -> dict[str, str]:
    """The token of a link that sets a password, for each person who has none yet, by user name."""
    without = [person for person in people_of(campaign) if not person.has_usable_password()]
    return {one.username: make_password_link(person=one, by=by, at=at, campaign=campaign.slug) for one in without}


def people_of(campaign: Campaign) -> Iterable[Person]:
    return Person.objects.filter(campaign_roles__campaign=campaign).distinct().order_by("username")
