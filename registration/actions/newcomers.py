"""Makes accounts for people who come without one. Whoever calls has checked name and password."""

from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.utils.translation import gettext_noop

from accounts.models import Person

NAME_IS_TAKEN = gettext_noop("Somebody has this name already: choose another.")


class NameTaken(Exception):
    """Somebody else has that user name, perhaps in other letters of either case."""


@dataclass(frozen=True, slots=True)
class Newcomer:
    """What somebody without an account says of themselves."""

    username: str
    password: str
    display_name: str = ""
    email: str = ""


def make_account(newcomer: Newcomer, *, hashed: str, came_by: Person.CameBy) -> Person:
    """Errors: `NameTaken`. Hashing is slow on purpose: do it before the transaction, or SQLite's other writers wait for it."""
    if Person.objects.filter(username__iexact=newcomer.username).exists():
        raise NameTaken
    try:
        with transaction.atomic():
            return Person.objects.create(
                username=newcomer.username,
                password=hashed,
                display_name=newcomer.display_name,
                email=newcomer.email,
                came_by=came_by,
            )
    except IntegrityError as taken:
        raise NameTaken from taken
