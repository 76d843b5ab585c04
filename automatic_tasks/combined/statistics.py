"""How sure a combined board is, drawn part by part (`measures/joined_samples.py`); the worker computes it beside its queue.

What is stored holds the figures that it was drawn for: it is shown beside those alone, whether they are of today or were published.
"""

import hashlib
import json
import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.utils import timezone

from automatic_tasks.boards import statistics as board_statistics
from automatic_tasks.boards.statistics import ReportProgress, go_on
from automatic_tasks.combined.boards import (
    PEOPLE,
    Parts,
    Place,
    Reader,
    combined_board,
    parts_of,
    places_of,
    sees_parts,
    tasks_of_board,
)
from automatic_tasks.combined.joining import Column, needed_columns
from automatic_tasks.models import AutomaticTask, CombinedBoard, CombinedStatistics, Split
from campaigns.models import Campaign
from leaderboards.board import Board
from leaderboards.live_board import stored_board

if TYPE_CHECKING:
    from measures.joined_samples import JoinedColumn, JoinedTotal, Part
    from measures.samples import Sample


def stored_statistics(board: CombinedBoard) -> CombinedStatistics:
    """What was computed last; an empty one where nothing was yet."""
    return CombinedStatistics.objects.filter(board=board).first() or CombinedStatistics(board=board)


def shown_statistics(
    board: CombinedBoard, stored: CombinedStatistics, made: Board, reader: Reader, state: "State | None" = None
) -> dict[str, Any]:
    """What a reader of the board may see: the statistics of the very figures and the rule that they see; empty where there are none.

    Organizers see the scores of today, and only what was drawn of these; `state` says which they are, where it was read. As on the board of a task, teams see no statistics of a
    development split.
    """
    if reader.is_organizer:
        contents = [stored.content] if stored.version == (state or state_of(board)).version else []
    else:
        is_shown = all(column["split"] != Split.DEVELOPMENT for column in board.columns)
        contents = [stored.content, stored.published] if is_shown else []
    found: dict[str, Any] = next((content for content in contents if _are_of(content, made)), {})
    return {name: told for name, told in found.items() if name not in ("figures", "rule")}


def statistics_in_force(board: CombinedBoard, made: Board) -> dict[str, Any]:
    """Those of the very figures that organizers see now; empty where they are not computed yet."""
    if not board.is_of_runs:
        return shown_statistics(board, stored_statistics(board), made, Reader.organizer(timezone.now()))
    task, split = place_of_runs(board)
    if board_statistics.statistics_under_way(task, split) is not None:
        return {}
    # As teams see it: how it agrees with the leaderboard of people is for organizers. Nor does it tell how it agrees with the
    # development split, whose ranking is made of runs, too, that their teams have not shown.
    told = board_statistics.shown_statistics(task, split, for_teams=True)
    return {name: value for name, value in told.items() if name != "development"}


def place_of_runs(board: CombinedBoard) -> tuple[AutomaticTask, Split]:
    """The task and split of a board of runs."""
    ((key, split),) = places_of(board)
    return tasks_of_board(board)[key], Split(split)


def published_statistics(board: CombinedBoard, stored: CombinedStatistics) -> dict[str, Any]:
    """Of what is stored, the statistics of the figures that everybody reads; newer ones are stored beside them.

    Empty where nothing is published, or it has other figures than were ever drawn.
    """
    everybody = Reader(frozenset(), timezone.now())
    if not sees_parts(board, everybody):
        return {}
    made = combined_board(board, everybody)
    found = (one for one in (stored.content, stored.published) if one and _are_of(one, made))
    return next(found, {})


def _are_of(content: Mapping[str, Any], made: Board) -> bool:
    """Whether the board has the rows with the figures, but for the noise of arithmetic, and the rule that the statistics were drawn for."""
    figures: Mapping[str, Mapping[str, float | None]] = content.get("figures", {})
    return content.get("rule") == [key.name for key in made.rule] and all(
        (row := made.row(team)) is not None and all(_is_same(row.figures.get(name), told[name]) for name in told)
        for team, told in figures.items()
    )


