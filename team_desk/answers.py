"""Answers of the API: bots and their health, agreement, packages, failures, released dialogues, and what a test call came to."""

from typing import Annotated, Any, TypedDict

from api.answers import SAME, From, encoded
from automatic_tasks.inputs import opens_at
from participants.adapters.trying import Exchange
from participants.adapters.trying import Found as FoundByPath
from participants.failures import WireDocument
from reading.json_schemas import Id, Moment
from registration.models import Acceptance, Agreement
from team_desk.own_bots import Connection
from team_desk.trying import Clue, Try


class CallsDocument(TypedDict):
    """A turn that failed and was asked again is two calls; failures are the bot's own. Null where none was answered."""

    answered: Annotated[int, From("n_answered")]
    failed: Annotated[int, From("n_failed")]
    p50_ms: int | None
    p95_ms: int | None


class AnswersDocument(CallsDocument):
    """The kinds of failures stand with the most frequent first."""

    by_kind: Annotated[dict[str, int], From(lambda answers: dict(answers.by_kind))]
    failed_by_others: Annotated[int, From("n_of_others")]


class HealthDocument(TypedDict):
    last_24_h: Annotated[AnswersDocument, From("lately")]
    in_all: Annotated[AnswersDocument, From("ever")]


class BotDocument(TypedDict):
    """Without the secret, and without the alias: a team does not know under which one testers meet its bot."""

    id: Annotated[int, From("entry.pk")]
    name: Annotated[str, From("entry.bot.name")]
    protocol: Annotated[str, From("entry.protocol")]
    url: Annotated[str, From("entry.url")]
    parallel: Annotated[int, From("entry.parallel")]
    options: Annotated[dict[str, Any], From("entry.options")]
    has_secret: Annotated[bool, From("entry.has_secret")]
    registered_at: Annotated[Moment | None, From("entry.registered_at")]
    state: Annotated[str, From("state.key")]
    since: Annotated[Moment | None, From("state.since")]
    because: Annotated[str, From("state.because")]
    next: Annotated[str, From("state.next")]
    stage: Annotated[str, From("way.key")]
    stage_since: Annotated[Moment | None, From("way.since")]
    stage_because: Annotated[str, From("way.because")]
    stage_next: Annotated[str, From("way.next")]
    stage_actor: Annotated[str, From("way.actor")]
    submitted_at: Annotated[Moment | None, From("entry.submitted_at")]
    returned_because: Annotated[str, From("entry.returned_because")]
    green_at: Annotated[Moment | None, From("entry.green_at")]
    connection: Connection | None
    health: HealthDocument


class OwnFailureDocument(TypedDict):
    at: Moment
    kind: str
    fault: str
    status: int | None
    latency_ms: int | None
    detail: Annotated[str, From("what_happened.message", none="")]
    answer: str
    n_bytes: int
    turn: int
    n_characters_sent: int
    curl: str
    wire: WireDocument
    dialogue: Id


class ObjectionDocument(TypedDict):
    """`upheld` is null until an organizer has answered."""

    id: Annotated[int, From("pk")]
    dialogue: Annotated[Id, From("dialogue_id")]
    turn: Annotated[int | None, From(lambda one: one.turn and one.turn.number)]
    against: str
    text: str
    made_at: Moment
    upheld: Annotated[bool | None, From("is_upheld")]
    answer: str
    answered_at: Moment | None


class BesideDocument(TypedDict):
    figure: Annotated[str, From("key.name")]
    own: float | None
    others: float | None


class LostTurnsDocument(TypedDict):
    case: str
    own: float
    others: float


class EvidenceDocument(TypedDict):
    criterion: str
    turn: int


class ScoredDialogueDocument(TypedDict):
    dialogue: Annotated[Id, From("dialogue.pk")]
    case: str
    status: Annotated[str, From("dialogue.status")]
    turns: Annotated[int, From("dialogue.turns_used")]
    scores: dict[str, float | None]
    evidence: Annotated[
        list[EvidenceDocument],
        From(lambda one: [{"criterion": letter, "turn": turn} for letter, turn in one.evidence]),
    ]
    is_released: bool


