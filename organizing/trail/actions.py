"""Notes that somebody takes lines of the trail out of the platform."""

from datetime import datetime

from django.db import transaction

from accounts.models import Person
from audit.actions import record
from leaderboards.acts import EXPORTED


@transaction.atomic
def note_trail_export(*, campaign: str, by: Person, at: datetime, format: str) -> None:
    """`campaign` is empty for the whole trail."""
    record(EXPORTED, by=by, at=at, campaign=campaign, about="trail", details={"format": format})
