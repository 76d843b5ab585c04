"""Pauses a bot that fails by itself, and lets it go on once it answers: acts of the platform, by nobody."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_noop

from audit.actions import record
from campaigns.acts import BOT_PAUSED, BOT_RESUMED
from campaigns.models import Entry, PausedBy

FAILED_IN_A_ROW = gettext_noop("It failed several times in a row. It is asked again by itself until it answers.")


@transaction.atomic
def pause_failing_bot(*, entry_id: int, kind: str, at: datetime) -> bool:
    """Pauses a bot that nobody has paused; False where it may not be talked to already. `kind` is that of its last failure."""
    entry = _free(entry_id)
    if entry is None or not entry.can_be_talked_to:
        return False
    entry.paused_at, entry.paused_by, entry.paused_because = at, PausedBy.PLATFORM, FAILED_IN_A_ROW
    entry.save(update_fields=["paused_at", "paused_by", "paused_because"])
    details = {"bot": entry.key, "kind": kind}
    record(
        BOT_PAUSED, by=None, at=at, campaign=entry.campaign.slug, about=entry.alias, because=FAILED_IN_A_ROW,
        details=details,
    )  # fmt: skip
    return True


@transaction.atomic
def resume_answering_bot(*, entry_id: int, at: datetime) -> bool:
    """Undoes the pause of the platform; False where somebody else decided about the bot meanwhile."""
    entry = _free(entry_id)
    if entry is None or entry.paused_by != PausedBy.PLATFORM:
        return False
    entry.paused_at, entry.paused_by, entry.resumed_at = None, "", at
    # Of a bot that was withdrawn since, the reason stays.
    entry.paused_because = entry.paused_because if entry.withdrawn_at else ""
    entry.save(update_fields=["paused_at", "paused_by", "paused_because", "resumed_at"])
    record(
        BOT_RESUMED, by=None, at=at, campaign=entry.campaign.slug, about=entry.alias, details={"bot": entry.key}
    )  # fmt: skip
    return True


def _free(entry_id: int) -> Entry | None:
    """The entry, held until the commit; None while somebody else holds it.

    The writer's transaction waits for nobody here: it may hold the trail already, which comes last everywhere else.
    """
    held = Entry.objects.select_for_update(of=("self",), skip_locked=True, no_key=True)
    return held.select_related("campaign").filter(pk=entry_id).first()
