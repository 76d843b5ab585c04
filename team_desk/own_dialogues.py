"""What a team reads of dialogues with its own bots: transcripts once the campaign releases them, and failures with their evidence.

Neither testers, scores nor verdicts are among it. What a bot answered is its own. What it was asked is shown with its texts once the
dialogue is released to the team; before, the request stands there with sizes in place of every text.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import OuterRef, QuerySet, Subquery
from django.http import Http404

from campaigns.models import Campaign, Entry
from dialogues.models import Attempt, BotState, Dialogue, Turn
from dialogues.queries import utterances
from dialogues.turn_taking import REVIEWABLE, TurnStatus
from participants.adapters import ADAPTERS, BotAddress, BotCall, Context, History, State, Utterance
from participants.adapters.calls import read_again
from participants.adapters.shown_requests import HIDDEN_SECRET, finding_without, shown_request, without_secret
from participants.failures import Wire, wire_of
from participants.models import Team
from reading.findings import Finding

TRANSCRIPTS_SHOWN = 500


def released_to(team: Team, campaign: Campaign) -> QuerySet[Dialogue]:
    """The dialogues that the team may read now; none before the release."""
    if not campaign.releases_transcripts:
        return Dialogue.objects.none()
    own = Dialogue.objects.of_campaign(campaign).reviewable().filter(assignment__entry__bot__team=team)
    return own.select_related("assignment__scenario", "assignment__entry__bot").order_by("closed_at", "pk")


def is_released(dialogue: Dialogue, campaign: Campaign) -> bool:
    """Whether the team may read this dialogue of its own."""
    return campaign.releases_transcripts and dialogue.status in REVIEWABLE


def of_bot(entry: Entry) -> list[Dialogue]:
    return list(released_to(entry.bot.team, entry.campaign).filter(assignment__entry=entry)[:TRANSCRIPTS_SHOWN])


def transcript_for(team: Team | None, campaign: Campaign, dialogue_id: UUID) -> Dialogue:
    """Errors: `Http404` for a dialogue of another team, or one that is open, void or not released."""
    found = released_to(team, campaign).filter(pk=dialogue_id).first() if team else None
    if found is None:
        raise Http404
    return found


SHOWN = 100
EVIDENCE_BYTES = 2048
NOT_SHOWN = "(not shown)"
# An utterance with the number of its turn.
Lines = Mapping[UUID, Sequence[tuple[int, Utterance]]]


@dataclass(frozen=True, slots=True)
class OwnFailure:
    """`fault` is the one that counts; `n_bytes` are those of the answer as far as it is stored."""

    at: datetime
    dialogue: UUID
    kind: str
    fault: str
    status: int | None
    latency_ms: int | None
    what_happened: Finding | None
    answer: str
    n_bytes: int
    turn: int
    n_characters_sent: int
    curl: str
    wire: Wire


def failures_of(entry: Entry, limit: int = SHOWN) -> list[OwnFailure]:
    """The latest first. `entry` comes with its campaign."""
    return shown_failures(entry, failed_calls(entry)[:limit])


def failed_calls(entry: Entry) -> QuerySet[Attempt]:
    """The latest first, with what `shown_failures` reads."""
    failed = Attempt.objects.filter(
        outcome=Attempt.Outcome.FAILURE,
        turn__dialogue__assignment__entry=entry,
        turn__dialogue__origin=Dialogue.Origin.LIVE,
    )
    answered = Turn.objects.filter(dialogue=OuterRef("turn__dialogue"), number__lt=OuterRef("turn__number"))
    last = answered.filter(status=TurnStatus.ANSWERED).order_by("-number").values("pk")[:1]
    named = failed.select_related("turn__dialogue__assignment__scenario").annotate(answered_before=Subquery(last))
    return named.order_by("-ended_at", "-pk")


def shown_failures(entry: Entry, failed: Iterable[Attempt]) -> list[OwnFailure]:
    listed = list(failed)
    lines = _lines_in({attempt.turn.dialogue_id for attempt in listed})
    states, secret = _states_before(listed), entry.secret_to_hide
    return [_shown(attempt, entry, lines, states, secret) for attempt in listed]


def _lines_in(dialogue_ids: set[UUID]) -> Lines:
    lines: dict[UUID, list[tuple[int, Utterance]]] = defaultdict(list)
    heard = Turn.objects.filter(dialogue__in=dialogue_ids, status=TurnStatus.ANSWERED).order_by("number")
    for dialogue_id, number, text, texts in heard.values_list("dialogue_id", "number", "text", "texts"):
        lines[dialogue_id] += [(number, one) for one in utterances(number, text, texts)]
    return lines


def _states_before(attempts: Sequence[Attempt]) -> Mapping[int, State]:
    """The state that the bot gave with its last reply before each attempt, by turn."""
    before = {one.turn_id: one.answered_before for one in attempts}  # type: ignore[attr-defined]
    written = dict(BotState.objects.filter(turn__in=set(before.values())).values_list("turn", "written"))
    return {turn: read_again(written[last]) for turn, last in before.items() if last in written}


def _shown(attempt: Attempt, entry: Entry, lines: Lines, states: Mapping[int, State], secret: str) -> OwnFailure:
    # Not every member of a team knows the secret, which the bot may have repeated.
    answer = without_secret(attempt.evidence, secret).encode()
    state = states.get(attempt.turn_id)
    return OwnFailure(
        at=attempt.ended_at,
        dialogue=attempt.turn.dialogue_id,
        kind=attempt.kind,
        fault=attempt.fault,
        status=attempt.status,
        latency_ms=attempt.latency_ms,
        what_happened=finding_without(attempt.what_happened, secret) if attempt.what_happened else None,
        # A character that is cut in two is left out.
        answer=answer[:EVIDENCE_BYTES].decode(errors="ignore"),
        n_bytes=len(answer),
        turn=attempt.turn.number,
        n_characters_sent=len(attempt.turn.text),
        curl=_curl(attempt.turn, entry, lines[attempt.turn.dialogue_id], state, secret),
        wire=wire_of(attempt.wire),
    )


def _curl(turn: Turn, entry: Entry, lines: Sequence[tuple[int, Utterance]], state: State, secret: str) -> str:
    """The request to today's address; empty where no adapter speaks its protocol."""
    campaign, scenario = entry.campaign, turn.dialogue.assignment.scenario
    before = [one for number, one in lines if number < turn.number]
    text, context = turn.text, scenario.given_to_bots(campaign)
    if not is_released(turn.dialogue, campaign):
        before = [Utterance(one.role, sized(one.text)) for one in before]
        # Bots keep what was said in their states.
        text, context, state = sized(text), {"context": NOT_SHOWN} if context else {}, sized_state(state)
    # A secret that the platform can no longer read stands there masked, too.
    sent = secret or (HIDDEN_SECRET if entry.has_secret else "")
    call = BotCall(
        bot=BotAddress(entry.protocol, entry.reached_at, sent, entry.options),
        dialogue=str(turn.dialogue_id),
        turn=turn.number,
        text=text,
        turn_key=f"{turn.dialogue_id}:{turn.number}",
        history=History(before, state),
        context=Context(context, campaign.context_message),
        language=campaign.language,
        deadline_s=campaign.reply_deadline_s,
    )
    request = shown_request(call, ADAPTERS) if entry.has_address else None
    return request.as_curl if request else ""


def sized_state(state: State) -> State:
    """The state with its fields, and sizes in place of every text below them, keys among them."""
    return {name: _sized(one) for name, one in state.items()} if isinstance(state, dict) else _sized(state)


def _sized(value: Any) -> Any:
    if isinstance(value, dict):
        return {sized(name): _sized(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_sized(one) for one in value]
    return sized(value) if isinstance(value, str) else value


def sized(text: str) -> str:
    """The stand-in for a text that is not released."""
    return f"({len(text)} characters)" if text else ""
