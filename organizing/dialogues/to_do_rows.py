"""The rows of the list of assignments to do: since when each waits, for whom, until when."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max

from campaigns.interests import Interests
from campaigns.models import Assignment, Campaign, Role
from dialogues.models import Dialogue, LedgerEvent
from dialogues.pauses import BotPause, bot_pause, too_late_at


@dataclass(frozen=True, slots=True)
class ToDoRow:
    """It waits for its tester, and before for its bot where there is a `pause`; at `until` it is too late to begin it.

    `away_since` is since when its tester pauses, and `away_because` why; `is_barred` that the tester has an interest in the bot.
    """

    assignment: Assignment
    since: datetime
    until: datetime | None
    pause: BotPause | None = None
    away_since: datetime | None = None
    away_because: str = ""
    is_barred: bool = False


def to_do_rows(campaign: Campaign, assignments: Iterable[Assignment], at: datetime) -> list[ToDoRow]:
    """In four queries, whatever their number."""
    found, interests = list(assignments), Interests(campaign)
    again = _stopped_counting(found)
    pauses = campaign.roles.filter(role=Role.TESTER).exclude(paused_at=None)
    away = {
        person: (since, because)
        for person, since, because in pauses.values_list("person", "paused_at", "paused_because")
    }
    return [
        ToDoRow(
            one,
            again.get(one.pk, one.made_at),
            too_late_at(campaign),
            bot_pause(one.entry, campaign, at),
            *away.get(one.tester_id, (None, "")),
            is_barred=interests.bars(one.tester_id, one.entry.bot.team_id),
        )
        for one in found
    ]


def _stopped_counting(assignments: Iterable[Assignment]) -> dict[int, datetime]:
    """When what was said last of each stopped counting: the last line in the ledgers of its dialogues."""
    dialogues = Dialogue.objects.filter(assignment__in=[one.pk for one in assignments if one.started_at])
    events = LedgerEvent.objects.filter(dialogue__in=dialogues).order_by()
    return dict(events.values_list("dialogue__assignment").annotate(last=Max("at")))