class FailureCount(TypedDict):
    kind: str
    fault: str
    n: int


class ReportDocument(TypedDict):
    """The others' figures are means over all other systems; null where there are fewer than two."""

    figures: list[BesideDocument]
    lost: list[LostTurnsDocument]
    dialogues: list[ScoredDialogueDocument]
    failures: list[FailureCount]


class TextInBoth(TypedDict):
    zh: Annotated[str, From("text_zh")]
    en: Annotated[str, From("text_en")]


class AgreementDocument(TypedDict):
    """Who accepted it, and when, are of the reader's team."""

    version: int
    text: Annotated[TextInBoth, SAME]
    written_at: Moment
    accepted_by: str | None
    accepted_at: Moment | None


class AskedDocument(TypedDict):
    """A request of the campaign `campaign`, as the team that is asked reads it."""

    id: Annotated[int, From("pk")]
    campaign: Annotated[str, From("campaign.slug")]
    campaign_name: Annotated[str, From("campaign.name")]
    asked_at: Moment


class PackageDocument(TypedDict):
    """`tasks` are those whose inputs it is; teams may download it from `opens_at` on, at once where that is null."""

    id: Annotated[int, From("pk")]
    file_name: str
    about: str
    size: int
    sha256: str
    uploaded_at: Moment
    tasks: Annotated[list[str], From(lambda package: [task.key for task in package.tasks.all()])]
    opens_at: Annotated[Moment | None, From(opens_at)]


class OwnDialogueDocument(TypedDict):
    """`bot` is the id of the team's bot."""

    id: Annotated[Id, From("pk")]
    bot: Annotated[int, From("assignment.entry_id")]
    scenario: Annotated[str, From("assignment.scenario.title")]
    turns: Annotated[int, From("turns_used")]
    closed_at: Moment


class SaidDocument(TypedDict):
    turn: Annotated[int, From("number")]
    text: str
    texts: list[str]
    latency_ms: int | None


class OwnTranscriptDocument(OwnDialogueDocument):
    said: Annotated[list[SaidDocument], From("turns.all")]


class DayCell(CallsDocument):
    since: Moment


class DayDocument(CallsDocument):
    """`cells` are ten minutes each, the oldest first; the last goes on."""

    percent_answered: float | None
    cells: list[DayCell]


class KeyAnswer(TypedDict):
    key: str


class TriedReply(TypedDict):
    texts: list[str]
    end: bool


class TriedFailure(TypedDict):
    """`place` is the field of the mapping that it is about, empty where it is about none."""

    kind: str
    place: Annotated[str, From("detail.place")]
    detail: Annotated[str, From("detail.message")]
    status: int | None
    answer: Annotated[str, From("evidence")]


class TriedDocument(TypedDict):
    """`reply` or `failure` is null. `curl` is the first request with the secret masked, `parts` how many came of a stream."""

    reply: TriedReply | None
    failure: TriedFailure | None
    latency_ms: int
    parts: Annotated[int, From("n_parts")]
    state: str
    curl: str
    answers: Annotated[list[Exchange], From("exchanges")]
    found: list[FoundByPath]


class FoundDocument(TypedDict):
    """`protocol` is the one to register, empty without a clue; `clues` stand with the best first; `tries` are the questions."""

    protocol: str
    clues: list[Clue]
    tries: list[Try]


class TeamDocument(TypedDict):
    name: str
    name_en: str
    agreement: AgreementDocument | None
    bots: list[BotDocument]
    packages: list[PackageDocument]


def agreement_document(agreement: Agreement | None, accepted: Acceptance | None = None) -> AgreementDocument | None:
    if agreement is None:
        return None
    by, at = (accepted.person.username, accepted.at) if accepted else (None, None)
    document: AgreementDocument = encoded(AgreementDocument, agreement, accepted_by=by, accepted_at=at)
    return document
