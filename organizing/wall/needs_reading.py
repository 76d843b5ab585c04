"""What of a campaign waits for a person, read from the rooms where it waits."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import Count, DateTimeField, F, Max, Min, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.translation import override

from automatic_tasks.models import Run, RunState, Service, ServiceQuerySet
from automatic_tasks.runs.queue import has_worker
from campaigns.actions.people import WITH_WORK
from campaigns.calendar import Doing, is_open
from campaigns.interests import Interests
from campaigns.models import Campaign, PausedBy, Role
from campaigns.planning.plans import PlanKind
from campaigns.readiness import setup_steps
from conformance.models import HAS_CHANGED, Fingerprint
from dialogues.models import Dialogue, DialogueQuerySet, Objection, Outage, Problem
from organizing.dialogues.to_do import ToDoFilters, assignments_to_do
from organizing.wall.needs import NOTHING, BotInNeed, Facts, Lack, Need, PersonInNeed, Waiting, needs_of
from organizing.wall.rows import NeedShown
from organizing.wall.state import BOT, Sections
from participants.bot_form import DIAL_OUT
from publication.models import FreezeOrder
from registration.models import Application
from replays.models import SentinelRound
from reviews.models import Dispute, ReviewPlace, RevisionRequest, Vetting
from reviews.panel_gaps import short_panels
from team_desk.own_bots import key_of


def first_of(rows: QuerySet[Any], at: str) -> Waiting:
    """How many rows there are, and the time of the first."""
    found = rows.order_by().aggregate(n=Count("pk"), first=Min(at, output_field=DateTimeField()))
    return Waiting(found["n"], found["first"])


@dataclass(frozen=True, slots=True)
class Demand:
    """What a campaign's plan asks for (`campaigns/planning/plans.py`)."""

    plan: str
    n_testers: int
    n_scenarios: int
    testers_per_cell: int
    dialogues_per_bot: int
    quota: Mapping[str, int] = field(default_factory=dict)

    @property
    def per_bot(self) -> int:
        """How many dialogues each bot is to have."""
        return {
            PlanKind.FULL: self.n_testers * self.n_scenarios,
            PlanKind.PER_CELL: self.testers_per_cell * self.n_scenarios,
            PlanKind.RANDOM_GOALS: self.dialogues_per_bot,
            PlanKind.QUOTA: sum(self.quota.values()),
        }[PlanKind(self.plan)]

    def missing(self, assigned: Iterable[int]) -> int:
        """What lacks an assignment, given how many each bot has; what one has too many fills no gap of another."""
        return sum(max(0, self.per_bot - n) for n in assigned)


# A reviewer with dialogues to score who was idle for longer is named.
IDLE_AFTER = timedelta(days=1)


def requests(campaign: Campaign) -> Waiting:
    """Requests to revise scores that nobody has answered."""
    asked = RevisionRequest.objects.filter(review__dialogue__assignment__campaign=campaign, is_granted=None)
    return first_of(asked, "asked_at")


def objections(campaign: Campaign) -> Waiting:
    """What teams object to and nobody has answered."""
    made = Objection.objects.filter(dialogue__assignment__campaign=campaign, is_upheld=None)
    return first_of(made, "made_at")


def disputes(campaign: Campaign) -> Waiting:
    reviewable = Dialogue.objects.of_campaign(campaign).reviewable()
    return first_of(Dispute.objects.filter(dialogue__in=reviewable, settled_at=None), "opened_at")


def short(campaign: Campaign, at: datetime) -> Waiting:
    """Panels that lack a reviewer whom nobody can replace."""
    if not campaign.panels_score:
        return NOTHING
    found = short_panels(campaign, at)
    return Waiting(len(found), found[0].since) if found else NOTHING


def unvetted(campaign: Campaign, at: datetime) -> Waiting:
    """Dialogues on which the experts have not decided, while they can."""
    if not campaign.experts_per_dialogue or not is_open(campaign, Doing.REVIEW, at):
        return NOTHING
    return first_of(_undecided(campaign), "closed_at")


def _undecided(campaign: Campaign) -> DialogueQuerySet:
    collected = Dialogue.objects.of_campaign(campaign).reviewable()
    return collected.exclude(pk__in=Vetting.objects.dialogues_accepted_in(campaign))


