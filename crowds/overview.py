"""What an organizer sees of a study: arrivals by state, times, pay, and who is owed what."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db.models import Count, Q

from campaigns.models import Campaign
from crowds.models import Arrival, CrowdStudy
from crowds.payment import amount_of, median_time, per_hour, reached_per_hour, share_of
from crowds.platforms import query_for
from crowds.work import done_in
from participants.secrets import SecretLost
from reading.spreadsheet_cells import spreadsheet_safe

BOM = "\ufeff"
UNREADABLE = "?"
DROPPED_OUT = (Arrival.State.CAME, Arrival.State.LEFT, Arrival.State.TOO_LATE)


@dataclass(frozen=True, slots=True)
class Numbers:
    """`dropped_out` looked and never began, or stopped, or ran out of time; `screened_by_gold` are of those who were screened out."""

    by_state: tuple[tuple[str, str, int], ...]
    came: int
    dropped_out: int
    screened_by_gold: int
    median_minutes: float | None
    expected_per_hour: Decimal
    reached_per_hour: Decimal | None


def numbers_of(study: CrowdStudy) -> Numbers:
    counts = Counter(study.arrivals.order_by().values_list("state", flat=True))
    state = Arrival.State
    completed = study.arrivals.filter(state=state.COMPLETED, ended_at__isnull=False)
    times = [ended - began for began, ended in completed.values_list("started_at", "ended_at") if began and ended]
    middle = median_time(times)
    return Numbers(
        by_state=tuple((str(one), str(one.label), counts[one]) for one in state if counts[one]),
        came=counts.total(),
        dropped_out=sum(counts[one] for one in DROPPED_OUT),
        # Attention items are asked before anybody begins.
        screened_by_gold=study.arrivals.let_in().filter(state=state.SCREENED_OUT).count(),
        median_minutes=None if middle is None else round(middle / timedelta(minutes=1), 1),
        expected_per_hour=per_hour(study.pay, study.minutes),
        reached_per_hour=reached_per_hour(study.pay, middle),
    )


def listed_studies(campaign: Campaign) -> list[CrowdStudy]:
    """With `n_came` and `n_dropped_out`, as `numbers_of` counts them; one query."""
    dropped = Count("arrivals", filter=Q(arrivals__state__in=DROPPED_OUT))
    studies: list[CrowdStudy] = list(campaign.studies.annotate(n_came=Count("arrivals"), n_dropped_out=dropped))
    for study in studies:
        study.campaign = campaign
    return studies


@dataclass(frozen=True, slots=True)
class Payment:
    """One person of the payment table; `share` is in percent. Who was screened out before the start has no account and began nothing."""

    id: int
    participant: str
    session: str
    username: str
    state: str
    label: str
    started_at: datetime | None
    ended_at: datetime | None
    n_done: int
    n_needed: int
    share: int
    amount: Decimal
    decision: str
    decision_label: str
    because: str
    has_bonus: bool


def payments_on(study: CrowdStudy, arrivals: Iterable[Arrival]) -> Iterator[Payment]:
    """What each of them is owed as things stand; of those at work, for as far as they are."""
    done = done_in(study)
    for arrival in arrivals:
        yield _payment(study, arrival, done.get(arrival.person_id, 0) if arrival.is_at_work else arrival.n_done)


def _payment(study: CrowdStudy, arrival: Arrival, done: int) -> Payment:
    participant, session = outside_ids(arrival)
    return Payment(
        id=arrival.pk,
        participant=participant,
        session=session,
        username=arrival.person.username if arrival.person else "",
        state=arrival.state,
        label=str(arrival.get_state_display()),
        started_at=arrival.started_at,
        ended_at=arrival.ended_at,
        n_done=done,
        n_needed=study.n_needed,
        share=int(100 * share_of(done, study.n_needed)),
        amount=amount_of(
            study.terms,
            n_done=done,
            n_needed=study.n_needed,
            is_screened_out=arrival.state == Arrival.State.SCREENED_OUT,
            is_rejected=arrival.decision == Arrival.Decision.REJECTED,
            has_bonus=arrival.has_bonus,
        ),
        decision=arrival.decision,
        decision_label=str(arrival.get_decision_display()),
        because=arrival.because,
        has_bonus=arrival.has_bonus,
    )


def outside_ids(arrival: Arrival) -> tuple[str, str]:
    """Participant and session as the platform calls them; empty once erased, a question mark where no key unseals them."""
    try:
        outside = arrival.outside
    except SecretLost:
        return UNREADABLE, UNREADABLE
    return outside.participant, outside.session


COLUMNS = (
    "participant", "session", "account", "state", "started_at", "ended_at", "done", "needed", "share_percent", "amount", "currency",
    "decision", "because", "bonus",
)  # fmt: skip


def payments_csv(study: CrowdStudy) -> Iterator[str]:
    """The table for a spreadsheet: texts become no formulas."""
    yield BOM + ",".join(COLUMNS) + "\r\n"
    for row in payments_on(study, study.arrivals.paid_for().iterator(chunk_size=500)):
        cells: list[Any] = [
            row.participant, row.session, row.username, row.state, _moment(row.started_at),
            _moment(row.ended_at), row.n_done, row.n_needed, row.share, row.amount, study.currency,
            row.decision, row.because, int(row.has_bonus),
        ]  # fmt: skip
        yield ",".join(_cell(one) for one in cells) + "\r\n"


def _moment(at: datetime | None) -> str:
    return at.isoformat() if at else ""


def _cell(value: Any) -> str:
    text = spreadsheet_safe(value) if isinstance(value, str) else str(value)
    return '"' + text.replace('"', '""') + '"' if any(mark in text for mark in ',"\r\n') else text


def bulk_ids(study: CrowdStudy, decision: str) -> Iterator[str]:
    """What the platform's own bulk form takes: a participant a line for Prolific, an assignment a line for Mechanical Turk.

    `approved` also lists whom nobody has decided about and who completed; `rejected` only whom somebody rejected.
    """
    for arrival in study.arrivals.paid_for().iterator(chunk_size=500):
        is_due = arrival.decision == decision or (
            decision == Arrival.Decision.APPROVED
            and arrival.decision == Arrival.Decision.NONE
            and arrival.state == Arrival.State.COMPLETED
        )
        participant, session = outside_ids(arrival) if is_due else ("", "")
        named = session if study.platform == CrowdStudy.On.MTURK else participant
        if named and named != UNREADABLE:
            yield named + "\n"


def link_of(study: CrowdStudy, address: str) -> str:
    """The entry link as its platform fills it in; `address` is that of the door."""
    return f"{address}?{query_for(study.names, study.platform)}"  # type: ignore[arg-type]
