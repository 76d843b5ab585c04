"""Bots, health, agreement, packages and failures as the API gives them."""

from dataclasses import asdict
from typing import Any

from organizing.participating.own_bots import Answers, OwnBot
from organizing.participating.own_failures import OwnFailure
from registration.models import Acceptance, Agreement, DataPackage
from testing_console.models import Dialogue


def bot_document(bot: OwnBot) -> dict[str, Any]:
    """Without the secret, whoever asks, and without the alias: a team does not know under which one testers meet its bot."""
    entry, state = bot.entry, bot.state
    return {
        "id": entry.pk,
        "name": entry.bot.name,
        "protocol": entry.protocol,
        "url": entry.url,
        "options": entry.options,
        "has_secret": entry.has_secret,
        "registered_at": entry.registered_at.isoformat() if entry.registered_at else None,
        "state": state.key,
        "since": state.since.isoformat() if state.since else None,
        "because": state.because,
        "next": state.next,
        "health": {"last_24_h": answers_document(bot.health.lately), "in_all": answers_document(bot.health.ever)},
    }


def answers_document(answers: Answers) -> dict[str, Any]:
    return {
        "answered": answers.n_answered,
        "failed": answers.n_failed,
        "by_kind": dict(answers.by_kind),
        "failed_by_others": answers.n_of_others,
        "p50_ms": answers.p50_ms,
        "p95_ms": answers.p95_ms,
    }


def failure_document(failure: OwnFailure) -> dict[str, Any]:
    return asdict(failure) | {"at": failure.at.isoformat()}


def agreement_document(agreement: Agreement | None, accepted: Acceptance | None = None) -> dict[str, Any] | None:
    if agreement is None:
        return None
    return {
        "version": agreement.version,
        "text": {"zh": agreement.text_zh, "en": agreement.text_en},
        "written_at": agreement.written_at.isoformat(),
        "accepted_by": accepted.person.username if accepted else None,
        "accepted_at": accepted.at.isoformat() if accepted else None,
    }


def package_document(package: DataPackage) -> dict[str, Any]:
    return {
        "id": package.pk,
        "file_name": package.file_name,
        "about": package.about,
        "size": package.size,
        "sha256": package.sha256,
        "uploaded_at": package.uploaded_at.isoformat(),
    }


def dialogue_document(dialogue: Dialogue) -> dict[str, Any]:
    assert dialogue.closed_at is not None, "only closed dialogues are released"
    return {
        "id": str(dialogue.pk),
        "bot": dialogue.assignment.entry_id,
        "scenario": dialogue.assignment.scenario.title,
        "turns": dialogue.turns_used,
        "closed_at": dialogue.closed_at.isoformat(),
    }


def transcript_document(dialogue: Dialogue) -> dict[str, Any]:
    said = [
        {"turn": turn.number, "text": turn.text, "texts": turn.texts, "latency_ms": turn.latency_ms}
        for turn in dialogue.turns.all()
    ]
    return dialogue_document(dialogue) | {"said": said}
