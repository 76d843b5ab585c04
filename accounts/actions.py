"""What can be done with accounts: make one, give it a password or a token, choose how its pages look."""

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import ApiToken, OneTimeLink, Person
from accounts.preferences import check_choices
from accounts.scopes import WHOLE, Scope
from accounts.trail_acts import (
    DETAILS_CHANGED,
    PASSWORD_CHANGED,
    PASSWORD_ISSUED,
    SITE_GIVEN,
    SITE_TAKEN,
    TOKEN_ISSUED,
    TOKEN_REVOKED,
)
from audit.actions import record
from serving.refused import Refused

TOKEN_LASTS = timedelta(days=30)
USED_EVERY = timedelta(hours=1)
NOTHING: Mapping[str, object] = {}


@transaction.atomic
def create_person(*, username: str) -> Person:
    """An account without a way in until it is given a password or a token."""
    person = Person(username=username)
    person.set_unusable_password()
    person.save()
    return person


@transaction.atomic
def create_people(*, people: Sequence[Person]) -> None:
    """Stores new accounts, without a password."""
    for person in people:
        person.set_unusable_password()
    Person.objects.bulk_create(people, batch_size=500)


def vouch_for(*, person: Person, came_by: Person.CameBy) -> None:
    """Stores who answers from now on for an account whose owner chose its name; an invitation adds nothing to an organizer."""
    if person.came_by != Person.CameBy.ORGANIZER:
        person.came_by = came_by
        person.save(update_fields=["came_by"])


def issue_password(*, person: Person, by: Person | None = None, campaign: str = "") -> str:
    """Gives the person a new password; `campaign` is for whose sake. Only its hash is stored."""
    password = secrets.token_urlsafe(9)
    # Hashing is slow on purpose: inside a transaction, SQLite's other writers would wait for it.
    person.set_password(password)
    with transaction.atomic():
        person.save(update_fields=["password"])
        record(PASSWORD_ISSUED, by=by, campaign=campaign, about=person.username)
    return password


@transaction.atomic
def store_password(*, person: Person, by: Person | None, tokens: QuerySet[ApiToken] | None = None) -> int:
    """Stores the password that `person.set_password` has hashed: that is slow, and comes before the transaction.

    Those `tokens` end with the former password, on open sockets too; gives how many.
    """
    person.save(update_fields=["password"])
    OneTimeLink.objects.filter(person=person, used_at=None, ended_at=None).update(ended_at=timezone.now())
    n_tokens = 0 if tokens is None else tokens.delete()[0]
    record(PASSWORD_CHANGED, by=by, about=person.username, details={"tokens": n_tokens})
    return n_tokens


@transaction.atomic
def issue_token(
    *,
    person: Person,
    name: str = "",
    scope: Scope = WHOLE,
    lasts: timedelta = TOKEN_LASTS,
    by: Person | None = None,
    campaign: str = "",
) -> str:
    """A new API token beside those that the person has; `campaign` is for whose sake. Only its hash is stored."""
    return issue_token_row(person=person, name=name, scope=scope, lasts=lasts, by=by, campaign=campaign).token


class Issued(NamedTuple):
    """The row of a token, and what its program sends: that is stored nowhere."""

    stored: ApiToken
    token: str


@transaction.atomic
def issue_token_row(
    *,
    person: Person,
    name: str,
    scope: Scope = WHOLE,
    lasts: timedelta,
    by: Person | None,
    campaign: str = "",
    is_of_log_in: bool = False,
    beside: Mapping[str, object] = NOTHING,
) -> Issued:
    """As `issue_token`, for callers that also need the row; `beside` holds further details for the line in the trail."""
    told = {"name": name, "role": scope.role, "campaign": scope.campaign}
    issued = Issued(*ApiToken.objects.create(user=person, expiry=lasts, is_of_log_in=is_of_log_in, **told))
    details = {"token_key": issued.stored.token_key, **told, **beside}
    record(TOKEN_ISSUED, by=by, campaign=campaign or scope.campaign, about=person.username, details=details)
    return issued


def lasting(n_days: int) -> timedelta:
    """As long as is asked for, at most as long as the site lets a token last."""
    return timedelta(days=min(n_days, settings.TOKEN_DAYS_AT_MOST))


def note_token_use(*, token: ApiToken, at: datetime) -> None:
    """Notes when the token was used, once per hour at most: a busy program costs no write per request."""
    if token.used_at is not None and at - token.used_at < USED_EVERY:
        return
    with transaction.atomic():
        ApiToken.objects.filter(pk=token.pk).update(used_at=at)


@transaction.atomic
def revoke_token(*, person: Person, token_key: str, by: Person | None = None) -> bool:
    """Ends the token at once, on open sockets too. False if the person has none that begins so."""
    n_gone, _ = ApiToken.objects.filter(user=person, token_key=token_key).delete()
    if n_gone:
        record(TOKEN_REVOKED, by=by, about=person.username, details={"token_key": token_key})
    return n_gone > 0


@transaction.atomic
def choose_preferences(*, person: Person, chosen: Mapping[str, str]) -> Person:
    """Stores the `language`, the `theme` or both; what is not among the choices stays as it was.

    Errors: `UnknownChoice`; then nothing is stored.
    """
    check_choices(chosen)
    for name, choice in chosen.items():
        setattr(person, name, choice)
    person.save(update_fields=list(chosen))
    return person


@transaction.atomic
def change_details(*, person: Person, display_name: str, email: str, by: Person | None, at: datetime) -> bool:
    """False where both are what they were. The caller has checked the address."""
    if (person.display_name, person.email) == (display_name, email):
        return False
    person.display_name, person.email = display_name, email
    person.save(update_fields=["display_name", "email"])
    record(DETAILS_CHANGED, by=by, at=at, about=person.username)
    return True


class LastSiteOrganizer(Refused):
    code = "last_of_the_site"

    def __str__(self) -> str:
        return _("The site would have no organizer left: make somebody else one first.")


class NoSuchAccount(Refused):
    code = "no_such_account"

    def __str__(self) -> str:
        return _("There is no such account, or it may not log in.")


@transaction.atomic
def make_site_organizer(*, username: str, by: Person | None, at: datetime) -> Person:
    """Makes the account an organizer of the site; one that is already stays so. Errors: `NoSuchAccount`."""
    person = Person.objects.select_for_update().filter(username=username, is_active=True, erased_at=None).first()
    if person is None:
        raise NoSuchAccount
    if not person.is_staff:
        person.is_staff = True
        person.save(update_fields=["is_staff"])
        record(SITE_GIVEN, by=by, at=at, about=person.username)
    return person


@transaction.atomic
def remove_site_organizer(*, person: Person, by: Person | None, at: datetime) -> None:
    """Ends all log-ins of the person, too, and the tokens that may do whatever they may; roles in campaigns stay.

    Errors: `LastSiteOrganizer`.
    """
    # All rows in one order: of two who remove each other at once, the second finds that nobody else is left.
    staff = list(Person.objects.select_for_update().filter(is_staff=True, is_active=True).order_by("pk"))
    if not [one for one in staff if one.pk != person.pk]:
        raise LastSiteOrganizer
    if person not in staff:
        return
    Person.objects.filter(pk=person.pk).update(is_staff=False, is_superuser=False)
    n_sessions = Session.objects.filter(log_in__in=person.log_ins.all()).delete()[1].get("sessions.Session", 0)
    n_tokens, _by_model = ApiToken.objects.filter(user=person, role="", campaign="").delete()
    details = {"sessions": n_sessions, "tokens": n_tokens}
    record(SITE_TAKEN, by=by, at=at, about=person.username, details=details)
