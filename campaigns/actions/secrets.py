"""Seals the secrets of bots and services anew after a change of the platform's key."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.apps import apps
from django.db import transaction

from accounts.models import Person
from audit.actions import record
from campaigns.acts import SECRETS_RESEALED
from participants.secrets import SecretField, SecretLost


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