def _is_same(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)


@dataclass(frozen=True, slots=True)
class State:
    """Of which figures and by which rule a board is; as long as `version` is the same, nothing need be computed again.

    `changed_at` is when the newest of its figures came.
    """

    version: str
    changed_at: datetime | None

    def recomputing_since(self, stored: CombinedStatistics) -> datetime | None:
        """Since when the statistics of these figures are awaited: since there are these figures. None where they are there.

        Where nothing but the board's columns or rule changed, since they are being computed.
        """
        if stored.version == self.version:
            return None
        is_of_figures = not (self.changed_at and stored.computed_at and self.changed_at <= stored.computed_at)
        return self.changed_at if is_of_figures else stored.began_at


def state_of(board: CombinedBoard) -> State:
    tasks, campaign = tasks_of_board(board), board.campaign
    people = stored_board(campaign) if PEOPLE in places_of(board) else None
    made_by = [
        *(board.columns, board.total, board.ranking, board.interim),
        *(people.scores_version if people else None, campaign.ranking_rule),
        {key: [task.board_version, task.score_version] for key, task in sorted(tasks.items())},
    ]
    changed = [*(task.board_changed_at for task in tasks.values()), people.computed_at if people else None]
    version = hashlib.sha256(json.dumps(made_by, sort_keys=True).encode()).hexdigest()
    return State(version, max((at for at in changed if at), default=None))


def version_of(board: CombinedBoard) -> str:
    return state_of(board).version


def statistics_of(board: CombinedBoard, report_progress: ReportProgress = go_on) -> dict[str, Any]:
    """Rows by team, pairs and rankings as JSON, `parts` with the numbers of scenarios and items, and the `figures` and the `rule` they are of.

    Teams whose run has no usable sums take no part. Nothing is drawn where a part has fewer than two scenarios or items.
    """
    from measures.board_statistics import statistics
    from measures.joined_samples import joined_sample
    from measures.samples import SEED

    made = parts_of(board, Reader.organizer(timezone.now()))
    report_progress = never_back(report_progress)
    ranked = [row.team for row in made.board.rows]
    parts: dict[Place, Part] = {}
    for number, place in enumerate(made.sources):
        # The tests of the total are a step of their own, which comes last.
        report = _in_part(report_progress, number, len(made.sources) + 1)
        # A part's own seed: equal numbers of scenarios and items would else be drawn alike.
        needed = {column.figure for of_column, column in _placed(board, made) if of_column == place}
        part = _part(board.campaign, made, place, ranked, needed=needed, seed=SEED + number, report_progress=report)
        if part is not None:
            parts[place] = part
    told: dict[str, Any] = {
        "seed": SEED,
        "n_resamples": board_statistics.N_RESAMPLES,
        "n_permutations": board_statistics.N_PERMUTATIONS,
        "parts": [_told(place, parts.get(place), SEED + number) for number, place in enumerate(made.sources)],
        "rule": [key.name for key in made.board.rule],
    }
    ranking = needed_columns([key.name for key in made.board.rule], made.total)
    of_rank = [parts.get(place) for place, column in _placed(board, made) if column.key.name in ranking]
    rows = [team for team in ranked if all(part is not None and team in part.sample.rows for part in of_rank)]
    if not rows:
        return told | {"rows": {}, "pairs": [], "rankings": {}, "figures": {}}
    columns = _columns(board, made, parts)
    sample = joined_sample(rows, columns, _total(made, columns), n_permutations=board_statistics.N_PERMUTATIONS)
    rule = [key.ranking_key for key in made.board.rule]
    return told | statistics(sample, rule) | {"figures": _figures(sample)}


def never_back(report_progress: ReportProgress) -> ReportProgress:
    """Reports the most that was done so far: the tests of a total ask every part once more, which counts from its own beginning."""
    most = 0.0

    def report(share: float) -> None:
        nonlocal most
        most = max(most, share)
        report_progress(most)

    return report


