"""After publication: what a team reads of its own system beside the others: figures, lost turns, scored dialogues, failures.

Neither testers nor reviewers are named. Of other systems there are means over all of them alone, and none where there are too few to
hide one. What a scenario is about is told where transcripts are released; else it goes by its number.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.core.cache import caches
from django.db.models import Count
from django.http import Http404
from django.utils.translation import gettext_noop

from campaigns.models import Campaign, Entry
from dialogues.models import Dialogue, Objection
from dialogues.turn_taking import REVIEWABLE, DialogueStatus
from leaderboards.board import Key
from leaderboards.live_board import columns_of, named, scored_criteria
from leaderboards.live_sums import Cell, sums_by_cell
from leaderboards.records import counted_lines, value_of
from measures.live import MEAN_TURNS, LiveSums, mean, record_of
from reviews.models import Rating
from team_desk.own_dialogues import failed_calls, is_released

# With fewer other teams a mean would tell of one of them.
FEWEST_OTHERS = 2
DIALOGUES_SHOWN = 500
# Sums that nobody asks for any more make room.
KEPT_S = 3600
STATES = {
    DialogueStatus.COMPLETED: gettext_noop("finished"),
    DialogueStatus.UNFINISHED: gettext_noop("not finished"),
    DialogueStatus.VOID: gettext_noop("void"),
}


@dataclass(frozen=True, slots=True)
class Beside:
    """A figure of the own system and the mean of all others; None where there is none, or it would tell of one system."""

    key: Key
    own: float | None
    others: float | None


@dataclass(frozen=True, slots=True)
class LostTurns:
    """A case with the mean of the turns that counted there: of the own system, and of all others."""

    case: str
    own: float
    others: float

    @property
    def lost(self) -> float:
        return self.own - self.others


@dataclass(frozen=True, slots=True)
class ScoredDialogue:
    """A dialogue with the mean of its counted scores by figure, and which turns reviewers named for which criterion."""

    dialogue: Dialogue
    case: str
    scores: Mapping[str, float | None]
    evidence: Sequence[tuple[str, int]]
    is_released: bool

    @property
    def state(self) -> str:
        return STATES[DialogueStatus(self.dialogue.status)]

    @property
    def against(self) -> str:
        """What can be objected to: that it is void, else its scores."""
        is_void = self.dialogue.status == DialogueStatus.VOID
        return Objection.Against.VOID if is_void else Objection.Against.SCORES


@dataclass(frozen=True, slots=True)
class OwnReport:
    keys: Sequence[Key]
    figures: Sequence[Beside]
    lost: Sequence[LostTurns]
    dialogues: Sequence[ScoredDialogue]
    failures: Sequence[Mapping[str, Any]]


def report_of(entry: Entry) -> OwnReport:
    """Some fifteen queries, whatever the number of dialogues. Errors: `Http404` before the publication."""
    campaign = entry.campaign
    if not campaign.board_is_public:
        raise Http404
    keys, cases = columns_of(campaign), cases_of(campaign)
    rivals = rivals_of(entry)
    cells = known_cells(campaign)
    return OwnReport(
        keys=keys,
        figures=beside(entry, keys, cells, rivals),
        lost=lost_turns(entry, cells, cases, rivals),
        dialogues=scored_dialogues(entry, cases),
        failures=list(failed_calls(entry).order_by("kind", "fault").values("kind", "fault").annotate(n=Count("pk"))),
    )


def known_cells(campaign: Campaign) -> Mapping[Cell, LiveSums]:
    """The sums of every system in every scenario. Each process adds them up once for a version of the scores: reports of all teams share them."""
    key, cache = f"cells:{campaign.pk}:{campaign.scores_version}", caches["own"]
    cells: Mapping[Cell, LiveSums] | None = cache.get(key)
    if cells is None:
        cells = sums_by_cell(campaign, [criterion.key for criterion in scored_criteria(campaign)])
        cache.set(key, cells, KEPT_S)
    return cells


def cases_of(campaign: Campaign) -> dict[str, str]:
    """What each scenario is called to a team, by its key."""
    scenarios = campaign.scenarios.order_by("position", "pk")
    return {
        one.key: one.title if campaign.releases_transcripts else f"#{number}"
        for number, one in enumerate(scenarios, start=1)
    }


def beside(
    entry: Entry, keys: Iterable[Key], cells: Mapping[Cell, LiveSums], rivals: Mapping[int, int]
) -> list[Beside]:
    own, others = _added(cells, entry.pk), _added(cells, *_others(rivals, cells))
    return [Beside(key, _figure(own, key.name), _figure(others, key.name)) for key in keys]


def lost_turns(
    entry: Entry, cells: Mapping[Cell, LiveSums], cases: Mapping[str, str], rivals: Mapping[int, int]
) -> list[LostTurns]:
    """The cases in which the own system took more turns than the others on average, the most first."""
    rows = []
    for key in {case for pk, case in cells if pk == entry.pk}:
        here = {cell: sums for cell, sums in cells.items() if cell[1] == key}
        own, others = cells[entry.pk, key], _added(here, *_others(rivals, here))
        mine, theirs = _figure(own, MEAN_TURNS.name), _figure(others, MEAN_TURNS.name)
        if mine is not None and theirs is not None and mine > theirs:
            rows.append(LostTurns(cases.get(key, key), mine, theirs))
    return sorted(rows, key=lambda row: (-row.lost, row.case))


def rivals_of(entry: Entry) -> dict[int, int]:
    """The systems of other teams, with their teams."""
    others = entry.campaign.entries.exclude(bot__team=entry.bot.team_id)
    return dict(others.values_list("pk", "bot__team"))


def _others(rivals: Mapping[int, int], cells: Mapping[Cell, LiveSums]) -> set[int]:
    """The systems of other teams that have figures; nobody where the teams are too few: of one, its exact figures would follow."""
    found = {pk for pk, _case in cells if pk in rivals}
    return found if len({rivals[pk] for pk in found}) >= FEWEST_OTHERS else set()


def _added(cells: Mapping[Cell, LiveSums], *entries: int) -> LiveSums:
    total = LiveSums()
    for (pk, _case), sums in cells.items():
        if pk in entries:
            total.add(sums)
    return total


def _figure(sums: LiveSums, name: str) -> float | None:
    return named(sums.figures([name]))[name] if sums.n_records else None


def scored_dialogues(entry: Entry, cases: Mapping[str, str]) -> list[ScoredDialogue]:
    """Those that are closed or void, in the order of the cases."""
    campaign = entry.campaign
    found = Dialogue.objects.of_campaign(campaign).filter(
        assignment__entry=entry, status__in=[*REVIEWABLE, DialogueStatus.VOID]
    )
    shown = list(found.with_names().order_by("assignment__scenario__position", "closed_at", "pk")[:DIALOGUES_SHOWN])
    ids = [one.pk for one in shown]
    scores, evidence = _scores(campaign, ids), _evidence(ids)
    return [
        ScoredDialogue(
            one, cases[one.assignment.scenario.key], scores.get(one.pk, {}), evidence.get(one.pk, ()),
            is_released(one, campaign),
        )
        for one in shown
    ]  # fmt: skip


def _scores(campaign: Campaign, ids: Sequence[UUID]) -> dict[UUID, dict[str, float | None]]:
    """By dialogue the mean of each figure over the reviews that count."""
    given: dict[UUID, list[Any]] = defaultdict(list)
    for line in counted_lines(campaign, Dialogue.objects.filter(pk__in=ids)):
        given[line.dialogue].append(record_of(line.content))
    names = [key.name for key in columns_of(campaign)]
    return {
        dialogue: {name: mean(value_of(record, name) for record in records) for name in names}
        for dialogue, records in given.items()
    }


def _evidence(ids: Sequence[UUID]) -> dict[UUID, list[tuple[str, int]]]:
    """The turns that reviewers whose scores count named, each with the criterion's letter, once."""
    ratings = Rating.objects.filter(review__dialogue__in=ids, review__is_counted=True, evidence_turn__isnull=False)
    found: dict[UUID, list[tuple[str, int]]] = defaultdict(list)
    told = ratings.order_by("criterion__position", "evidence_turn").values_list(
        "review__dialogue", "criterion__letter", "criterion__key", "evidence_turn"
    )
    for dialogue, letter, key, turn in told.distinct():
        if turn is not None:
            found[dialogue].append((letter or key, turn))
    return found
