"""Gives the people of a campaign tokens, passwords and links, and reseals stored secrets under a new platform key."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.apps import apps
from django.db import transaction
from django.db.models import QuerySet

from accounts.actions import issue_password, issue_token
from accounts.models import Person
from accounts.passwords.actions import make_password_link
from audit.actions import record
from campaigns.models import Campaign
from campaigns.trail_acts import SECRETS_RESEALED
from participants.secrets import SecretField, SecretLost


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
    """The token of a link that sets a password, for each person who has none yet, by user name. Programs have tokens alone."""
    people = people_of(campaign).exclude(kind=Person.Kind.PROGRAM)
    without = [person for person in people if not person.has_usable_password()]
    return {one.username: make_password_link(person=one, by=by, at=at, campaign=campaign.slug) for one in without}


def people_of(campaign: Campaign) -> QuerySet[Person]:
    return Person.objects.filter(campaign_roles__campaign=campaign).distinct().order_by("username")


@transaction.atomic
def reseal_secrets(*, by: Person | None, at: datetime) -> tuple[int, list[str]]:
    """Seals every secret with the present key; gives how many, and whose secrets no key unseals."""
    n_sealed, lost = 0, list[str]()
    for model, name in sealed_columns():
        held = model.objects.select_for_update(of=("self",)).exclude(**{name: ""}).order_by("pk")
        for row in held:
            try:
                # Given as plain text, it is sealed on its way into the database, with the first of the keys.
                setattr(row, name, getattr(row, name))
            except SecretLost:
                lost.append(row.owner_of_secret)
                continue
            row.save(update_fields=[name])
            n_sealed += 1
    record(SECRETS_RESEALED, by=by, at=at, details={"sealed": n_sealed, "lost": len(lost)})
    return n_sealed, lost


def sealed_columns() -> Iterator[tuple[Any, str]]:
    """The models of any room that hold secrets, with the column. Each row says whose it is: `owner_of_secret`."""
    for model in apps.get_models():
        for column in model._meta.concrete_fields:
            if isinstance(column, SecretField):
                yield model, column.attname
