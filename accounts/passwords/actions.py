"""What can be done without knowing a password: make a link for somebody, and set a new password by it."""

from datetime import datetime, timedelta

from django.contrib.auth.hashers import make_password
from django.db import transaction

from accounts.link_tokens import LinkUnusable, Unusable, digest_of, new_token
from accounts.models import OneTimeLink, Person
from accounts.trail_acts import PASSWORD_LINK_MADE, PASSWORD_MAIL_ORDERED, PASSWORD_SET
from audit.actions import record

HANDED_OVER_FOR = timedelta(days=3)
MAILED_FOR = timedelta(hours=1)
# Repeated requests in somebody's name must not flood their mailbox.
MAILS_PER_HOUR = 3


@transaction.atomic
def make_password_link(*, person: Person, by: Person | None, at: datetime, campaign: str = "") -> str:
    """The token of a new link that somebody hands over; it can be read only here. Older links stay usable until one is used."""
    token = _new_link(person, by, at, at + HANDED_OVER_FOR)
    record(PASSWORD_LINK_MADE, by=by, at=at, campaign=campaign, about=person.username)
    return token


@transaction.atomic
def make_mailed_link(*, person: Person, at: datetime) -> str | None:
    """The token of a link that the person asked for by mail; None where they have got enough of them in the last hour."""
    # One after the other: of requests at the same time, none overlooks what the other made.
    Person.objects.select_for_update(no_key=True).values_list("pk").get(pk=person.pk)
    recent = OneTimeLink.objects.filter(person=person, made_by=None, made_at__gt=at - timedelta(hours=1))
    if recent.count() >= MAILS_PER_HOUR:
        return None
    token = _new_link(person, None, at, at + MAILED_FOR)
    record(PASSWORD_MAIL_ORDERED, by=None, at=at, about=person.username)
    return token


def _new_link(person: Person, by: Person | None, at: datetime, expires_at: datetime) -> str:
    token = new_token()
    OneTimeLink.objects.create(
        digest=digest_of(token), person=person, made_by=by, made_at=at, expires_at=expires_at, reach=reach_of(person)
    )
    return token


def reach_of(person: Person) -> list[str]:
    """What the person can do: each role with its campaign, and whether the whole site is theirs."""
    # By the name of the relation: the rooms of campaigns are above this one.
    held = person.campaign_roles.order_by("campaign", "role").values_list("campaign", "role")
    of_site = [name for name in ("is_staff", "is_superuser") if getattr(person, name)]
    return [*(f"{role} {campaign}" for campaign, role in held), *of_site]


def has_grown_since(link: OneTimeLink) -> bool:
    """Whether the person can do more by now than when the link was made: who was given it then is not trusted with that."""
    return link.reach is not None and not set(reach_of(link.person)) <= set(link.reach)


def password_link_of(token: str, at: datetime) -> OneTimeLink:
    """The link with that token. Errors: `LinkUnusable`."""
    of_passwords = OneTimeLink.objects.filter(purpose=OneTimeLink.Purpose.PASSWORD)
    link = of_passwords.select_related("person").filter(digest=digest_of(token)).first()
    if link is None or not link.person.is_active:
        raise LinkUnusable(Unusable.UNKNOWN)
    if link.used_at is not None:
        raise LinkUnusable(Unusable.USED)
    if link.ended_at is not None or has_grown_since(link):
        raise LinkUnusable(Unusable.WITHDRAWN)
    if link.expires_at <= at:
        raise LinkUnusable(Unusable.EXPIRED)
    return link


def set_password_by_link(*, token: str, password: str, at: datetime) -> Person:
    """Sets the password of the person whom the link is for, and uses it up; all logins of the person end.

    Their API tokens end, too, since an intruder may have made some. A first password ends none.

    The caller has checked the password (`django.contrib.auth.password_validation`).
    Errors: `LinkUnusable`.
    """
    link = password_link_of(token, at)
    # Hashing is slow on purpose: inside a transaction, SQLite's other writers would wait for it.
    hashed = make_password(password)
    with transaction.atomic():
        # The person comes first: two links of one person, used at once, would wait for each other for ever.
        person = Person.objects.select_for_update(no_key=True).get(pk=link.person_id)
        # Asked once more: a role may have been given while the password was hashed.
        password_link_of(token, at)
        if not OneTimeLink.objects.usable(at).filter(pk=link.pk).update(used_at=at):
            raise LinkUnusable(Unusable.USED)
        OneTimeLink.objects.filter(person=person, used_at=None, ended_at=None).update(ended_at=at)
        n_tokens = person.valid_tokens(at).delete()[0] if person.has_usable_password() else 0
        # Sessions and sockets hold the hash of the password that they began with: with another one they end.
        person.password = hashed
        person.save(update_fields=["password"])
        record(PASSWORD_SET, by=person, at=at, about=person.username, details={"tokens": n_tokens})
    return person