def fewest_experts(campaign: Campaign, interests: Interests) -> int:
    """How many experts there are for the undecided dialogue that has the fewest: those who assessed it, and those who may.

    An expert assesses neither a dialogue that they talked in nor a system in which they have an interest.
    """
    if not campaign.experts_per_dialogue:
        return 0
    undecided = _undecided(campaign)
    experts = set(interests.judging(Role.EXPERT).values_list("person", flat=True))
    given: dict[UUID, set[int]] = defaultdict(set)
    for dialogue, expert in Vetting.objects.filter(dialogue__in=undecided).values_list("dialogue", "expert"):
        given[dialogue].add(expert)
    teams = set(campaign.entries.values_list("bot__team", flat=True))
    judging = {team: experts - interests.barred_from(team) for team in teams}
    fewest = len(experts)
    of_each = undecided.values_list("pk", "tester", "origin", "assignment__entry__bot__team")
    for dialogue, tester, origin, team in of_each.iterator():
        may_assess, assessed = judging[team], given.get(dialogue, set())
        is_talker = origin == Dialogue.Origin.LIVE and tester in may_assess and tester not in assessed
        fewest = min(fewest, len(may_assess) - is_talker + len(assessed - may_assess))
    return fewest


def n_experts_needed(campaign: Campaign) -> int:
    """How many experts assess a dialogue before it is accepted or returned."""
    return campaign.experts_per_dialogue


def idle_reviewers(campaign: Campaign, at: datetime) -> list[PersonInNeed]:
    """Reviewers who for a day have had dialogues to score, and opened or scored none; nobody before review is open.

    What is drawn for them meanwhile is no work of theirs: since when counts from the first dialogue that waits, and not from
    before review is open.
    """
    if not campaign.panels_score or not is_open(campaign, Doing.REVIEW, at):
        return []
    at_work = campaign.roles.at_work().filter(role=Role.REVIEWER).values("person")
    places = ReviewPlace.objects.of_campaign(campaign).held().filter(reviewer__in=at_work).order_by()
    is_left = Q(done_at=None)
    rows = places.values_list("reviewer__username").annotate(
        n_left=Count("pk", filter=is_left),
        waits_since=Min("drawn_at", filter=is_left),
        acted_at=Max(Coalesce("done_at", "opened_at")),
    )
    found = [
        PersonInNeed(username, max(since, acted_at or since, campaign.review_from or since), n=n_left)
        for username, n_left, since, acted_at in rows.filter(n_left__gt=0)
    ]
    return sorted((one for one in found if one.since < at - IDLE_AFTER), key=lambda one: (one.since, one.username))


# Panels and places are read from whole tables.
DEARLY_EVERY = timedelta(seconds=30)
# The deadline has passed so long ago that the sweep should have failed the turn.
STUCK_AFTER = timedelta(seconds=60)


class NeedsOf:
    """What needs a person in one campaign, looked at again and again. Used by one thread at a time."""

    def __init__(self, campaign_id: int) -> None:
        self._campaign_id = campaign_id
        self._dearly_at: datetime | None = None

    def forget(self) -> None:
        """The next look reads everything again."""
        self._dearly_at = None

    def shown(self, languages: Collection[str], at: datetime, sections: Sections) -> dict[str, list[NeedShown]]:
        """By language, in its words."""
        campaign = Campaign.objects.get(pk=self._campaign_id)
        facts = self._facts(campaign, at, sections)
        found = {}
        for language in languages:
            with override(language):
                found[language] = [need.shown(url_of(need, campaign)) for need in needs_of(facts)]
        return found

    def _facts(self, campaign: Campaign, at: datetime, sections: Sections) -> Facts:
        interests = Interests(campaign)
        if self._dearly_at is None or at >= self._dearly_at:
            self._panels, self._idle = short(campaign, at), idle_reviewers(campaign, at)
            self._n_experts = fewest_experts(campaign, interests)
            self._dearly_at = at + DEARLY_EVERY
        outage = Outage.objects.standing(at).first()
        return Facts(
            outage=outage.began_at if outage else None,
            failing=failing_in(sections),
            paused=_paused(campaign),
            unconnected=_unconnected(campaign, at),
            away=_away(campaign, at),
            stuck=stuck_in(sections, at),
            problems=first_of(Problem.objects.filter(dialogue__assignment__campaign=campaign, settled_at=None), "at"),
            requests=requests(campaign),
            objections=objections(campaign),
            panels=self._panels,
            idle=self._idle,
            disputes=disputes(campaign),
            unvetted=unvetted(campaign, at),
            n_experts=self._n_experts,
            n_experts_needed=n_experts_needed(campaign),
            n_adjudicators=interests.judging(Role.ADJUDICATOR).count(),
            freeze_failed=first_of(FreezeOrder.objects.filter(campaign=campaign).exclude(failure=""), "asked_at"),
            freezing=first_of(FreezeOrder.objects.filter(campaign=campaign, failure=""), "asked_at"),
            tasks=first_of(campaign.automatic_tasks.filter(n_board_troubles__gt=0), "board_trouble_at"),
            runs_without_worker=_runs_without_worker(campaign, at),
            unready=_unready(campaign),
            undrawn=_undrawn(campaign, interests, at),
            barred=_barred(campaign, interests, at),
            submitted=first_of(campaign.entries.filter(withdrawn_at=None, submitted_at__isnull=False), "submitted_at"),
            changed=_changed(campaign),
            drifting=first_of(SentinelRound.objects.of_campaign(campaign).standing(), "began_at"),
            unchecked=_unchecked(campaign, at),
            services_submitted=first_of(services_of(campaign).filter(submitted_at__isnull=False), "submitted_at"),
            services_changed=_changed_services(campaign),
            services_failing=_failing_services(campaign),
            applications=first_of(Application.objects.of_campaign(campaign).waiting(), "applied_at"),
        )


