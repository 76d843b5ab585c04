"""The calls of a bot's last day, read from the dialogues in which something can have happened since."""

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Q

from campaigns.models import Entry
from dialogues.models import Attempt, Dialogue, Turn
from dialogues.turn_taking import TurnStatus
from organizing.participating.health_picture import Call, begin_of
from participants.failures import Fault

# So many calls make the picture; of a bot that was asked more often in a day, the latest.
CALLS_READ = 20_000


def calls_of(entry: Entry, at: datetime) -> Iterator[Call]:
    """Two queries, neither of which reads more than `CALLS_READ` rows."""
    since = begin_of(at)
    lately = Dialogue.objects.filter(assignment__entry=entry, origin=Dialogue.Origin.LIVE)
    lately = lately.filter(Q(status="open") | Q(closed_at__gte=since))
    answered = Turn.objects.filter(dialogue__in=lately, status=TurnStatus.ANSWERED, settled_at__gte=since)
    for settled_at, latency_ms in answered.order_by("-settled_at").values_list("settled_at", "latency_ms")[:CALLS_READ]:
        if settled_at is not None:
            yield Call(settled_at, latency_ms or 0)
    failed = Attempt.objects.filter(
        turn__dialogue__in=lately, outcome=Attempt.Outcome.FAILURE, fault=Fault.BOT, ended_at__gte=since
    )
    for ended_at in failed.order_by("-ended_at").values_list("ended_at", flat=True)[:CALLS_READ]:
        yield Call(ended_at)
