"""Reads what the preflight looks at, in a number of queries that does not grow with the campaign."""

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import Any

from django.core.cache import caches
from django.db.models import (
    Aggregate,
    BooleanField,
    Count,
    DateTimeField,
    Exists,
    ForeignKey,
    IntegerField,
    Max,
    Model,
    OuterRef,
    Q,
    QuerySet,
    Sum,
)
from django.utils import timezone
from django.utils.translation import get_language

from accounts.models import Person
from audit.models import TrailLine
from campaigns.interests import Interests
from campaigns.models import Campaign, Entry, TeamMember
from dialogues.fault_policy import fault_policy_of
from dialogues.models import Dialogue, DialogueQuerySet, is_broken
from dialogues.trail_acts import DIALOGUE_ENDED, DIALOGUE_RESTORED, DIALOGUE_VOIDED, FAULT_BOOKED
from leaderboards.board import Board, Row
from leaderboards.diagnostics.agreement_board import is_compared, n_missing, stored_agreement
from leaderboards.live_board import board_of, current_statistics, stored_board
from leaderboards.models import ImportedRecord
from pairs.board.stored import n_compared
from publication.preflight import Facts, Finding, findings_of
from reviews.models import ClosedPanel, Dispute, GoldReview, Review, ReviewPlace, RevisionRequest, Vetting
from reviews.panel_gaps import lacking_panels
from reviews.trail_acts import GOLD_SET, PANEL_CLOSED, PANEL_REOPENED, REVISION_GRANTED, REVISION_REFUSED
from reviews.training import gold_tries

# What an organizer decides about a single dialogue, in the trail.
DECISIONS = [
    act.key
    for act in (
        DIALOGUE_ENDED, DIALOGUE_VOIDED, DIALOGUE_RESTORED, FAULT_BOOKED, GOLD_SET, PANEL_CLOSED, PANEL_REOPENED,
        REVISION_GRANTED, REVISION_REFUSED,
    )
]  # fmt: skip


def preflight(campaign: Campaign) -> list[Finding]:
    return findings_of(facts_of(campaign))


def facts_of(campaign: Campaign) -> Facts:
    """The board is the stored one: what is computed at the moment of freezing differs by what came in since."""
    entries = {str(entry.pk): entry for entry in campaign.entries.select_related("bot__team").order_by("alias")}
    names = {key: f"{entry.alias} ({entry.bot.team.called})" for key, entry in entries.items()}
    # A bot that was withdrawn lacks nothing any more.
    staying = {key: entry for key, entry in entries.items() if entry.withdrawn_at is None}
    stored = stored_board(campaign).rows
    board = board_of(campaign, stored)
    closed = Dialogue.objects.of_campaign(campaign).reviewable()
    agreement = _agreement(campaign)
    return Facts(
        n_ranked=len(board.rows),
        n_compared=n_compared(campaign),
        n_open=Dialogue.objects.of_campaign(campaign).open().count(),
        n_not_done=_n_not_done(campaign),
        n_without_own_scores=_n_without_own_scores(campaign, closed),
        n_without_whole_panel=len(lacking_panels(campaign, timezone.now())),
        n_disputes=Dispute.objects.filter(dialogue__in=closed, settled_at=None).count(),
        n_not_vetted=_n_not_vetted(campaign, closed),
        n_requests=RevisionRequest.objects.filter(
            review__dialogue__assignment__campaign=campaign, is_granted=None
        ).count(),
        holes=[(names[str(pk)], n, n_all) for pk, n, n_all in _holes(campaign, staying.values())],
        left_out=[(names[str(pk)], n) for pk, n in _left_out(campaign)],
        unranked=[
            (names[row.key], str(row.reason.label)) for row in board.unranked if row.reason and row.key in staying
        ],
        weights=[(names[row.key], stored[row.key]["weight"]) for row in board.rows],
        ties=[(rank, [names[row.key] for row in rows]) for rank, rows in _ties(board)],
        alphas=[(name, row["alpha"]) for name, row in agreement if row["alpha"] is not None and not n_missing(row)],
        uncompared=[name for name, row in agreement if not is_compared(row)],
        below_gold=_below_gold(campaign),
        lacks_gold=bool(campaign.gold_every)
        and not GoldReview.objects.filter(dialogue__assignment__campaign=campaign).exists(),
        has_intervals=current_statistics(campaign) is not None,
        interested=_interested(campaign),
    )


