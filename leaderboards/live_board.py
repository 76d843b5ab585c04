"""The board of a live campaign: its columns, and its rows with the figures of each bot."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import models
from django.db.models import Count, Q, QuerySet, Sum
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from campaigns.models import Campaign
from campaigns.presets import PRESETS
from dialogues.fault_policy import fault_policy_of
from dialogues.models import Attempt, Dialogue
from dialogues.turn_taking import OPENING, REVIEWABLE, TurnStatus
from leaderboards.board import Board, Key, Named, Row, Words, linked, ranked
from leaderboards.live_sums import sums_by_entry
from leaderboards.models import StoredBoard
from measures.live import COMPLETION, MEAN_TURNS, LiveFigures
from measures.ranking import Direction
from participants.failures import Fault
from replays.system_changes import changes_of
from reviews.models import Review
from rubrics.bilingual import in_readers_language
from rubrics.models import Criterion

LIVE = "live"
STATISTICS = "statistics"


class Unranked(models.TextChoices):
    NO_RECORDS = "no records", _("no scored dialogue yet")
    NO_REVIEWS = "no reviews", _("waits for reviews")
    NOT_SCORED = "not scored", _("nobody scores here")
    DISPUTED = "disputed", _("waits for the adjudicator")
    NOT_VETTED = "not vetted", _("waits for the experts")


# What campaigns may have before the criteria of their rubric: where the rule ranks by it, or reviewers say what is finished.
RECORD_KEYS = (
    Key(
        COMPLETION.name,
        Words("完成率：全部子任务完成的记录所占比例", "Completion: share of records with every subtask finished"),
        COMPLETION.better,
        3,
        COMPLETION.letter,
        (0.0, 1.0),
    ),
    Key(
        MEAN_TURNS.name,
        Words(
            "轮数：计入轮数的平均值（未完成的子任务按轮数上限计）",
            "Turns: mean of charged turns (an unfinished subtask is charged its cap)",
        ),
        MEAN_TURNS.better,
        2,
        MEAN_TURNS.letter,
    ),
)

# A stored row: `{"n": …, "n_scored": {…}, "weight": …, "weigh_alike": …, "figures": {…}, "failed": …}`.
Stored = Mapping[str, Mapping[str, Any]]


def stored_boards(campaign: Campaign, *keys: str) -> list[StoredBoard]:
    """What was computed last under each of the keys, in one query; an empty one where nothing was yet."""
    found = {stored.key: stored for stored in campaign.stored_boards.filter(key__in=keys)}
    return [found.get(key) or StoredBoard(campaign=campaign, key=key) for key in keys]


def stored_board(campaign: Campaign) -> StoredBoard:
    """The figures that were computed last."""
    return stored_boards(campaign, LIVE)[0]


def current_statistics(campaign: Campaign) -> Mapping[str, Any] | None:
    """The statistics of the figures as they are now; None while those that are stored are of older ones."""
    stored = campaign.stored_boards.filter(key=STATISTICS, scores_version=campaign.scores_version).first()
    return stored.rows if stored else None


def leaderboard(campaign: Campaign) -> Board:
    """The board of the records as they are now, which takes seconds on a large campaign."""
    return board_of(campaign, computed_rows(campaign))


def computed_rows(campaign: Campaign) -> dict[str, dict[str, Any]]:
    """The figures of every bot that has a record, and how many of its turns it failed to answer, by its entry's id as a text."""
    criteria = [criterion.key for criterion in scored_criteria(campaign)]
    failed = failures_by_entry(campaign)
    changed = {entry: [one.found.isoformat() for one in changes] for entry, changes in changes_of(campaign).items()}
    return {
        str(entry_id): {
            "n": sums.n_records,
            "n_scored": {key: sums.n_scored(key) for key in criteria},
            "weight": float(sums.weight),
            "weigh_alike": len(sums.by_weight) == 1,
            "figures": named(sums.figures(criteria)),
            "failed": failed.get(entry_id),
            **({"changed": changed[entry_id]} if entry_id in changed else {}),
        }
        for entry_id, sums in sums_by_entry(campaign, criteria).items()
    }


def failures_by_entry(campaign: Campaign) -> dict[int, tuple[int, int]]:
    """How many turns each bot failed to answer by its own fault, of how many in dialogues that can be reviewed."""
    dialogues = Dialogue.objects.of_campaign(campaign).filter(origin=Dialogue.Origin.LIVE).reviewable()
    n_turns = dialogues.values_list("assignment__entry").annotate(n=Sum("turns_used")).order_by()
    # Joined, not `turn__dialogue__in=dialogues`: SQLite would begin with the dialogues and read every turn of theirs.
    unanswered = Attempt.objects.filter(
        is_current=True,
        fault=Fault.BOT,
        turn__status=TurnStatus.FAILED,
        turn__number__gt=OPENING,
        turn__dialogue__assignment__campaign=campaign,
        turn__dialogue__origin=Dialogue.Origin.LIVE,
        turn__dialogue__status__in=REVIEWABLE,
    )
    n_failed = dict(unanswered.values_list("turn__dialogue__assignment__entry").annotate(n=Count("pk")).order_by())
    return {entry: (n_failed.get(entry, 0), n or 0) for entry, n in n_turns}


def named(figures: LiveFigures) -> dict[str, float | None]:
    return {COMPLETION.name: figures.completion, MEAN_TURNS.name: figures.mean_turns, **figures.ratings}


