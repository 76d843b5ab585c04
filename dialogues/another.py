"""What a tester can do instead, where a bot fails or pauses: the next of their assignments, or another bot of their choice."""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Count, Q

from accounts.models import Person
from campaigns.interests import barred_entries
from campaigns.models import Campaign, Entry
from dialogues.models import Dialogue
from dialogues.progress import TO_DO, AssignmentRow


def another_assignment(rows: Sequence[AssignmentRow], dialogue: Dialogue) -> AssignmentRow | None:
    """The first in the drawn order that can be begun with another bot; with the same one where there is no other."""
    left = [row for row in rows if row.state == TO_DO and row.assignment.pk != dialogue.assignment_id]
    entry_id = dialogue.assignment.entry_id
    return next((row for row in left if row.assignment.entry_id != entry_id), left[0] if left else None)


def another_bot(campaign: Campaign, tester: Person, dialogue: Dialogue, at: datetime) -> Entry | None:
    """Where testers choose: the bot that this tester had least of, then the one that all had least of."""
    if not campaign.free_choice:
        return None
    # Joins pass the managers by: practice is left out by hand.
    tested, own = Q(assignments__is_practice=False), Q(assignments__tester=tester)
    others = campaign.entries.offered(campaign, at).exclude(pk=dialogue.assignment.entry_id)
    others = others.exclude(pk__in=barred_entries(tester))
    counted = others.annotate(n_own=Count("assignments", filter=tested & own), n=Count("assignments", filter=tested))
    return counted.order_by("n_own", "n", "alias").first()


def has_another(
    rows: Sequence[AssignmentRow], campaign: Campaign, tester: Person, dialogue: Dialogue, at: datetime
) -> bool:
    return (another_assignment(rows, dialogue) or another_bot(campaign, tester, dialogue, at)) is not None
