"""What can be done with accounts: make one, give it a password or a token, choose how its pages look."""

import secrets
from collections.abc import Mapping

from django.db import transaction
from knox.models import AuthToken

from accounts.models import Person
from accounts.preferences import check_choices


@transaction.atomic
def create_person(*, username: str) -> Person:
    """An account that nobody can log in to before it is given a password or a token."""
    person = Person(username=username)
    person.set_unusable_password()
    person.save()
    return person


def issue_password(*, person: Person) -> str:
    """Gives the person a new password. Only its hash is stored."""
    password = secrets.token_urlsafe(9)
    # Hashing is slow on purpose: inside a transaction, SQLite's other writers would wait for it.
    person.set_password(password)
    person.save(update_fields=["password"])
    return password


@transaction.atomic
def issue_token(*, person: Person) -> str:
    """A new API token beside those that the person has. Only its hash is stored."""
    _, token = AuthToken.objects.create(user=person)
    return token


@transaction.atomic
def revoke_token(*, person: Person, token_key: str) -> bool:
    """Ends the token at once, on open sockets too. False if the person has none that begins so."""
    n_gone, _ = AuthToken.objects.filter(user=person, token_key=token_key).delete()
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
