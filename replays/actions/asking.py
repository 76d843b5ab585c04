"""Replays are counted before they are asked for, and stopped."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, QuerySet, Sum
from django.utils.translation import gettext as _

from accounts.models import Person
from audit.actions import record
from campaigns.models import Campaign, Entry
from dialogues.models import Dialogue, DialogueQuerySet, Turn
from dialogues.turn_taking import DialogueStatus
from participants.models import Team
from replays.models import Replay, ReplayState, SentinelRound, Settled
from replays.trail_acts import REPLAY_STOPPED, REPLAYS_ASKED
from serving.refused import Refused

DAY = timedelta(hours=24)
# Of one request; the command asks as often as it takes.
MOST_AT_ONCE = 500


class CannotReplay(Refused):
    """Nothing was asked for; the code says why."""

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code)
        self.code, self.values = code, values

    def __str__(self) -> str:
        return {
            "no_dialogues": _("There is no dialogue to replay: it has to be over, to have turns, and its texts must still be there."),
            "too_many": _("At most %(n)s dialogues can be asked for at once."),
            "withdrawn": _("This system was withdrawn."),
            "no_address": _("This system has no address yet: enter it first."),
            "draft": _("This system is a draft: it has to be admitted first."),
            "paused": _("This system is paused: it is not called until it goes on."),
            "secret_lost": _("The platform can no longer read its secret. Type the secret again."),
            "other_campaign": _("This system takes part in another campaign."),
            "over_budget": _("This takes %(calls)s calls, and %(left)s are left of those that replays may make within 24 hours."),
            "no_system": _("Choose one of the systems."),
            "not_own": _("A dialogue is put to the system that it was held with."),
            "not_released": _("Teams replay their own dialogues once the leaderboard is published and what was said is released to them."),
            "waiting": _("These dialogues are being put to this system already."),
            "over": _("This replay is over."),
        }[self.code] % self.values  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReplayPlan:
    """What replays would take, counted before anything is done: `longest_s` is how long the system may take for all calls."""

    dialogues: Sequence[Dialogue]
    n_calls: int
    n_left: int
    longest_s: int

    @property
    def n_dialogues(self) -> int:
        return len(self.dialogues)

    @property
    def longest_min(self) -> int:
        return -(-self.longest_s // 60)

    @property
    def fits(self) -> bool:
        return self.n_calls <= self.n_left


def replayable(campaign: Campaign) -> DialogueQuerySet:
    """The dialogues whose lines can be put to a system: over, with turns, and neither practice nor erased."""
    over = Dialogue.objects.of_campaign(campaign).exclude(status=DialogueStatus.OPEN)
    if campaign.texts_gone_at is not None:
        return over.none()
    turns = Turn.objects.filter(dialogue=OuterRef("pk"))
    return over.filter(Exists(turns)).exclude(Exists(turns.filter(text__startswith="[erased "))).with_names()


def with_lines(dialogues: QuerySet[Dialogue]) -> QuerySet[Dialogue]:
    """With `n_lines`, how many calls a replay of each makes."""
    return dialogues.annotate(n_lines=Count("turns"))


def n_lines_of(dialogue: Dialogue) -> int:
    """Of a dialogue that was read `with_lines`."""
    n: int = dialogue.n_lines  # type: ignore[attr-defined]
    return n


def calls_asked_since(campaign: Campaign, since: datetime, team: Team | None = None) -> int:
    """Calls that replays asked for since then may make, or made; of a team those alone that it asked for."""
    asked = Replay.objects.of_campaign(campaign).filter(asked_at__gt=since).exclude(state=ReplayState.STOPPED)
    if team is not None:
        asked = asked.filter(is_of_team=True, against__bot__team=team)
    return asked.aggregate(n=Sum("n_lines"))["n"] or 0


def calls_left(campaign: Campaign, at: datetime, team: Team | None = None) -> int:
    """How many calls replays may still make within 24 hours; for a team at most its part."""
    left = campaign.replay_calls_per_day - calls_asked_since(campaign, at - DAY)
    if team is not None:
        left = min(left, campaign.team_replay_calls_per_day - calls_asked_since(campaign, at - DAY, team))
    return max(0, left)


def plan_replays(
    campaign: Campaign, dialogues: Sequence[Dialogue], at: datetime, *, team: Team | None = None, times: int = 1
) -> ReplayPlan:
    """`dialogues` are `with_lines`; each is put to a system `times` times."""
    n_calls = times * sum(n_lines_of(one) for one in dialogues)
    return ReplayPlan(dialogues, n_calls, calls_left(campaign, at, team), round(n_calls * campaign.reply_deadline_s))


def why_not_called(against: Entry) -> str:
    """Why the system is not called now, as a code; empty where it is."""
    if against.withdrawn_at is not None:
        return "withdrawn"
    if not against.has_address:
        return "no_address"
    if against.draft_since is not None:
        return "draft"
    if against.paused_at is not None:
        return "paused"
    return "secret_lost" if against.has_lost_its_secret() else ""


@transaction.atomic
def ask_replays(
    *,
    campaign: Campaign,
    dialogues: QuerySet[Dialogue],
    against: Entry,
    by: Person | None,
    at: datetime,
    team: Team | None = None,
) -> list[Replay]:
    """Puts the lines of these dialogues to the system, each once; they wait for a worker. `team` is the one that asks.

    Dialogues that are put to it already are left out. Errors: `CannotReplay`.
    """
    # Two that ask at once must not spend the same calls.
    campaign = Campaign.objects.held(campaign.pk)
    if against.campaign_id != campaign.pk:
        raise CannotReplay("other_campaign")
    against = Entry.objects.get(pk=against.pk)
    if code := why_not_called(against):
        raise CannotReplay(code)
    possible = replayable(campaign).filter(pk__in=dialogues.values("pk"))
    found = list(with_lines(possible)[: MOST_AT_ONCE + 1])
    if not found:
        raise CannotReplay("no_dialogues")
    if len(found) > MOST_AT_ONCE:
        raise CannotReplay("too_many", n=MOST_AT_ONCE)
    asked = Replay.objects.under_way().filter(against=against, round=None, dialogue__in=[one.pk for one in found])
    waiting = set(asked.values_list("dialogue", flat=True))
    found = [one for one in found if one.pk not in waiting]
    if not found:
        raise CannotReplay("waiting")
    plan = plan_replays(campaign, found, at, team=team)
    if not plan.fits:
        raise CannotReplay("over_budget", calls=plan.n_calls, left=plan.n_left)
    made = Replay.objects.bulk_create(
        [
            Replay(
                dialogue=one,
                against=against,
                asked_by=by,
                asked_at=at,
                n_lines=n_lines_of(one),
                is_of_team=team is not None,
            )
            for one in found
        ]
    )
    details = {"bot": against.key, "dialogues": len(found), "calls": plan.n_calls}
    if len(found) == 1:
        details["dialogue"] = str(found[0].pk)
    record(REPLAYS_ASKED, by=by, at=at, campaign=campaign.slug, about=against.alias, details=details)
    return made


@transaction.atomic
def stop_replay(*, replay: Replay, by: Person | None, at: datetime) -> Replay:
    """Ends a replay that waits or runs; what its worker still hears is dropped. Errors: `CannotReplay` where it is over."""
    stopped = Replay.objects.under_way().filter(pk=replay.pk)
    if not stopped.update(state=ReplayState.STOPPED, ended_at=at, worker="", lease_until=None):
        raise CannotReplay("over")
    replay.refresh_from_db()
    against = replay.against
    details = {"bot": against.key, "dialogue": str(replay.dialogue_id)}
    record(REPLAY_STOPPED, by=by, at=at, campaign=against.campaign.slug, about=against.alias, details=details)
    return replay


@transaction.atomic
def begin_round(*, entry: Entry, at: datetime, times: int = 2) -> SentinelRound | None:
    """Asks for the canaries of a system, each `times` times; None where it has none, a round goes on, or the calls are used up."""
    campaign = Campaign.objects.held(entry.campaign_id)
    if why_not_called(entry) or SentinelRound.objects.filter(entry=entry, ended_at=None).exists():
        return None
    dialogues = list(with_lines(canaries_of(entry, campaign)))
    plan = plan_replays(campaign, dialogues, at, times=times)
    if not dialogues or not plan.fits:
        return None
    begun = SentinelRound.objects.create(
        entry=entry, began_at=at, n_canaries=len(dialogues), limit_percent=campaign.drift_over_percent
    )
    Replay.objects.bulk_create(
        [
            Replay(
                dialogue=one,
                against=entry,
                round=begun,
                is_of_sentinel=True,
                asked_at=at,
                n_lines=n_lines_of(one),
            )
            for one in dialogues
            for _ in range(times)
        ]
    )
    return begun


def canaries_of(entry: Entry, campaign: Campaign) -> QuerySet[Dialogue]:
    """The first finished dialogues of people with the system; once a drift was accepted, the first ones held since."""
    accepted = (
        SentinelRound.objects.filter(entry=entry, settled=Settled.ACCEPTED)
        .order_by("-began_at")
        .values_list("began_at", flat=True)
    )
    finished = replayable(campaign).filter(
        assignment__entry=entry, status=DialogueStatus.COMPLETED, origin=Dialogue.Origin.LIVE
    )
    if (since := accepted.first()) is not None:
        finished = finished.filter(opened_at__gt=since)
    chosen = finished.order_by("closed_at", "pk").values_list("pk", flat=True)[: campaign.canaries]
    return Dialogue.objects.filter(pk__in=list(chosen)).with_names()