def _in_part(report_progress: ReportProgress, number: int, n_steps: int) -> ReportProgress:
    return lambda share: report_progress((number + share) / n_steps)


def _told(place: Place, part: "Part | None", seed: int) -> dict[str, Any]:
    task, split = place
    return {"task": task or None, "split": split or None, "n": part.sample.n_clusters if part else 0, "seed": seed}


def _part(
    campaign: Campaign,
    made: Parts,
    place: Place,
    ranked: Collection[str],
    *,
    needed: Collection[str],
    seed: int,
    report_progress: ReportProgress,
) -> "Part | None":
    """The part with its rows named by team, drawn so that each has the figures `needed`; None where no ranked team has anything in it."""
    spoken_for = {row.key: team for team, row in made.sources[place].rows.items() if team in ranked}
    if place == PEOPLE:
        return _part_of_people(campaign, spoken_for, needed, seed, report_progress)
    task = campaign.automatic_tasks.get(key=place[0])
    return _part_of_runs(task, Split(place[1]), spoken_for, needed, seed, report_progress)


def _part_of_people(
    campaign: Campaign,
    spoken_for: Mapping[str, str],
    needed: Collection[str],
    seed: int,
    report_progress: ReportProgress,
) -> "Part | None":
    from leaderboards.statistics import sample_of, sums_of
    from measures.joined_samples import Part
    from measures.samples import figures_of_means

    found = sums_of(campaign, only={int(entry) for entry in spoken_for})
    if not found.entries:
        return None
    sample = sample_of(
        found,
        names=[spoken_for[str(entry)] for entry in found.entries],
        needed=[key for key in found.keys if key.figure in needed],
        seed=seed,
        n_resamples=board_statistics.N_RESAMPLES,
        n_permutations=board_statistics.N_PERMUTATIONS,
        report_progress=report_progress,
    )
    n_scenarios, n_entries = found.cells.shape[:2]
    return Part(sample, found.cells.reshape(n_scenarios, n_entries, -1), figures_of_means(found.keys), can_grow=True)


def _part_of_runs(
    task: AutomaticTask,
    split: Split,
    spoken_for: Mapping[str, str],
    needed: Collection[str],
    seed: int,
    report_progress: ReportProgress,
) -> "Part | None":
    from measures.joined_samples import Part

    found = board_statistics.sums_of_runs(task, split, report_progress, only=spoken_for)
    if not found.runs:
        return None
    names = [spoken_for[run.name] for run in found.runs]
    of_columns = [key for key in found.keys if key.figure in needed]
    sample = board_statistics.sample_of_runs(found, names=names, needed=of_columns, seed=seed)
    return Part(sample, found.sums, found.figures_of, can_grow=False)


def _placed(board: CombinedBoard, made: Parts) -> Iterator[tuple[Place, Column]]:
    for said, column in zip(board.columns, made.columns, strict=True):
        yield (said["task"], said["split"]), column


def _columns(board: CombinedBoard, made: Parts, parts: "Mapping[Place, Part]") -> "list[JoinedColumn]":
    """The columns of figures that anybody has."""
    from measures.joined_samples import JoinedColumn

    joined = [
        JoinedColumn(column.key.ranking_key, parts[place], column.figure, column.weight)
        for place, column in _placed(board, made)
        if place in parts
    ]
    return [column for column in joined if column.figure in [key.figure for key in column.part.sample.keys]]


def _total(made: Parts, columns: "Collection[JoinedColumn]") -> "JoinedTotal | None":
    from measures.joined_samples import JoinedTotal

    there_are = {column.key.figure for column in columns}
    if made.total is None or not there_are.issuperset(made.total.of):
        return None
    return JoinedTotal(made.total.key.ranking_key, made.total.of, made.total.is_mean)


def _figures(sample: "Sample") -> dict[str, dict[str, float | None]]:
    names = [key.figure for key in sample.keys]
    return {
        team: {name: None if math.isnan(figure) else figure for name, figure in zip(names, own, strict=True)}
        for team, own in zip(sample.rows, sample.figures.tolist(), strict=True)
    }
