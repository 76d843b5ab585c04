"""What the API and the pages show of checks, in the reader's language."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypedDict

from django.utils.translation import gettext as _

from campaigns.models import Entry
from conformance import label_services
from conformance.actions import change_of
from conformance.label_services import SERVICE
from conformance.models import AnyCheck, AnyFingerprint, Check, CheckState, Routes
from conformance.probes import NAMES
from conformance.results import Result, Verdict
from conformance.wording import WORDING
from reading.json_schemas import Id, Moment


class ProbeDocument(TypedDict):
    name: str
    title: str
    verdict: str
    sentence: str
    advice: str
    curl: str
    took_ms: int


class AnySummaryDocument(TypedDict):
    """What is told of a check, of whatever it is."""

    id: Id
    state: str
    word: str
    is_over: bool
    protocol: str
    verdict: str
    is_green: bool
    asked_at: Moment
    began_at: Moment | None
    ended_at: Moment | None
    done: int
    total: int


class SummaryDocument(AnySummaryDocument):
    bot: int


class CheckDocument(SummaryDocument):
    probes: list[ProbeDocument]


class FingerprintDocument(TypedDict):
    taken_at: Moment
    protocol: str
    version: str
    is_reference: bool
    is_changed: bool
    failure: str


@dataclass(frozen=True, slots=True)
class Row:
    """One probe of a report on a system of the protocol."""

    result: Result
    protocol: str

    @property
    def name(self) -> str:
        return self.result.name

    @property
    def verdict(self) -> str:
        return str(self.result.verdict)

    @property
    def title(self) -> str:
        return WORDING[self.name].title

    @property
    def sentence(self) -> str:
        return self.result.sentence.message

    @property
    def advice(self) -> str:
        return "" if self.result.verdict is Verdict.PASS else WORDING[self.name].advice_for(self.protocol)

    @property
    def curl(self) -> str:
        return self.result.curl

    @property
    def took_ms(self) -> int:
        return self.result.took_ms


WORST_FIRST = {Verdict.FAIL: 0, Verdict.WARN: 1, Verdict.PASS: 2}


def rows_of(check: AnyCheck) -> list[Row]:
    """What failed stands first; while a check runs, in the order of the probes."""
    rows = [Row(result, check.protocol) for result in check.found]
    return sorted(rows, key=lambda row: WORST_FIRST[row.result.verdict]) if check.is_over else rows


def n_probes(check: AnyCheck) -> int:
    """How many there are in all, for somebody who waits."""
    return len(label_services.NAMES if check.protocol == SERVICE else NAMES)


def word_of(check: AnyCheck) -> str:
    """How the check stands, in one word."""
    words = {
        CheckState.QUEUED: _("waiting"),
        CheckState.RUNNING: _("being checked"),
        CheckState.INTERRUPTED: _("interrupted"),
    }
    if check.state in words:
        return words[CheckState(check.state)]
    return {"pass": _("passed"), "warn": _("passed with warnings"), "fail": _("failed")}[check.verdict]


def probe_document(row: Row) -> ProbeDocument:
    return {
        "name": row.name,
        "title": row.title,
        "verdict": row.verdict,
        "sentence": row.sentence,
        "advice": row.advice,
        "curl": row.curl,
        "took_ms": row.took_ms,
    }


def summary_document(check: Check) -> SummaryDocument:
    return {**any_summary(check), "bot": check.entry_id}


def any_summary(check: AnyCheck) -> AnySummaryDocument:
    return {
        "id": str(check.pk),
        "state": check.state,
        "word": word_of(check),
        "is_over": check.is_over,
        "protocol": check.protocol,
        "verdict": check.verdict,
        "is_green": check.is_green,
        "asked_at": check.asked_at.isoformat(),
        "began_at": check.began_at.isoformat() if check.began_at else None,
        "ended_at": check.ended_at.isoformat() if check.ended_at else None,
        "done": len(check.results),
        "total": n_probes(check),
    }


def check_document(check: Check) -> CheckDocument:
    return {**summary_document(check), "probes": [probe_document(row) for row in rows_of(check)]}


def fingerprint_document(taken: AnyFingerprint) -> FingerprintDocument:
    return {
        "taken_at": taken.taken_at.isoformat(),
        "protocol": taken.protocol,
        "version": taken.version,
        "is_reference": taken.is_reference,
        "is_changed": taken.is_changed,
        "failure": taken.failure_in_words,
    }


def standing_of(entry: Entry, at: datetime) -> dict[str, Any]:
    """What `conformance/_latest.html` shows of a bot."""
    return standing(entry, Check.routes) | {"fresh": entry.has_fresh_report(entry.campaign, at)}


def standing(subject: Any, routes: Routes) -> dict[str, Any]:
    """The same of any subject, but for whether its report is as fresh as the campaign demands."""
    latest = subject.checks.latest_first().first()
    return {
        "subject": subject,
        "routes": routes,
        "latest": latest,
        "latest_word": word_of(latest) if latest else "",
        "changed": change_of(subject),
    }