def _interested(campaign: Campaign) -> list[tuple[str, int, int, int, int]]:
    """The people with how many dialogues of bots in which they have an interest they tested and scored, of those that count, how many
    they vetted, those too that were returned, and on how many they decided as organizers; by name.
    """
    interests = Interests(campaign)
    if not interests.teams:
        return []
    people, team = list(interests.teams), "assignment__entry__bot__team"
    closed = Dialogue.objects.of_campaign(campaign).reviewable()
    judged: list[Any] = [
        closed.filter(tester__in=people, origin=Dialogue.Origin.LIVE).values_list("tester", team),
        Review.objects.filter(reviewer__in=people, is_counted=True, dialogue__in=closed).values_list(
            "reviewer", f"dialogue__{team}"
        ),
        Vetting.objects.filter(expert__in=people, dialogue__assignment__campaign=campaign).values_list(
            "expert", f"dialogue__{team}"
        ),
    ]
    counts: dict[int, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for place, rows in enumerate(judged):
        for person, one, n in rows.order_by().annotate(n=Count("pk")):
            counts[person][place] += n if interests.bars(person, one) else 0
    lines = TrailLine.objects.of_campaign(campaign.slug).filter(person_id__in=people, act__in=DECISIONS)
    decided: set[Any] = set(lines.values_list("person_id", "details__dialogue"))
    of_dialogues = Dialogue.everything.filter(pk__in={dialogue for _person, dialogue in decided})
    teams = {str(pk): one for pk, one in of_dialogues.values_list("pk", team)}
    for person, dialogue in decided:
        counts[person][-1] += interests.bars(person, teams.get(dialogue))
    names = dict(Person.objects.filter(pk__in=counts).values_list("pk", "username"))
    return sorted((names[person], own[0], own[1], own[2], own[3]) for person, own in counts.items() if any(own))


def _n_not_done(campaign: Campaign) -> int:
    """Assignments that have no dialogue that counts, also an open one; where testers choose for themselves nothing is left to do."""
    counted = Dialogue.objects.counted().filter(assignment=OuterRef("pk"))
    left = campaign.assignments.of_the_plan().exclude(Exists(counted))
    return 0 if campaign.free_choice else left.count()


def _n_without_own_scores(campaign: Campaign, closed: DialogueQuerySet) -> int:
    if not campaign.testers_score:
        return 0
    return closed.filter(scored_at=None, origin=Dialogue.Origin.LIVE).count()


def _n_not_vetted(campaign: Campaign, closed: DialogueQuerySet) -> int:
    if not campaign.experts_per_dialogue:
        return 0
    return closed.exclude(pk__in=Vetting.objects.dialogues_accepted_in(campaign)).count()


def _holes(campaign: Campaign, entries: Collection[Entry]) -> Iterator[tuple[int, int, int]]:
    """Bots with how many of how many scenarios that they were to meet they have no record of.

    Where the plan draws scenarios, those are what it drew. Imported records know other scenarios.
    """
    if ImportedRecord.objects.filter(campaign=campaign).exists():
        return
    records_of = Dialogue.objects.of_campaign(campaign).reviewable().under(fault_policy_of(campaign))
    counted = Review.objects.filter(is_counted=True, dialogue__in=records_of).order_by()
    covered: dict[int, set[int]] = defaultdict(set)
    places = counted.values_list("dialogue__assignment__entry", "dialogue__assignment__scenario")
    for pk, scenario in places.distinct():
        covered[pk].add(scenario)
    wanted = _scenarios_to_meet(campaign, [entry.pk for entry in entries])
    for pk, scenarios in wanted.items():
        n_missing = len(scenarios - covered[pk])
        if n_missing and covered[pk]:
            yield pk, n_missing, len(scenarios)


def _scenarios_to_meet(campaign: Campaign, entries: Collection[int]) -> dict[int, set[int]]:
    if campaign.covers_every_scenario:
        every = set(campaign.scenarios.tested().values_list("pk", flat=True))
        return dict.fromkeys(entries, every)
    drawn: dict[int, set[int]] = {pk: set() for pk in entries}
    cells = campaign.assignments.of_the_plan().filter(entry__in=entries).order_by()
    for pk, scenario in cells.values_list("entry", "scenario").distinct():
        drawn[pk].add(scenario)
    return drawn


def _left_out(campaign: Campaign) -> list[tuple[int, int]]:
    """Bots with how many dialogues the campaign leaves out although they are scored; none unless its policy says so."""
    if not fault_policy_of(campaign).leaves_out_broken:
        return []
    broken = Dialogue.objects.of_campaign(campaign).reviewable().filter(is_broken())
    counted = Review.objects.filter(is_counted=True, dialogue__in=broken).order_by()
    return list(counted.values_list("dialogue__assignment__entry").annotate(n=Count("dialogue", distinct=True)))


def _ties(board: Board) -> Iterator[tuple[int, list[Row]]]:
    sharing: dict[int, list[Row]] = defaultdict(list)
    for row in board.rows:
        sharing[row.rank or 0].append(row)
    return ((rank, rows) for rank, rows in sharing.items() if len(rows) > 1)


def _agreement(campaign: Campaign) -> list[tuple[str, dict[str, Any]]]:
    """The names of the criteria that were scored, with what is stored of their agreement."""
    figures = stored_agreement(campaign).rows.get("criteria", {})
    return [(one.name, figures[one.key]) for one in campaign.rubric.criteria.all() if one.key in figures]


def _below_gold(campaign: Campaign) -> list[tuple[str, int]]:
    """Reviewers who gave fewer of the gold scores exactly than the campaign's pass mark asks for."""
    percent = campaign.training_pass_percent
    if percent is None:
        return []
    exact: dict[int, int] = defaultdict(int)
    asked: dict[int, int] = defaultdict(int)
    for one in gold_tries(campaign):
        exact[one.reviewer_id] += one.n_exact
        asked[one.reviewer_id] += one.n_scores
    shares = {person: 100 * exact[person] // n for person, n in asked.items() if n}
    names = dict(Person.objects.filter(pk__in=shares).values_list("pk", "username"))
    return sorted((names[person], share) for person, share in shares.items() if share < percent)


# Reserved places of panels end by the clock alone, which changes no row.
LOOKED_AT_LEAST_EVERY_S = 60


def known_findings(campaign: Campaign) -> list[Finding]:
    """For pages: looks again only once a row that the preflight reads has changed. A freeze asks `preflight` itself."""
    return findings_of(known_facts(campaign))


def known_facts(campaign: Campaign) -> Facts:
    # Read before the facts are: what changes meanwhile has another state, and is looked at again.
    key = f"preflight:{campaign.pk}:{get_language()}:{state_of(campaign)}"
    # Each process looks for itself: Redis may be away, and another version may run beside this one.
    cache = caches["own"]
    facts: Facts | None = cache.get(key)
    if facts is None:
        facts = facts_of(campaign)
        cache.set(key, facts, LOOKED_AT_LEAST_EVERY_S)
    return facts


def state_of(campaign: Campaign) -> str:
    """Another text as soon as a row has come, gone or changed that the preflight reads; one short query per table."""
    states = [rows.order_by().aggregate(n=Count("pk"), **dict(_sums(rows.model))) for rows in _tables(campaign)]
    own = Campaign.objects.filter(pk=campaign.pk).values_list().get()
    rubric = list(campaign.rubric.criteria.order_by("pk").values_list())
    return hashlib.sha256(repr((own, rubric, states)).encode()).hexdigest()


def _tables(campaign: Campaign) -> Iterator[QuerySet[Any]]:
    yield Dialogue.objects.of_campaign(campaign)
    for table in (Review, ReviewPlace, Dispute, Vetting, GoldReview, ClosedPanel):
        yield table._default_manager.filter(dialogue__assignment__campaign=campaign)
    yield RevisionRequest.objects.filter(review__dialogue__assignment__campaign=campaign)
    # Who has an interest, other campaigns of the same teams say as well.
    teams = campaign.entries.values("bot__team")
    yield Entry.objects.filter(bot__team__in=teams)
    yield TeamMember.objects.filter(Q(campaign=campaign) | Q(team__in=teams))
    for rows in (campaign.assignments, campaign.scenarios, campaign.roles, campaign.stored_boards):
        yield rows.all()
    yield campaign.imported_records.all()


def _sums(table: type[Model]) -> Iterator[tuple[str, Aggregate]]:
    """Aggregates that a change of any short column moves: the latest date and how many there are, sums, counts per choice."""
    for field in table._meta.concrete_fields:
        name, short = field.attname, field.name
        if isinstance(field, DateTimeField):
            yield f"{short}_latest", Max(name)
            yield f"{short}_there", Count(name)
        elif isinstance(field, BooleanField):
            yield f"{short}_true", Count("pk", filter=Q(**{name: True}))
        elif isinstance(field, IntegerField) or (
            isinstance(field, ForeignKey) and isinstance(field.target_field, IntegerField)
        ):
            yield f"{short}_sum", Sum(name)
        else:
            for number, (choice, _label) in enumerate(field.flatchoices):
                yield f"{short}_{number}", Count("pk", filter=Q(**{name: choice}))