def url_of(need: Need, campaign: Campaign) -> str:
    query = f"?{urlencode(need.query)}" if need.query else ""
    return reverse(need.page, args=[campaign.slug]) + query


def failing_in(sections: Sections) -> list[BotInNeed]:
    """The bots that the wall shows as failing, with how many dialogues are open with each."""
    return [
        BotInNeed(alias, datetime.fromisoformat(row["since"]), row["live"])
        for alias, row in sections["bots"].items()
        if row["state"] == "failing"
    ]


def stuck_in(sections: Sections, at: datetime) -> Waiting:
    """Dialogues that wait for a bot whose time ran out over a minute ago."""
    untils = [datetime.fromisoformat(row["until"]) for row in sections["dialogues"].values() if row["waits_for"] == BOT]
    late = [until for until in untils if until + STUCK_AFTER < at]
    return Waiting(len(late), min(late)) if late else NOTHING


def _paused(campaign: Campaign) -> list[BotInNeed]:
    paused = campaign.entries.filter(paused_at__isnull=False, withdrawn_at=None).order_by("paused_at", "pk")
    n_left = _n_left(campaign, "entry", paused)
    return [
        BotInNeed(
            one.alias, one.paused_at, n_left[one.pk], one.paused_because, is_probed=one.paused_by == PausedBy.PLATFORM
        )
        for one in paused
    ]


def _n_left(campaign: Campaign, of: str, among: Iterable[Any]) -> Counter[int]:
    """How many assignments that nobody has begun each of them has."""
    to_do = campaign.assignments.filter(started_at=None, **{f"{of}__in": among}).order_by()
    return Counter(dict(to_do.values_list(of).annotate(n=Count("pk"))))


def _unconnected(campaign: Campaign, at: datetime) -> list[BotInNeed]:
    """Bots that testers could be offered, if only their programs were connected; none before testing begins."""
    if not is_open(campaign, Doing.TEST, at):
        return []
    dialling = (
        campaign.entries.offered(campaign, at).filter(protocol=DIAL_OUT).select_related("dial_key").order_by("alias")
    )
    off = [(one, key_of(one)) for one in dialling]
    off = [(one, key) for one, key in off if key is None or not key.is_connected(at)]
    n_left = _n_left(campaign, "entry", [one for one, _key in off])
    return [
        BotInNeed(one.alias, (key.last_seen_at or key.made_at) if key else one.registered_at, n_left[one.pk])
        for one, key in off
    ]


def _away(campaign: Campaign, at: datetime) -> list[PersonInNeed]:
    """Testers and reviewers who pause, while an organizer can do something about it; who does both is named once."""
    if not is_open(campaign, Doing.ORGANIZE, at):
        return []
    paused = campaign.roles.filter(role__in=WITH_WORK).exclude(paused_at=None).select_related("person")
    by_person = {one.person_id: one for one in paused.order_by("paused_at", "pk")}
    n_left = _n_left(campaign, "tester", list(by_person))
    return [
        PersonInNeed(one.person.username, one.paused_at, one.paused_because, n_left[pk])
        for pk, one in by_person.items()
        if one.paused_at
    ]


def _runs_without_worker(campaign: Campaign, at: datetime) -> Waiting:
    waiting = Run.objects.filter(task__campaign=campaign, state=RunState.QUEUED)
    return NOTHING if has_worker(at) else first_of(waiting, "submitted_at")


def _changed(campaign: Campaign) -> Waiting:
    """Systems whose latest fingerprint differs from that of their admission."""
    taken = Fingerprint.objects.filter(entry=OuterRef("pk"), failure=[]).exclude(answers=[])
    latest = campaign.entries.taking_part().annotate(
        latest=Subquery(taken.order_by("-taken_at", "-pk").values("pk")[:1])
    )
    return first_of(Fingerprint.objects.filter(HAS_CHANGED, pk__in=latest.values("latest")), "taken_at")


