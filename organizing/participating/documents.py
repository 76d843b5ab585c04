"""Bots, health, agreement, packages and failures as the API gives them."""

from dataclasses import asdict
from typing import Any, TypedDict, cast

from django.utils import timezone

from campaigns.stages import way_of
from dialogues.models import Dialogue
from organizing.participating.dial_keys import ConnectionDocument, connection_document
from organizing.participating.own_bots import Answers, OwnBot
from organizing.participating.own_failures import OwnFailure
from organizing.wires import WireDocument, wire_document
from reading.json_schemas import Id, Moment
from registration.models import Acceptance, Agreement, DataPackage


class AnswersDocument(TypedDict):
    answered: int
    failed: int
    by_kind: dict[str, int]
    failed_by_others: int
    p50_ms: int | None
    p95_ms: int | None


class HealthDocument(TypedDict):
    last_24_h: AnswersDocument
    in_all: AnswersDocument


class BotDocument(TypedDict):
    id: int
    name: str
    protocol: str
    url: str
    parallel: int
    options: dict[str, Any]
    has_secret: bool
    registered_at: Moment | None
    state: str
    since: Moment | None
    because: str
    next: str
    stage: str
    stage_since: Moment | None
    stage_because: str
    stage_next: str
    stage_actor: str
    submitted_at: Moment | None
    returned_because: str
    green_at: Moment | None
    connection: ConnectionDocument | None
    health: HealthDocument


class OwnFailureDocument(TypedDict):
    at: Moment
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
    wire: WireDocument


class TextInBoth(TypedDict):
    zh: str
    en: str


class AgreementDocument(TypedDict):
    version: int
    text: TextInBoth
    written_at: Moment
    accepted_by: str | None
    accepted_at: Moment | None


class PackageDocument(TypedDict):
    id: int
    file_name: str
    about: str
    size: int
    sha256: str
    uploaded_at: Moment


class OwnDialogueDocument(TypedDict):
    """`bot` is the id of the team's bot."""

    id: Id
    bot: int
    scenario: str
    turns: int
    closed_at: Moment


class SaidDocument(TypedDict):
    turn: int
    text: str
    texts: list[str]
    latency_ms: int | None


class OwnTranscriptDocument(OwnDialogueDocument):
    said: list[SaidDocument]


class KeyAnswer(TypedDict):
    key: str


class TeamDocument(TypedDict):
    name: str
    name_en: str
    agreement: AgreementDocument | None
    bots: list[BotDocument]
    packages: list[PackageDocument]


def bot_document(bot: OwnBot) -> BotDocument:
    """Without the secret, whoever asks, and without the alias: a team does not know under which one testers meet its bot."""
    entry, state = bot.entry, bot.state
    way = way_of(entry, entry.campaign, timezone.now())
    return {
        "id": entry.pk,
        "name": entry.bot.name,
        "protocol": entry.protocol,
        "url": entry.url,
        "options": entry.options,
        "parallel": entry.parallel,
        "has_secret": entry.has_secret,
        "registered_at": entry.registered_at.isoformat() if entry.registered_at else None,
        "state": state.key,
        "since": state.since.isoformat() if state.since else None,
        "because": state.because,
        "next": state.next,
        "connection": connection_document(entry, timezone.now()),
        "stage": way.key,
        "stage_since": way.since.isoformat() if way.since else None,
        "stage_because": way.because,
        "stage_next": way.next,
        "stage_actor": str(way.actor),
        "submitted_at": entry.submitted_at.isoformat() if entry.submitted_at else None,
        "returned_because": entry.returned_because,
        "green_at": entry.green_at.isoformat() if entry.green_at else None,
        "health": {"last_24_h": answers_document(bot.health.lately), "in_all": answers_document(bot.health.ever)},
    }


def answers_document(answers: Answers) -> AnswersDocument:
    return {
        "answered": answers.n_answered,
        "failed": answers.n_failed,
        "by_kind": dict(answers.by_kind),
        "failed_by_others": answers.n_of_others,
        "p50_ms": answers.p50_ms,
        "p95_ms": answers.p95_ms,
    }


def failure_document(failure: OwnFailure) -> OwnFailureDocument:
    said = asdict(failure) | {"at": failure.at.isoformat(), "wire": wire_document(failure.wire)}
    return cast("OwnFailureDocument", said)


def agreement_document(agreement: Agreement | None, accepted: Acceptance | None = None) -> AgreementDocument | None:
    if agreement is None:
        return None
    return {
        "version": agreement.version,
        "text": {"zh": agreement.text_zh, "en": agreement.text_en},
        "written_at": agreement.written_at.isoformat(),
        "accepted_by": accepted.person.username if accepted else None,
        "accepted_at": accepted.at.isoformat() if accepted else None,
    }


def package_document(package: DataPackage) -> PackageDocument:
    return {
        "id": package.pk,
        "file_name": package.file_name,
        "about": package.about,
        "size": package.size,
        "sha256": package.sha256,
        "uploaded_at": package.uploaded_at.isoformat(),
    }


def dialogue_document(dialogue: Dialogue) -> OwnDialogueDocument:
    assert dialogue.closed_at is not None, "only closed dialogues are released"
    return {
        "id": str(dialogue.pk),
        "bot": dialogue.assignment.entry_id,
        "scenario": dialogue.assignment.scenario.title,
        "turns": dialogue.turns_used,
        "closed_at": dialogue.closed_at.isoformat(),
    }


def transcript_document(dialogue: Dialogue) -> OwnTranscriptDocument:
    said: list[SaidDocument] = [
        {"turn": turn.number, "text": turn.text, "texts": turn.texts, "latency_ms": turn.latency_ms}
        for turn in dialogue.turns.all()
    ]
    return {**dialogue_document(dialogue), "said": said}
