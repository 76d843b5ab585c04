"""Removes what people wrote once a campaign has kept it as long as it says, beside the pages."""

from django.utils import timezone

from privacy.actions.retention import LOOK_EVERY_S, remove_due_texts
from serving.database_threads import look_again_and_again


async def keep_retention() -> None:
    await look_again_and_again(lambda: len(remove_due_texts(at=timezone.now())), every_s=LOOK_EVERY_S, name="retention")
