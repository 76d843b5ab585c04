"""The documents of a bundle: by what rules records were made, counted and ranked, the board of the records, and how sure it is.

Statistics depend on the order of rows. Under aliases they are drawn in the order of the aliases: those of the organizer's page, in the order
of keys, would tell by their last digits which order that is.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from accounts.models import Person
from campaigns.campaign_file.campaign_settings import SETTINGS, settings_of
from campaigns.models import Campaign
from campaigns.planning.hidden_orders import plan_seed
from dialogues.models import Dialogue
from leaderboards.board import Named, Row, renamed_statistics
from leaderboards.live_board import columns_of, current_statistics, leaderboard
from leaderboards.statistics import named_cells
from measures.cell_statistics import bundled_statistics
from measures.samples import ReportProgress, say_nothing
from publication.bundle.names import SCENARIO, Names
from publication.bundle.plan import quota_told, tells_seed
from reviews.models import Review
from rubrics.models import Criterion, ScalePoint
from verification.boards import board_document

# What says nothing about the figures, is told elsewhere in the document, or lists the names to be masked.
LEFT_OUT = {
    "name",
    "is_announced",
    "is_published",
    "takes_applications",
    "releases_transcripts",
    "masked_words",
    "members_may_judge",
    "plan_limit",
    "second_reading_every",
    "ranking_rule",
    # The votes on pairs have a board and a document of their own.
    *settings_of("pairs"),
    *settings_of("calendar"),
    *settings_of("replays"),
    *settings_of("model_budgets"),
}


def campaign_document(campaign: Campaign, names: Names) -> dict[str, Any]:
    """The rule with directions, every setting, the seed of the plan, the rubric, and where programs count, which reviewers are some."""
    return {
        "campaign": campaign.slug,
        "name": names.text({"zh": campaign.name_zh, "en": campaign.name_en}),
        "rule": [{"key": key.figure, "better": key.better} for key in campaign.ranking_keys()],
        "settings": {name: _setting(campaign, name, names) for name in SETTINGS if name not in LEFT_OUT},
        "seed": plan_seed(campaign) if tells_seed(campaign) else None,
        "rubric": _rubric(campaign, names),
        **_programs(campaign, names),
    }


def _programs(campaign: Campaign, names: Names) -> dict[str, Any]:
    """Which reviewers are programs; missing where no program's scores are in the bundle."""
    if not campaign.programs_count:
        return {}
    reviews = Review.objects.filter(is_submitted=True, dialogue__in=Dialogue.objects.of_campaign(campaign))
    of_programs = reviews.filter(reviewer__kind=Person.Kind.PROGRAM).order_by()
    told = sorted(map(names.person, of_programs.values_list("reviewer__username", flat=True).distinct()))
    return {"program_reviewers": told} if told else {}


def _setting(campaign: Campaign, name: str, names: Names) -> Any:
    value = getattr(campaign, name)
    if name == "quota":
        return quota_told(value, names)
    return names.text(value) if name == "context_message" else value


def _rubric(campaign: Campaign, names: Names) -> dict[str, Any]:
    rubric = campaign.rubric
    return {
        "key": rubric.key,
        "version": rubric.version,
        "name": names.text({"zh": rubric.name_zh, "en": rubric.name_en}),
        "asks_for_verdicts": rubric.asks_for_verdicts,
        "criteria": [_criterion(one, names) for one in rubric.criteria.prefetch_related("points")],
    }


def _criterion(criterion: Criterion, names: Names) -> dict[str, Any]:
    return {
        "key": criterion.key,
        "letter": criterion.letter,
        "name": names.text({"zh": criterion.name_zh, "en": criterion.name_en}),
        "question": names.text({"zh": criterion.question_zh, "en": criterion.question_en}),
        "kind": criterion.kind,
        "scope": criterion.scope,
        "better": criterion.better,
        "skills": criterion.skills,
        "is_required": criterion.is_required,
        "evidence_below": criterion.evidence_below,
        "points": [_point(point, names) for point in criterion.points.all()],
    }


def _point(point: ScalePoint, names: Names) -> dict[str, Any]:
    label = names.text({"zh": point.label_zh, "en": point.label_en})
    return {"score": point.score, "key": point.key, "speaker": point.speaker, "label": label}


def board_document_of(campaign: Campaign, names: Names) -> dict[str, Any]:
    """The board of the records as they are now, under the names of the bundle."""
    board = leaderboard(campaign)
    keys = dict(campaign.entries.values_list("pk", "key"))

    def told(row: Row) -> dict[str, Any]:
        bot = names.bot(keys[int(row.key)])
        figures = {key.name: row.figures.get(key.name) for key in board.keys}
        head = {"key": bot.key, "rank": row.rank, "team": bot.team, "bot": bot.name, "n_records": row.n}
        return head | {"figures": figures} | ({"reason": row.reason.value} if row.reason else {})

    return board_document(
        campaign.slug,
        keys=[{"key": key.name, "letter": key.letter, "better": key.better} for key in board.keys],
        rule=[{"key": key.name, "better": key.better} for key in board.rule],
        rows=[told(row) for row in (*board.rows, *board.unranked)],
    )


Statistics = dict[str, Any]
StatisticsOf = Callable[[Campaign, Names], Statistics | None]


def stored_statistics(campaign: Campaign, names: Names) -> Statistics | None:
    """Those that are stored of these figures; None where they are not computed yet, and with aliases."""
    stored = current_statistics(campaign)
    if stored is None or names.hides_teams:
        return None
    entries = campaign.entries.values_list("pk", "key")
    named = {str(pk): Named(names.bot(key).key, "") for pk, key in entries}
    # Other snapshots, which may be unpublished, are not named.
    return {name: told for name, told in renamed_statistics(stored, named).items() if name != "snapshots"}


def drawn_statistics(
    campaign: Campaign, names: Names, report_progress: ReportProgress = say_nothing
) -> Statistics | None:
    """Those that are stored; else they are drawn, which takes as long as for the page."""
    return stored_statistics(campaign, names) or bundled_statistics(
        {
            (names.bot(entry).key, scenario): sums
            for (entry, scenario), sums in named_cells(campaign, partial(names.identifier, SCENARIO)).items()
        },
        [key.ranking_key for key in columns_of(campaign)],
        campaign.ranking_keys(),
        report_progress,
    )
