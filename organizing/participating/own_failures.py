"""The failures of a team's own bot with their evidence, and nothing of the scenario or the tester.

What the bot answered is its own. What it was asked is not shown before transcripts are released: the request stands there with
sizes in the place of every text.
"""

from dataclasses import dataclass
from datetime import datetime

from campaigns.models import Entry
from testing_console.models import Attempt, Dialogue

SHOWN = 100
EVIDENCE_BYTES = 2048


@dataclass(frozen=True, slots=True)
class OwnFailure:
    """`fault` is the one that counts; `n_bytes` are those of the answer as far as it is stored."""

    at: datetime
    kind: str
    fault: str
    status: int | None
    latency_ms: int | None
    detail: str
    answer: str
    n_bytes: int
    turn: int
    n_characters_sent: int


def failures_of(entry: Entry, limit: int = SHOWN) -> list[OwnFailure]:
    """The latest first."""
    failed = Attempt.objects.filter(
        outcome=Attempt.Outcome.FAILURE,
        turn__dialogue__assignment__entry=entry,
        turn__dialogue__origin=Dialogue.Origin.LIVE,
    )
    return [_shown(one) for one in failed.select_related("turn").order_by("-ended_at", "-pk")[:limit]]


def _shown(attempt: Attempt) -> OwnFailure:
    answer = attempt.evidence.encode()
    return OwnFailure(
        at=attempt.ended_at,
        kind=attempt.kind,
        fault=attempt.fault,
        status=attempt.status,
        latency_ms=attempt.latency_ms,
        detail=attempt.detail,
        # A character that is cut in two is left out.
        answer=answer[:EVIDENCE_BYTES].decode(errors="ignore"),
        n_bytes=len(answer),
        turn=attempt.turn.number,
        n_characters_sent=len(attempt.turn.text),
    )
