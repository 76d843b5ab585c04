"""The rounds of the sentinel: when one is due, what it found, and what an organizer says of a drift."""

from collections import defaultdict
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, Subquery
from django.utils.translation import gettext as _

from accounts.models import Person
from audit.actions import record
from campaigns.models import Campaign, Entry
from campaigns.reasons import reason_or_none
from replays.actions.asking import begin_round
from replays.actions.running import now_of, then_of
from replays.drift import Answers, drift_of
from replays.models import Replay, ReplayState, SentinelRound, Settled
from replays.trail_acts import DRIFT_ACCEPTED, DRIFT_NOTED, SYSTEM_DRIFTED
from serving.refused import Refused

# Of one look: each is a transaction.
LOOKED_AT = 20


class NotDrifting(Refused):
    """There is nothing to settle."""

    code = "not_drifting"

    def __str__(self) -> str:
        return _("This was settled already, or nothing was flagged.")


def due_systems(at: datetime) -> list[Entry]:
    """Systems whose campaigns want rounds and go on, and whose latest round began long enough ago; the longest ago first."""
    wanted = Campaign.objects.filter(sentinel_every_hours__gt=0).filter(Q(ends_at=None) | Q(ends_at__gte=at))
    latest = SentinelRound.objects.filter(entry=OuterRef("pk"))
    found = Entry.objects.with_address().filter(campaign__in=wanted).annotate(
        latest_at=Subquery(latest.values("began_at")[:1])
    )  # fmt: skip
    found = found.exclude(Exists(latest.filter(ended_at=None))).select_related("campaign", "bot")
    return [
        entry
        for entry in found.order_by(F("latest_at").asc(nulls_first=True), "pk")
        if entry.latest_at is None or entry.latest_at + timedelta(hours=entry.campaign.sentinel_every_hours) <= at
    ]


def begin_due_rounds(*, at: datetime) -> int:
    """Begins the rounds that are due; gives how many. None is put off for others: some cannot begin for days, as their calls are used up."""
    return sum(begin_round(entry=entry, at=at) is not None for entry in due_systems(at))


def end_finished_rounds(*, at: datetime) -> int:
    """Ends the rounds whose replays are all over; gives how many."""
    going_on = Replay.objects.under_way().filter(round=OuterRef("pk"))
    over = SentinelRound.objects.filter(ended_at=None).exclude(Exists(going_on))
    return sum(end_round(found=one, at=at) for one in over.select_related("entry__campaign")[:LOOKED_AT])


@transaction.atomic
def end_round(*, found: SentinelRound, at: datetime) -> bool:
    """Stores the drift and flags it beyond the limit, with one line of the trail while it lasts; False where another process did.

    A replay that failed says nothing of drift: its canary is left out.
    """
    if not SentinelRound.objects.filter(pk=found.pk, ended_at=None).update(ended_at=at):
        return False
    found.refresh_from_db()
    samples: dict[UUID, list[Answers]] = defaultdict(list)
    dialogues = {}
    for replay in found.replays.filter(state=ReplayState.DONE).select_related("dialogue"):
        dialogues[replay.dialogue_id] = replay.dialogue
        samples[replay.dialogue_id].append(now_of(replay))
    drift = drift_of([(then_of(dialogues[pk]), answers) for pk, answers in samples.items()])
    if drift is None:
        return True
    found.n_canaries, found.distance = drift.n_canaries, drift.distance
    found.spread, found.drift = drift.spread, drift.drift
    found.is_flagged = drift.is_beyond(found.limit_percent)
    found.save(update_fields=["n_canaries", "distance", "spread", "drift", "is_flagged"])
    if found.is_flagged and not _was_flagged_before(found):
        entry = found.entry
        details = {"bot": entry.key, "percent": round(100 * drift.drift), "limit": found.limit_percent}
        record(SYSTEM_DRIFTED, by=None, at=at, campaign=entry.campaign.slug, about=entry.alias, details=details)
    return True


def _was_flagged_before(found: SentinelRound) -> bool:
    earlier = SentinelRound.objects.filter(
        entry=found.entry_id, drift__isnull=False, began_at__lt=found.began_at
    ).first()
    return earlier is not None and earlier.is_flagged and earlier.settled != Settled.ACCEPTED


@transaction.atomic
def settle_drift(
    *, found: SentinelRound, settled: Settled, because: str, by: Person | None, at: datetime
) -> SentinelRound:
    """Says that the drift is known, or that the system is as it is now: then it is compared with dialogues held since.

    Errors: `NotDrifting`; `ReasonNeeded` where the reason cannot be stored.
    """
    said = reason_or_none(because)
    written = {"settled": settled, "settled_at": at, "settled_by": by, "settled_because": said}
    if not SentinelRound.objects.filter(pk=found.pk, is_flagged=True, settled_at=None).update(**written):
        raise NotDrifting
    found.refresh_from_db()
    entry, done = found.entry, DRIFT_ACCEPTED if settled == Settled.ACCEPTED else DRIFT_NOTED
    details = {"bot": entry.key}
    record(done, by=by, at=at, campaign=entry.campaign.slug, about=entry.alias, because=said, details=details)
    return found