def board_of(campaign: Campaign, stored: Stored) -> Board:
    """Names, criteria and rule are those of today; bots without a record are listed unranked."""
    keys = columns_of(campaign)
    by_name = {key.name: key for key in keys}
    names = "bot__team__name", "bot__team__name_en", "bot__name"
    entries = list(campaign.entries.order_by("pk").values_list("pk", *names))
    reasons = _reasons(campaign, [entry for entry, *_names in entries if str(entry) not in stored])
    return ranked(
        keys=keys,
        rule=[by_name[name] for name in campaign.ranking_rule],
        rows=[
            replace(_row(str(entry), team, name, stored.get(str(entry)), reasons.get(entry)), team_en=team_en)
            for entry, team, team_en, name in entries
        ],
    )


def columns_of(campaign: Campaign) -> tuple[Key, ...]:
    """Completion and turns say something where the rule ranks by them or reviewers say what is finished; then the criteria."""
    of_records = [key for key in RECORD_KEYS if campaign.rubric.asks_for_verdicts or key.name in campaign.ranking_rule]
    return (*of_records, *map(_key_of, scored_criteria(campaign)))


def scored_criteria(campaign: Campaign) -> QuerySet[Criterion]:
    """The criteria that have a mean: labels have none."""
    return campaign.rubric.criteria.filter(kind=Criterion.Kind.SCALE).prefetch_related("points")


def _key_of(criterion: Criterion) -> Key:
    words = Words(criterion.name_zh or criterion.name_en, criterion.name_en or criterion.name_zh)
    better: Direction = "lower" if criterion.better == Criterion.Better.LOWER else "higher"
    points = [point.score for point in criterion.points.all()]
    return Key(criterion.key, words, better, 3, criterion.letter, (min(points), max(points)) if points else None)


def _row(key: str, team: str, name: str, stored: Mapping[str, Any] | None, reason: Unranked | None) -> Row:
    if stored is None:
        return Row(key, name, {}, team=team, n=0, reason=reason or Unranked.NO_RECORDS)
    n_failed, n_turns = stored.get("failed") or (None, 0)
    return Row(
        key,
        name,
        stored["figures"],
        team=team,
        n=stored["n"],
        n_scored=stored.get("n_scored", {}),
        weigh_alike=stored.get("weigh_alike", True),
        n_failed=n_failed,
        n_turns=n_turns,
        changed=tuple(map(datetime.fromisoformat, stored.get("changed", ()))),
    )


def _reasons(campaign: Campaign, entries: list[int]) -> dict[int, Unranked]:
    """What those without a record wait for, where they have a finished dialogue: the last step that is missing counts."""
    if not entries:
        return {}
    finished = Dialogue.objects.reviewable().under(fault_policy_of(campaign)).filter(assignment__entry__in=entries)
    waiting = finished.values("assignment__entry").annotate(
        n_reviewed=Count("pk", filter=Q(reviews__is_submitted=True, reviews__part__in=_scored_by(campaign))),
        n_disputed=Count("pk", filter=Q(dispute__isnull=False, dispute__settled_at=None)),
    )
    found = waiting.order_by().values_list("assignment__entry", "n_reviewed", "n_disputed")
    return {entry: _reason(campaign, n_reviewed, n_disputed) for entry, n_reviewed, n_disputed in found}


def _scored_by(campaign: Campaign) -> list[str]:
    parts = [Review.Part.SELF, Review.Part.PANEL]
    return [part for part in parts if campaign.counted_reviews in (part, "both")]


def _reason(campaign: Campaign, n_reviewed: int, n_disputed: int) -> Unranked:
    if campaign.counted_reviews == "nobody":
        return Unranked.NOT_SCORED
    if not n_reviewed:
        return Unranked.NO_REVIEWS
    if n_disputed:
        return Unranked.DISPUTED
    return Unranked.NOT_VETTED if campaign.experts_per_dialogue else Unranked.NO_REVIEWS


def names_of(campaign: Campaign, *, hides_teams: bool) -> dict[str, Named]:
    """What each entry, by its id as a text, is called in public. Beside a team's name no alias is told: dialogues may go on."""
    entries = campaign.entries.select_related("bot__team")
    if hides_teams:
        return {str(entry.pk): Named(entry.alias, entry.alias) for entry in entries}
    return {
        str(entry.pk): Named(entry.key, entry.bot.name, entry.bot.team.name, entry.bot.team.name_en)
        for entry in entries
    }


def leading_to_records(campaign: Campaign, board: Board) -> Board:
    """The board whose figures lead to the records that they are means of; only organizers may open them."""
    # Reversed once: a board has a hundred links.
    records, cut, _end = reverse("leaderboard-records", args=[campaign.slug, 0, "figure"]).rpartition("0/figure/")
    assert cut, "the address of records ends with the entry and the figure"

    def address(row: Row, key: Key) -> str:
        return f"{records}{row.key}/{key.name}/"

    return linked(board, address)


def final_ranking_of(campaign: Campaign) -> str:
    """Its name for the reader; empty where the leaderboard is the ranking."""
    preset = PRESETS.get(campaign.preset)
    for board in preset.boards if preset else ():
        if has_figures(campaign, (column["figure"] for column in board["columns"] if "task" not in column)):
            return in_readers_language(board["name"]["zh"], board["name"]["en"])
    return ""


def has_figures(campaign: Campaign, figures: Iterable[str]) -> bool:
    """Whether people's figures are there: a campaign with a rubric of its own may lack those of its preset's boards."""
    return set(figures) <= set(campaign.figures())
