"""The platform pauses bots that fail in a row, resumes them once a probe is answered, and notes when several fail together.

Nothing here waits for a lock: what cannot be done now is done after the next failure or probe.
"""

from datetime import datetime, timedelta

from django.db.models import Q

from audit.actions import record
from campaigns.actions import pause_failing_bot, resume_answering_bot
from campaigns.models import Campaign, Entry, PausedBy
from dialogues.breaker import (
    FAILURES_IN_A_ROW,
    Failed,
    is_failing,
    pause_after_probe,
    pause_before_probe,
    probes_counted,
)
from dialogues.models import Attempt, Dialogue, Outage, Probe, Turn
from dialogues.trail_acts import FAILED_TOGETHER
from dialogues.turn_taking import TurnStatus
from participants.failures import EVIDENCE_LIMIT, BotFailure, Fault
from participants.outbound import OWN_WAIT_LIMIT_S
from reading.storable import finding_as_logged
from serving.commits.shared_transaction import joining
from serving.commits.statements import Statement

# Of a bot's dialogues those are read in which something can have happened lately.
LOOKED_BACK = timedelta(hours=24)
# Asked after every failure of every bot, so it comes before all that is read through the ORM.
_may_be_paused = Statement(
    f"""
SELECT 1 FROM {Entry._meta.db_table} entry
JOIN {Campaign._meta.db_table} campaign ON campaign.id = entry.campaign_id
WHERE entry.id = %s AND entry.paused_at IS NULL AND campaign.pauses_failing_bots""",
    (Entry, "id"),
)


@joining
def pause_if_failing(*, entry_id: int, at: datetime) -> bool:
    """Pauses the bot if its last calls failed in a row, in more than one dialogue, and its campaign wants that."""
    if _may_be_paused(entry_id).fetchone() is None:
        return False
    entry = Entry.objects.get(pk=entry_id)
    if not entry.can_be_talked_to:
        return False
    since = max(entry.resumed_at or at - LOOKED_BACK, at - LOOKED_BACK)
    lately = Dialogue.objects.filter(assignment__entry=entry_id, origin=Dialogue.Origin.LIVE)
    lately = lately.filter(Q(status="open") | Q(closed_at__gte=since))
    failed = Attempt.objects.filter(
        turn__dialogue__in=lately, outcome=Attempt.Outcome.FAILURE, fault=Fault.BOT, ended_at__gt=since
    )
    failures = list(failed.select_related("turn").order_by("-ended_at", "-pk")[:FAILURES_IN_A_ROW])
    answered = Turn.objects.filter(dialogue__in=lately, status=TurnStatus.ANSWERED).order_by("-settled_at")
    answered_at = answered.values_list("settled_at", flat=True).first()
    if not is_failing([Failed(one.ended_at, one.turn.dialogue_id) for one in failures], answered_at):
        return False
    if not pause_failing_bot(entry_id=entry_id, kind=failures[0].kind, at=at):
        return False
    earlier = Probe.objects.filter(entry=entry).first()
    n_asked = probes_counted(earlier.n_asked, entry.resumed_at, at) if earlier else 0
    planned = {"due_at": at + pause_before_probe(n_asked), "n_asked": n_asked, "asked_at": None}
    Probe.objects.update_or_create(entry=entry, defaults={**planned, "kind": "", "detail": []})
    return True


@joining
def claim_probe(*, entry_id: int, at: datetime) -> bool:
    """Takes a probe that is due: of all server processes one asks. False where it is not due, or nothing is to be asked."""
    probe = Probe.objects.select_for_update(skip_locked=True).filter(entry=entry_id, due_at__lte=at).first()
    if probe is None:
        return False
    # The row stays: how often the bot was asked counts on where it is paused again soon.
    paused = Entry.objects.filter(pk=entry_id, paused_by=PausedBy.PLATFORM, withdrawn_at=None)
    deadline_s = paused.values_list("campaign__reply_deadline_s", flat=True).first()
    if deadline_s is None:
        return False
    probe.n_asked += 1
    longest = timedelta(seconds=deadline_s + OWN_WAIT_LIMIT_S)
    probe.asked_at, probe.due_at = at, at + pause_after_probe(probe.n_asked, longest)
    probe.save(update_fields=["n_asked", "asked_at", "due_at"])
    return True


@joining
def record_probe(*, entry_id: int, failure: BotFailure | None, at: datetime) -> bool:
    """What came of a probe; after an answer the bot can be talked to again, which is the result."""
    if failure is not None:
        detail = finding_as_logged(failure.detail, EVIDENCE_LIMIT).to_json()
        Probe.objects.filter(entry=entry_id).update(kind=failure.kind, detail=detail)
        return False
    return resume_answering_bot(entry_id=entry_id, at=at)


@joining
def note_outage(*, process: str, began_at: datetime, until: datetime) -> Outage:
    """Says that bots fail together, as this process finds; while they go on, `until` moves on."""
    outage, is_new = Outage.objects.update_or_create(process=process, began_at=began_at, defaults={"until": until})
    if is_new:
        record(FAILED_TOGETHER, by=None, at=began_at)
    return outage
