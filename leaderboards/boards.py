"""Makes the leaderboard of a campaign: figures per bot from its records, ranked by the campaign's rule."""

from dataclasses import dataclass
from typing import Any

from campaigns.models import Campaign, Entry
from leaderboards.records import records_by_entry
from measures.live import RECORD_FIGURES, LiveFigures, live_figures
from measures.ranking import RankingKey, rank
from rubrics.models import Criterion


@dataclass(frozen=True, slots=True)
class Row:
    rank: int | None
    entry: Entry
    figures: LiveFigures

    def figure(self, name: str) -> float | None:
        if name == "completion":
            return self.figures.completion
        if name == "mean_turns":
            return self.figures.mean_turns
        return self.figures.ratings.get(name)


@dataclass(frozen=True, slots=True)
class Board:
    campaign: Campaign
    rule: tuple[RankingKey, ...]
    criteria: tuple[Criterion, ...]
    rows: tuple[Row, ...]
    unranked: tuple[Row, ...]

    def ranked_by(self) -> list[str]:
        """The keys of the rule as a table names them: letter, and an arrow for the order of the ranks."""
        letters = {figure.name: figure.letter for figure in RECORD_FIGURES}
        letters |= {criterion.key: criterion.letter for criterion in self.criteria}
        return [f"{letters[key.figure]}{'↓' if key.better == 'higher' else '↑'}" for key in self.rule]

    def to_json(self) -> dict[str, Any]:
        """The board with unrounded figures, as the command and the API give it."""
        return {
            "campaign": self.campaign.slug,
            "rule": [{"key": key.figure, "better": key.better} for key in self.rule],
            "rows": [self._row(row) | {"rank": row.rank} for row in self.rows],
            "unranked": [self._row(row) | {"reason": "no records"} for row in self.unranked],
        }

    def _row(self, row: Row) -> dict[str, Any]:
        return {
            "rank": None,
            "team": row.entry.bot.team.name,
            "bot": row.entry.bot.name,
            "n_records": row.figures.n_records,
            "completion": row.figures.completion,
            "mean_turns": row.figures.mean_turns,
            **row.figures.ratings,
        }


def leaderboard(campaign: Campaign) -> Board:
    """The board of the records as they are now. Bots without a record are listed unranked."""
    criteria = tuple(campaign.rubric.criteria.all())
    rule = campaign.ranking_keys()
    records = records_by_entry(campaign)
    entries = {str(entry.pk): entry for entry in campaign.entries.select_related("bot__team")}
    rows = {
        pk: Row(None, entry, live_figures(records.get(entry.pk, []), [criterion.key for criterion in criteria]))
        for pk, entry in entries.items()
    }
    with_records = {pk: row for pk, row in rows.items() if row.figures.n_records}
    ranked = rank({pk: {key.figure: row.figure(key.figure) for key in rule} for pk, row in with_records.items()}, rule)
    return Board(
        campaign=campaign,
        rule=rule,
        criteria=criteria,
        rows=tuple(Row(place.rank, rows[place.name].entry, rows[place.name].figures) for place in ranked),
        unranked=tuple(row for pk, row in rows.items() if pk not in with_records),
    )
