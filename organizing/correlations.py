"""How automatic figures and human means go together: computed over a campaign's systems and stored for the page (MSDE Tables 11–13)."""

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import OuterRef, Q, QuerySet, Subquery, Sum

from automatic_tasks.models import AutomaticTask
from campaigns.models import Campaign
from leaderboards.live_board import LIVE, named, scored_criteria, stored_board
from leaderboards.live_sums import sums_by_cell
from leaderboards.models import StoredBoard
from measures.live import LiveSums
from organizing.metrics import Place, gather, in_order
from organizing.models import MetaEvaluation, MetricFile
from publication.models import OF_LEADERBOARD, Publication, Snapshot
from scoring.figure_tables import row_of

SEED = 0
ORGANIZERS, EVERYBODY = MetaEvaluation.Audience.ORGANIZERS, MetaEvaluation.Audience.EVERYBODY
Content = dict[str, Any]


def with_metrics(at: datetime) -> QuerySet[Campaign]:
    """Campaigns with automatic tasks or an uploaded table."""
    return with_versions(at).filter(Q(boards_version__isnull=False) | Q(file_id__isnull=False))


def with_versions(at: datetime) -> QuerySet[Campaign]:
    """All campaigns, with the versions of what their correlations depend on at that time."""
    tasks = AutomaticTask.objects.filter(campaign=OuterRef("pk")).order_by().values("campaign")
    live = StoredBoard.objects.filter(campaign=OuterRef("pk"), key=LIVE)
    public = Publication.objects.of_board(OF_LEADERBOARD).filter(snapshot__campaign=OuterRef("pk")).public(at)
    file = MetricFile.objects.filter(campaign=OuterRef("pk"))
    return Campaign.objects.annotate(
        boards_version=Subquery(tasks.annotate(version=Sum("board_version")).values("version")),
        live_version=Subquery(live.values("scores_version")),
        snapshot_id=Subquery(public.values("snapshot")[:1]),
        file_id=Subquery(file.values("pk")),
    )


def state_of(campaign: Campaign, audience: str) -> str:
    """Names the state of all that the correlations depend on, of a campaign from `with_versions`."""
    scores = "live_version" if audience == ORGANIZERS else "snapshot_id"
    versions = (getattr(campaign, name) for name in (scores, "boards_version", "file_id"))
    return "/".join(str(version or 0) for version in versions)


def is_of_snapshot_in_force(stored: MetaEvaluation, campaign: Campaign) -> bool:
    """Whether what was computed for everybody is of the snapshot that is public now; of a campaign from `with_versions`."""
    return stored.made_from.partition("/")[0] == state_of(campaign, EVERYBODY).partition("/")[0]


def audiences_of(campaign: Campaign) -> list[str]:
    """Whom a meta-evaluation is computed for, of a campaign from `with_versions`: everybody once scores are published."""
    return [ORGANIZERS] if campaign.snapshot_id is None else [ORGANIZERS, EVERYBODY]  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class People:
    """The human side: means by entry in the order of the leaderboard, and what each system may be called.

    `hides_teams`: nothing may tell which team made which.
    """

    means: Mapping[Place, Mapping[str, float]]
    names: Mapping[str, str]
    hides_teams: bool = False


def meta_evaluation_of(campaign: Campaign, people: People) -> Content:
    """The correlations with everything that they are computed from; seconds where there are hundreds of pairs.

    `rows` are as the command `correlate` gives them, with `skill`; both tables stand there by skill and entry, in the order
    that the bootstrap went by, so that anybody can compute them again.
    """
    # Large libraries, which no page needs.
    from measures.correlation import over_systems
    from measures.resampling import N_RESAMPLES

    gathered = gather(campaign)
    automatic = {place: gathered.figures[place] for place in people.means if place in gathered.figures}
    found = over_systems(_by_group(automatic), _by_group(people.means), seed=SEED, n_resamples=N_RESAMPLES)
    return {
        "seed": SEED,
        "n_resamples": N_RESAMPLES,
        "metrics": list(in_order(gathered.metrics.values())),
        "names": dict(people.names),
        "hides_teams": people.hides_teams,
        "automatic": _stored(automatic),
        "human": _stored(people.means),
        "rows": [row_of(one, ["skill"]) for one in found],
        "unmatched": sorted(gathered.unmatched),
        "ambiguous": sorted(gathered.ambiguous),
    }


def people_now(campaign: Campaign) -> People:
    """The figures of the leaderboard as they were computed last, for every bot that has records."""
    entries = list(campaign.entries.values_list("pk", "bot__team__name", "bot__name"))
    teams = [team for _, team, _ in entries]
    names = {str(pk): team if teams.count(team) == 1 else f"{team} / {bot}" for pk, team, bot in entries}
    rows = stored_board(campaign).rows
    means = {("", entry): _present(row["figures"]) for entry, row in rows.items() if entry in names}
    return People(means | means_by_skill(campaign), names)


def means_by_skill(campaign: Campaign) -> dict[Place, dict[str, float]]:
    """The same of the scenarios of each skill, where the uploaded table tells skills apart: a second pass over all records."""
    file = MetricFile.objects.filter(campaign=campaign).first()
    if file is None or not any(row["skill"] for row in file.figures):
        return {}
    skills = dict(campaign.scenarios.exclude(skill="").values_list("key", "skill"))
    criteria = [criterion.key for criterion in scored_criteria(campaign)]
    sums: dict[Place, LiveSums] = defaultdict(LiveSums)
    for (entry, scenario), cell in sums_by_cell(campaign, criteria).items():
        if scenario in skills:
            sums[skills[scenario], str(entry)].add(cell)
    return {place: _present(named(total.figures(criteria))) for place, total in sorted(sums.items())}


def people_published(campaign: Campaign, snapshot: Snapshot) -> People:
    """The figures of a published snapshot, under the names that it has."""
    name = "alias" if snapshot.hides_teams else "key"
    entries = {key: str(pk) for pk, key in campaign.entries.values_list("pk", name)}
    rows = [row for row in json.loads(snapshot.board)["rows"] if row["key"] in entries]
    teams = [row["team"] for row in rows]
    return People(
        means={("", entries[row["key"]]): _present(row["figures"]) for row in rows},
        names={entries[row["key"]]: _name_of(row, is_alone=teams.count(row["team"]) == 1) for row in rows},
        hides_teams=snapshot.hides_teams,
    )


def _name_of(row: Mapping[str, Any], *, is_alone: bool) -> str:
    """A system by its team, or by both where the team has several; bots' names tell apart within a team only."""
    if not row["team"]:
        return str(row["bot"])
    return str(row["team"]) if is_alone else f"{row['team']} / {row['bot']}"


def _present(figures: Mapping[str, float | None]) -> dict[str, float]:
    return {name: value for name, value in figures.items() if value is not None}


def _by_group(figures: Mapping[Place, Mapping[str, float]]) -> dict[tuple[tuple[str], str], Mapping[str, float]]:
    return {((skill,), entry): of_system for (skill, entry), of_system in figures.items()}


def _stored(figures: Mapping[Place, Mapping[str, float]]) -> list[Content]:
    return [{"skill": skill, "entry": entry, "figures": dict(row)} for (skill, entry), row in figures.items()]


def stored_evaluation(campaign: Campaign, audience: str) -> MetaEvaluation:
    """What was computed last; an empty one where nothing was yet."""
    stored = campaign.meta_evaluations.filter(audience=audience).first()
    return stored or MetaEvaluation(campaign=campaign, audience=audience)