def services_of(campaign: Campaign) -> ServiceQuerySet:
    """Those of all its tasks that nobody withdrew."""
    return Service.objects.filter(task__campaign=campaign, withdrawn_at=None)


def _changed_services(campaign: Campaign) -> Waiting:
    """Services whose latest fingerprint differs from that of their admission."""
    latest = services_of(campaign).taking_part().latest_prints()
    return first_of(latest.filter(HAS_CHANGED), "taken_at")


def _failing_services(campaign: Campaign) -> Waiting:
    """Services whose latest run at this address failed, and that no green check has shown to work since."""
    same = {"task": OuterRef("task"), "team": OuterRef("team"), "url": OuterRef("url")}
    latest = Run.objects.filter(**same).order_by("-submitted_at", "-number")
    called = (
        services_of(campaign)
        .taking_part()
        .annotate(
            run_state=Subquery(latest.values("state")[:1]), run_ended_at=Subquery(latest.values("finished_at")[:1])
        )
    )
    return first_of(called.filter(run_state=RunState.FAILED).exclude(green_at__gte=F("run_ended_at")), "run_ended_at")


def _unchecked(campaign: Campaign, at: datetime) -> Waiting:
    """Systems that testers could be offered but for a report; none before testing begins, or without the demand."""
    if not campaign.green_report_hours or not is_open(campaign, Doing.TEST, at):
        return NOTHING
    fresh = campaign.entries.with_fresh_report(campaign, at).values("pk")
    return first_of(campaign.entries.with_address().exclude(pk__in=fresh), "green_at")


def _unready(campaign: Campaign) -> Lack | None:
    """The first lack that drawing assignments would not mend; none where there are some, or where nobody is to talk."""
    if campaign.is_published or campaign.assignments.exists() or campaign.imported_records.exists():
        return None
    if campaign.automatic_tasks.exists() and not campaign.scenarios.exists():
        return None
    steps = [step for step in setup_steps(campaign) if step.page in {"scenarios", "teams", "invitations"}]
    return next((Lack(step.sentence, step.page, step.title) for step in steps if not step.is_done), None)


def _undrawn(campaign: Campaign, interests: Interests, at: datetime) -> Waiting:
    """Dialogues that the plan asks for and that nobody has begun or is to begin; since when is not known.

    Counted by bot: what exactly a drawing would change takes a second of a large plan, and the coverage page shows it.
    """
    if campaign.free_choice:
        return NOTHING
    testers = set(interests.judging(Role.TESTER).values_list("person", flat=True))
    begun_or_to_do = Q(assignments__started_at__isnull=False) | Q(assignments__tester__in=testers)
    # Joins bypass the managers: practice and programs are left out by hand.
    there = begun_or_to_do & Q(assignments__is_practice=False, assignments__is_apart=False)
    assigned = campaign.entries.planned(campaign, at).annotate(n=Count("assignments", filter=there))
    demand = Demand(
        plan=campaign.plan,
        n_testers=len(testers),
        n_scenarios=campaign.scenarios.tested().count(),
        testers_per_cell=campaign.testers_per_cell,
        dialogues_per_bot=campaign.dialogues_per_bot,
        quota=campaign.quota,
    )
    numbers = list(assigned.values_list("pk", "n", "bot__team"))
    if campaign.plan != PlanKind.FULL:
        return Waiting(demand.missing(n for _, n, _ in numbers))
    # In the full plan a bot needs no dialogue with testers whom an interest in its team bars. Theirs from before that stand
    # for no gap of somebody else.
    theirs = campaign.assignments.filter(tester__in=testers & interests.teams.keys())
    places = theirs.order_by().values_list("entry", "entry__bot__team", "tester")
    n_barred = Counter(entry for entry, team, tester in places if interests.bars(tester, team))
    return Waiting(
        demand.missing(
            n - n_barred[entry] + demand.n_scenarios * len(testers & interests.barred_from(team))
            for entry, n, team in numbers
        )
    )


def _barred(campaign: Campaign, interests: Interests, at: datetime) -> Waiting:
    """Assignments that their testers may not begin: an interest bars them."""
    if not interests.teams or campaign.free_choice or not is_open(campaign, Doing.ORGANIZE, at):
        return NOTHING
    to_do = assignments_to_do(campaign, ToDoFilters()).filter(tester__in=interests.teams).order_by()
    places = to_do.values_list("tester", "entry__bot__team")
    return Waiting(sum(interests.bars(tester, team) for tester, team in places))
