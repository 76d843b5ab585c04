"""What the API and the pages show of checks, in the reader's language."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, TypedDict

from django.utils.translation import gettext as _

from api.answers import From
from campaigns.models import Entry
from conformance import label_services
from conformance.actions import change_of
from conformance.label_services import SERVICE
from conformance.models import AnyCheck, Check, CheckState, Routes
from conformance.probes import NAMES
from conformance.results import Result, Verdict
from conformance.wording import WORDING
from reading.json_schemas import Id, Moment


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


class ProbeDocument(TypedDict):
    name: str
    title: str
    verdict: str
    sentence: str
    advice: str
    curl: str
    took_ms: int


class AnySummaryDocument(TypedDict):
    """A check of a system of any kind."""

    id: Annotated[Id, From("pk")]
    state: str
    word: Annotated[str, From(word_of)]
    is_over: bool
    protocol: str
    verdict: str
    is_green: bool
    asked_at: Moment
    began_at: Moment | None
    ended_at: Moment | None
    done: Annotated[int, From(lambda check: len(check.results))]
    total: Annotated[int, From(n_probes)]


class SummaryDocument(AnySummaryDocument):
    bot: Annotated[int, From("entry_id")]


class CheckDocument(SummaryDocument):
    probes: Annotated[list[ProbeDocument], From(rows_of)]


class FingerprintDocument(TypedDict):
    taken_at: Moment
    protocol: str
    version: str
    is_reference: bool
    is_changed: bool
    failure: Annotated[str, From("failure_in_words")]


def bot_panel(entry: Entry, at: datetime) -> dict[str, Any]:
    """What `conformance/_latest.html` shows of a bot."""
    return check_panel(entry, Check.routes) | {"fresh": entry.has_fresh_report(entry.campaign, at)}


def check_panel(subject: Any, routes: Routes) -> dict[str, Any]:
    """The same of any subject, but for whether its report is as fresh as the campaign demands."""
    latest = subject.checks.latest_first().first()
    rows = rows_of(latest) if latest else []
    return {
        "subject": subject,
        "routes": routes,
        "latest": latest,
        "latest_word": word_of(latest) if latest else "",
        "not_passed": [row for row in rows if row.result.verdict is not Verdict.PASS],
        "passed": [row for row in rows if row.result.verdict is Verdict.PASS],
        "changed": change_of(subject),
    }
