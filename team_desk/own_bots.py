"""A team's bots in one campaign: their connection and key, their state in words for the team, and their health from the ledger.

However many bots there are, the number of queries is the same.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Case, Count, Exists, F, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.link_addresses import address_of
from accounts.models import Person
from campaigns.models import Assignment, Campaign, Entry, PausedBy
from campaigns.stages import Way, way_of
from conformance.documents import word_of
from conformance.models import Check
from dialogues.models import Attempt, Dialogue, Turn
from dialogues.turn_taking import TurnStatus
from look.moments import moment_on
from participants.failures import Fault
from participants.models import Team
from registration.actions import make_dial_key, revoke_dial_key
from registration.models import DialKey
from team_desk.health_picture import Answers, Call, begin_of
from testing_console.live import floor

SOCKET_PATH = "/ws/bots/"
LATELY = timedelta(hours=24)
# The database counts answers, those of a second or more in these steps, so that no page reads every answer of a campaign.
STEP_MS = 10
# Most calls in a picture of a day; of a bot that was asked more often, the latest.
CALLS_READ = 20_000


@dataclass(frozen=True, slots=True)
class Connection:
    """The connection of a bot that dials in; `key_made_at` is None without a key."""

    key_made_at: datetime | None = None
    is_connected: bool = False
    connected_at: datetime | None = None
    last_seen_at: datetime | None = None


def connection_of(entry: Entry, at: datetime) -> Connection | None:
    """None for a bot that the platform calls."""
    if not entry.is_dial_out:
        return None
    key = key_of(entry)
    if key is None:
        return Connection()
    is_connected = key.is_connected(at)
    if is_connected:
        return Connection(key.made_at, is_connected, connected_at=key.connected_at)
    return Connection(key.made_at, is_connected, last_seen_at=key.last_seen_at)


def key_of(entry: Entry) -> DialKey | None:
    return getattr(entry, "dial_key", None)


@transaction.atomic
def make_key(entry: Entry, by: Person) -> str:
    """The new key; a connection made with the old one is closed. Errors: as `make_dial_key`."""
    key = make_dial_key(entry=entry, by=by, at=timezone.now())
    transaction.on_commit(partial(floor.expel_bot, entry.reached_at))
    return key


@transaction.atomic
def revoke_key(entry: Entry, by: Person) -> None:
    """Errors: as `revoke_dial_key`."""
    revoke_dial_key(entry=entry, by=by, at=timezone.now())
    transaction.on_commit(partial(floor.expel_bot, entry.reached_at))


def socket_address(request: HttpRequest) -> str:
    """Where bots that dial in connect."""
    return address_of(SOCKET_PATH, request).replace("http", "ws", 1)


@dataclass(frozen=True, slots=True)
class BotState:
    """`key` is for programs. `is_ours` says that the next step is the team's own."""

    key: str
    word: str
    next: str
    since: datetime | None = None
    because: str = ""
    is_ours: bool = False


def state_of(entry: Any) -> BotState:
    """The first that holds: what was decided about the bot, then what it lacks, then how far testing is.

    `own_bots` annotates the entry with `is_begun` and `n_assigned`.
    """
    if entry.withdrawn_at is not None:
        text = _("It no longer takes part. Only an organizer can take it back.")
        return BotState("withdrawn", _("withdrawn"), text, entry.withdrawn_at, entry.paused_because)
    if entry.paused_by == PausedBy.PLATFORM:
        return BotState("paused", _("paused"), _next_probe(entry), entry.paused_at, entry.why_paused, is_ours=True)
    if entry.paused_at is not None:
        text = _("No new dialogue begins. An organizer resumes it; open dialogues go on.")
        return BotState("paused", _("paused"), text, entry.paused_at, entry.paused_because)
    if entry.draft_since is not None:
        return _draft(entry)
    if not entry.has_address:
        text = _("Nobody can talk to it. Enter its address.")
        return BotState("no_address", _("has no address"), text, entry.registered_at, is_ours=True)
    if entry.is_dial_out and not hasattr(entry, "dial_key"):
        text = _("It has no key, so it cannot connect. Make its key.")
        return BotState("no_key", _("has no key"), text, entry.registered_at, is_ours=True)
    if entry.has_lost_its_secret():
        text = _("The platform can no longer read its secret. Type the secret again.")
        return BotState("secret_lost", _("needs its secret"), text, is_ours=True)
    if entry.is_begun:
        return BotState("testing", _("being tested"), _("Testers talk to it. Keep it running."))
    if entry.campaign.free_choice or entry.n_assigned:
        text = _("Testers can begin at any time. Keep it running.")
    else:
        text = _("An organizer draws assignments for it.")
    return BotState("registered", _("registered"), text, entry.registered_at)


def _next_probe(entry: Entry) -> str:
    probe = getattr(entry, "probe", None)
    text = _("No new dialogue begins, open ones go on. See what it answered below, and repair it.")
    if probe is None:
        return text
    due = moment_on(ZoneInfo(entry.campaign.time_zone), probe.due_at, "H:i:s")
    again = _("The platform asks it one word next at %(time)s, and lets it go on once it answers.") % {"time": due}
    return f"{text} {again}"


def _draft(entry: Entry) -> BotState:
    if entry.submitted_at is not None:
        return BotState("submitted", _("submitted"), _("An organizer admits it or sends it back."), entry.submitted_at)
    text = _("Nobody talks to it before an organizer has admitted it. Check it, then submit it.")
    return BotState("draft", _("draft"), text, entry.draft_since, entry.returned_because, is_ours=True)


