"""Seals the secrets of bots anew after a change of the platform's key."""

from datetime import datetime

from django.db import transaction

from accounts.models import Person
from audit.actions import record
from campaigns.acts import SECRETS_RESEALED
from campaigns.models import Entry


@transaction.atomic
def reseal_secrets(*, by: Person | None, at: datetime) -> tuple[int, list[Entry]]:
    """Seals every secret with the present key; gives how many, and the entries whose secret no key unseals."""
    held = Entry.objects.select_for_update(of=("self",)).exclude(secret="").select_related("campaign", "bot__team")
    entries = list(held.order_by("pk"))
    lost = [entry for entry in entries if entry.has_lost_its_secret()]
    for entry in entries:
        if entry not in lost:
            # Given as plain text, it is sealed on its way into the database, with the first of the keys.
            entry.secret = entry.secret
            entry.save(update_fields=["secret"])
    n_sealed = len(entries) - len(lost)
    record(SECRETS_RESEALED, by=by, at=at, details={"sealed": n_sealed, "lost": len(lost)})
    return n_sealed, lost
