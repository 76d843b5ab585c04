"""The failures of a team's own bot with their evidence, and nothing of the scenario or the tester.

What the bot answered is its own. What it was asked is shown with its texts once the dialogue is released to the team; before, the
request stands there with sizes in the place of every text.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from campaigns.models import Entry
from organizing.participating.own_transcripts import is_released
from participants.adapters import ADAPTERS, BotAddress, BotCall, Context, History, Utterance
from participants.adapters.rebuilding import HIDDEN_SECRET, request_of
from testing_console.models import Attempt, Dialogue, Turn
from testing_console.queries import utterances
from testing_console.turn_taking import TurnStatus

SHOWN = 100
EVIDENCE_BYTES = 2048
NOT_SHOWN = "(not shown)"
# An utterance with the number of its turn.
Said = Mapping[UUID, Sequence[tuple[int, Utterance]]]


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
    curl: str


def failures_of(entry: Entry, limit: int = SHOWN) -> list[OwnFailure]:
    """The latest first. `entry` comes with its campaign."""
    failed = Attempt.objects.filter(
        outcome=Attempt.Outcome.FAILURE,
        turn__dialogue__assignment__entry=entry,
        turn__dialogue__origin=Dialogue.Origin.LIVE,
    )
    named = failed.select_related("turn__dialogue__assignment__scenario").order_by("-ended_at", "-pk")
    listed = list(named[:limit])
    said = _said_in({attempt.turn.dialogue_id for attempt in listed})
    return [_shown(attempt, entry, said) for attempt in listed]


def _said_in(dialogue_ids: set[UUID]) -> Said:
    said: dict[UUID, list[tuple[int, Utterance]]] = defaultdict(list)
    heard = Turn.objects.filter(dialogue__in=dialogue_ids, status=TurnStatus.ANSWERED).order_by("number")
    for dialogue_id, number, text, texts in heard.values_list("dialogue_id", "number", "text", "texts"):
        said[dialogue_id] += [(number, one) for one in utterances(number, text, texts)]
    return said


def _shown(attempt: Attempt, entry: Entry, said: Said) -> OwnFailure:
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
        curl=_curl(attempt.turn, entry, said[attempt.turn.dialogue_id]),
    )


def _curl(turn: Turn, entry: Entry, said: Sequence[tuple[int, Utterance]]) -> str:
    """The request by the address of now; empty where no adapter speaks its protocol."""
    campaign, scenario = entry.campaign, turn.dialogue.assignment.scenario
    before = [one for number, one in said if number < turn.number]
    text, context = turn.text, dict(scenario.context)
    if not is_released(turn.dialogue, campaign):
        before = [Utterance(one.role, sized(one.text)) for one in before]
        text, context = sized(text), {"context": NOT_SHOWN} if context else {}
    call = BotCall(
        bot=BotAddress(entry.protocol, entry.url, HIDDEN_SECRET if entry.has_secret else "", entry.options),
        dialogue=str(turn.dialogue_id),
        turn=turn.number,
        text=text,
        turn_key=f"{turn.dialogue_id}:{turn.number}",
        history=History(before),
        context=Context(context, campaign.context_message),
        language=campaign.language,
        deadline_s=campaign.reply_deadline_s,
    )
    request = request_of(call, ADAPTERS) if entry.url else None
    return request.as_curl if request else ""


def sized(text: str) -> str:
    """What stands for a text that is not released."""
    return f"({len(text)} characters)" if text else ""