@dataclass(slots=True)
class Health:
    lately: Answers = field(default_factory=Answers)
    ever: Answers = field(default_factory=Answers)


@dataclass(frozen=True, slots=True)
class OwnBot:
    """`way` is the stage of its admission; `connection` is None for a bot that the platform calls."""

    entry: Entry
    state: BotState
    health: Health
    way: Way
    connection: Connection | None
    check: Check | None = None

    @property
    def check_word(self) -> str:
        """What its last check found, in one word."""
        return word_of(self.check) if self.check else ""


def entries_of(team: Team, campaign: Campaign) -> QuerySet[Entry]:
    """The bots that the team entered, oldest first; not those that only imported records name."""
    own = campaign.entries.declared().filter(bot__team=team)
    return own.select_related("bot__team", "campaign", "registered_by", "probe").order_by("pk")


def own_bots(entries: QuerySet[Entry], at: datetime) -> list[OwnBot]:
    begun = Assignment.objects.filter(entry=OuterRef("pk"), started_at__isnull=False)
    # Joins bypass the managers: practice and programs are left out by hand.
    assigned = Count("assignments", filter=Q(assignments__is_practice=False, assignments__is_apart=False))
    last_check = Subquery(Check.objects.filter(entry=OuterRef("pk")).latest_first().values("pk")[:1])
    annotated = entries.select_related("dial_key", "probe").annotate(
        n_assigned=assigned, is_begun=Exists(begun), last_check=last_check
    )
    listed = list(annotated)
    health = health_of([entry.pk for entry in listed], at)
    checks = Check.objects.defer("results", "options").in_bulk([one.last_check for one in listed if one.last_check])
    return [
        OwnBot(
            entry, state_of(entry), health[entry.pk], way_of(entry, entry.campaign, at), connection_of(entry, at),
            checks.get(entry.last_check),
        )
        for entry in listed
    ]  # fmt: skip


def bot_of(entry: Entry) -> OwnBot:
    (bot,) = own_bots(
        Entry.objects.filter(pk=entry.pk).select_related("bot__team", "campaign", "registered_by"), timezone.now()
    )
    return bot


def health_of(entry_ids: Collection[int], at: datetime) -> dict[int, Health]:
    """Answers and failures of each bot in live dialogues, in the last day and in all. Two queries."""
    health: dict[int, Health] = defaultdict(Health)
    for entry, is_late, kind, fault, n in _failed(entry_ids, at):
        for answers in _spans(health[entry], is_late):
            if fault == Fault.BOT:
                answers.kinds[kind] += n
            else:
                answers.n_of_others += n
    for entry, is_late, latency_ms, n in _answered(entry_ids, at):
        for answers in _spans(health[entry], is_late):
            answers.latencies[latency_ms] += n
    return health


def _failed(entry_ids: Collection[int], at: datetime) -> Any:
    live = Q(turn__dialogue__origin=Dialogue.Origin.LIVE, turn__dialogue__assignment__entry__in=entry_ids)
    failed = Attempt.objects.filter(live, outcome=Attempt.Outcome.FAILURE).annotate(is_late=_is_late("ended_at", at))
    columns = ("turn__dialogue__assignment__entry", "is_late", "kind", "fault")
    return failed.order_by().values_list(*columns).annotate(n=Count("pk"))


def _answered(entry_ids: Collection[int], at: datetime) -> Any:
    answered = Turn.objects.filter(
        dialogue__origin=Dialogue.Origin.LIVE,
        dialogue__assignment__entry__in=entry_ids,
        status=TurnStatus.ANSWERED,
    )
    took, step = Coalesce(F("latency_ms"), 0), Case(When(latency_ms__gte=1000, then=STEP_MS), default=1)
    counted = answered.annotate(is_late=_is_late("settled_at", at), took=took - took % step)
    return counted.order_by().values_list("dialogue__assignment__entry", "is_late", "took").annotate(n=Count("pk"))


def _is_late(moment: str, at: datetime) -> Case:
    return Case(When(Q(**{f"{moment}__gt": at - LATELY}), then=True), default=False)


def _spans(health: Health, is_late: bool) -> Sequence[Answers]:
    return (health.lately, health.ever) if is_late else (health.ever,)


def calls_of(entry: Entry, at: datetime) -> Iterator[Call]:
    """The calls of its last day, from dialogues that were open in it.

    Two queries, neither of which reads more than `CALLS_READ` rows.
    """
    since = begin_of(at)
    lately = Dialogue.objects.filter(assignment__entry=entry, origin=Dialogue.Origin.LIVE)
    lately = lately.filter(Q(status="open") | Q(closed_at__gte=since))
    answered = Turn.objects.filter(dialogue__in=lately, status=TurnStatus.ANSWERED, settled_at__gte=since)
    for settled_at, latency_ms in answered.order_by("-settled_at").values_list("settled_at", "latency_ms")[:CALLS_READ]:
        if settled_at is not None:
            yield Call(settled_at, latency_ms or 0)
    failed = Attempt.objects.filter(
        turn__dialogue__in=lately, outcome=Attempt.Outcome.FAILURE, fault=Fault.BOT, ended_at__gte=since
    )
    for ended_at, kind in failed.order_by("-ended_at").values_list("ended_at", "kind")[:CALLS_READ]:
        yield Call(ended_at, kind=kind)
