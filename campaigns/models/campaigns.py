"""One evaluation: its settings, its rubric and its ranking rule."""

from datetime import datetime
from typing import ClassVar
from zoneinfo import ZoneInfo

from django.db import models

from campaigns.campaign_file.calendar_settings import pairs_in_order
from campaigns.campaign_file.campaign_settings import COUNT, SETTINGS
from campaigns.planning.plans import PlanKind
from measures.live import RECORD_FIGURES
from measures.ranking import Direction, RankingKey
from participants.limits import NAME_LIMIT
from rubrics.bilingual import Bilingual
from rubrics.models import Rubric


def declared_constraints() -> list[models.CheckConstraint]:
    """The limits and choices of the settings, so that the database refuses what the reader of files would."""
    made = []
    for name, setting in SETTINGS.items():
        if setting.limits:
            condition = models.Q(**{f"{name}__range": setting.limits})
            made.append(models.CheckConstraint(condition=condition, name=f"{name}_within_limits"))
        # Which presets there are is the release's matter, not the database's.
        if setting.stored_choices and name != "preset":
            condition = models.Q(**{f"{name}__in": setting.stored_choices})
            made.append(models.CheckConstraint(condition=condition, name=f"campaign_{name}_is_known"))
    return made


def dates_in_order() -> models.Q:
    """A date that is not said is before and after all others: to a constraint, what is NULL is not wrong."""
    condition = models.Q()
    for pair in pairs_in_order():
        comes = "gt" if pair.is_strict else "gte"
        condition &= models.Q(**{f"{pair.later}__{comes}": models.F(pair.earlier)})
    return condition


# Of `reviewed_by`: where a panel of reviewers scores.
PANELS_SCORE = ("panel", "both")


class CampaignQuerySet(models.QuerySet["Campaign"]):
    def public(self) -> "CampaignQuerySet":
        """Those that everybody may know of."""
        return self.filter(models.Q(is_published=True) | models.Q(is_announced=True))

    def not_ended(self, at: datetime) -> "CampaignQuerySet":
        """Those that are not over yet; the second of the end still belongs to a campaign."""
        return self.filter(models.Q(ends_at=None) | models.Q(ends_at__gte=at.replace(microsecond=0)))

    def held(self, campaign_id: int) -> "Campaign":
        """The row, locked until the commit; rows that refer to it can still be inserted."""
        return self.select_for_update(no_key=True).get(pk=campaign_id)


class Campaign(Bilingual, models.Model):
    slug = models.SlugField(max_length=60, unique=True)
    name_zh = models.CharField(max_length=NAME_LIMIT)
    name_en = models.CharField(max_length=NAME_LIMIT)
    preset = models.CharField(max_length=40)
    rubric = models.ForeignKey(Rubric, on_delete=models.PROTECT)
    # Names of figures, the one that decides first in front: a preset that changes later does not rerank older campaigns.
    ranking_rule = models.JSONField(default=list)
    free_choice = models.BooleanField(default=SETTINGS["free_choice"].default)
    reply_deadline_s = models.PositiveSmallIntegerField(default=SETTINGS["reply_deadline_s"].default)
    cap_per = models.CharField(max_length=10, default=SETTINGS["cap_per"].default)
    turn_cap = models.PositiveSmallIntegerField(null=True, blank=True)
    open_dialogues_per_tester = models.PositiveIntegerField(default=SETTINGS["open_dialogues_per_tester"].default)
    masked_words = models.JSONField(default=list, blank=True)
    # What the bots are told, who begins, and who may end.
    language = models.CharField(max_length=2, default=SETTINGS["language"].default)
    opened_by = models.CharField(max_length=6, default=SETTINGS["opened_by"].default)
    bot_may_end = models.BooleanField(default=SETTINGS["bot_may_end"].default)
    tester_may_end = models.CharField(max_length=12, default=SETTINGS["tester_may_end"].default)
    context_message = models.TextField(default=SETTINGS["context_message"].default, blank=True)
    sends_goal = models.BooleanField(default=SETTINGS["sends_goal"].default)
    turns_are = models.CharField(max_length=10, default=SETTINGS["turns_are"].default)
    # `dialogues/breaker.py`.
    pauses_failing_bots = models.BooleanField(default=SETTINGS["pauses_failing_bots"].default)
    # What a bot needs before testers are offered it: campaigns/models/entries.py.
    admission = models.CharField(max_length=20, default=SETTINGS["admission"].default)
    # Which dialogues members of teams judge: `campaigns/interests.py`.
    members_may_judge = models.CharField(max_length=6, default=SETTINGS["members_may_judge"].default)
    green_report_hours = models.PositiveIntegerField(default=SETTINGS["green_report_hours"].default)
    # An open dialogue that is silent for longer is closed as abandoned.
    silence_limit_min = models.PositiveIntegerField(default=SETTINGS["silence_limit_min"].default)
    # Who talks to what: `campaigns/planning/plans.py`.
    plan = models.CharField(max_length=12, default=SETTINGS["plan"].default)
    testers_per_cell = models.PositiveSmallIntegerField(default=SETTINGS["testers_per_cell"].default)
    dialogues_per_bot = models.PositiveIntegerField(default=SETTINGS["dialogues_per_bot"].default)
    quota = models.JSONField(default=dict, blank=True)
    plan_limit = models.PositiveIntegerField(default=SETTINGS["plan_limit"].default)
    # Who scores: the tester, a panel of N reviewers per dialogue, both or nobody; and whose scores rank.
    reviewed_by = models.CharField(max_length=6, default=SETTINGS["reviewed_by"].default)
    reviewers_per_dialogue = models.PositiveSmallIntegerField(default=SETTINGS["reviewers_per_dialogue"].default)
    counted_reviews = models.CharField(max_length=6, default=SETTINGS["counted_reviews"].default)
    reservation_min = models.PositiveIntegerField(default=SETTINGS["reservation_min"].default)
    # Where the panel differs by more points than this, the adjudicator decides or the mean stands.
    adjudicated_over = models.PositiveSmallIntegerField(null=True, blank=True)
    decisions_count = models.CharField(max_length=8, default=SETTINGS["decisions_count"].default)
    experts_per_dialogue = models.PositiveSmallIntegerField(default=SETTINGS["experts_per_dialogue"].default)
    # The share of gold scores, in percent, that opens a reviewer's queue; and after how many dialogues gold is mixed in.
    training_pass_percent = models.PositiveSmallIntegerField(null=True, blank=True)
    gold_every = models.PositiveSmallIntegerField(default=SETTINGS["gold_every"].default)
    second_reading_every = models.PositiveSmallIntegerField(
        default=SETTINGS["second_reading_every"].default, db_default=0
    )
    # Which two systems judges compare side by side: `pairs/`.
    pairs_kind = models.CharField(
        max_length=8, default=SETTINGS["pairs_kind"].default, db_default=SETTINGS["pairs_kind"].default
    )
    pairs_draw = models.CharField(
        max_length=8, default=SETTINGS["pairs_draw"].default, db_default=SETTINGS["pairs_draw"].default
    )
    pairs_per_judge = models.PositiveSmallIntegerField(default=SETTINGS["pairs_per_judge"].default, db_default=30)
    pairs_reason = models.CharField(
        max_length=8, default=SETTINGS["pairs_reason"].default, db_default=SETTINGS["pairs_reason"].default
    )
    # Whether programs among the reviewers count: `judging/`.
    judges = models.CharField(max_length=5, default=SETTINGS["judges"].default, db_default=SETTINGS["judges"].default)
    # What a failure of the bot costs it: `dialogues/fault_policy.py`.
    broken_dialogues = models.CharField(max_length=8, default=SETTINGS["broken_dialogues"].default)
    failed_turns = models.CharField(max_length=7, default=SETTINGS["failed_turns"].default)
    # Whether dialogues of accounts of programs count like those of people.
    programs = models.CharField(max_length=5, default=SETTINGS["programs"].default, db_default="apart")
    # Calls that replays may make, and what the sentinel asks: `replays/`.
    replay_calls_per_day = models.PositiveIntegerField(
        default=SETTINGS["replay_calls_per_day"].default, db_default=SETTINGS["replay_calls_per_day"].default
    )
    team_replay_calls_per_day = models.PositiveIntegerField(
        default=SETTINGS["team_replay_calls_per_day"].default, db_default=SETTINGS["team_replay_calls_per_day"].default
    )
    sentinel_every_hours = models.PositiveSmallIntegerField(
        default=SETTINGS["sentinel_every_hours"].default, db_default=SETTINGS["sentinel_every_hours"].default
    )
    canaries = models.PositiveSmallIntegerField(
        default=SETTINGS["canaries"].default, db_default=SETTINGS["canaries"].default
    )
    drift_over_percent = models.PositiveSmallIntegerField(
        default=SETTINGS["drift_over_percent"].default, db_default=SETTINGS["drift_over_percent"].default
    )
    publishes_changes = models.BooleanField(
        default=SETTINGS["publishes_changes"].default, db_default=SETTINGS["publishes_changes"].default
    )
    # What all language models together may take; NULL is no limit: `language_models/`.
    model_calls_a_day = models.PositiveBigIntegerField(null=True, blank=True)
    model_tokens_a_day = models.PositiveBigIntegerField(null=True, blank=True)
    model_cost_a_day = models.PositiveBigIntegerField(null=True, blank=True)
    model_calls_in_all = models.PositiveBigIntegerField(null=True, blank=True)
    model_tokens_in_all = models.PositiveBigIntegerField(null=True, blank=True)
    model_cost_in_all = models.PositiveBigIntegerField(null=True, blank=True)
    drawing_seed = models.BigIntegerField(default=0)
    # When what is open, and the zone of the clocks that people read: `campaigns/calendar.py`. No date is no limit.
    time_zone = models.CharField(max_length=64, default=SETTINGS["time_zone"].default)
    registration_from = models.DateTimeField(null=True, blank=True)
    registration_until = models.DateTimeField(null=True, blank=True)
    frozen_at = models.DateTimeField(null=True, blank=True)
    testing_from = models.DateTimeField(null=True, blank=True)
    testing_until = models.DateTimeField(null=True, blank=True)
    review_from = models.DateTimeField(null=True, blank=True)
    review_until = models.DateTimeField(null=True, blank=True)
    publication_at = models.DateTimeField(null=True, blank=True)
    ends_at = models.DateTimeField(null=True, blank=True)
    is_announced = models.BooleanField(default=SETTINGS["is_announced"].default)
    # Whether people apply for a place as a team, and whether teams read what was said to their own systems.
    takes_applications = models.BooleanField(default=SETTINGS["takes_applications"].default)
    releases_transcripts = models.BooleanField(default=SETTINGS["releases_transcripts"].default)
    texts_kept_days = models.PositiveIntegerField(default=SETTINGS["texts_kept_days"].default)
    # Since when what people wrote and said is gone: by the retention, or because it was archived.
    texts_gone_at = models.DateTimeField(null=True, blank=True)
    # Whether a published leaderboard is public now; written by the acts of publication, and once by the campaign's file.
    is_published = models.BooleanField(default=SETTINGS["is_published"].default)
    # Whether one was ever published, also for a later day or withdrawn since: then the file publishes nothing any more.
    was_published = models.BooleanField(default=False)
    # Raised with every change that a figure of the leaderboard may depend on, in the transaction of that change.
    scores_version = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = CampaignQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            *declared_constraints(),
            models.CheckConstraint(
                condition=models.Q(cap_per="subtask", turn_cap__isnull=True)
                | models.Q(cap_per="dialogue", turn_cap__gte=1),
                name="turn_cap_stands_where_the_cap_is",
            ),
            models.CheckConstraint(condition=dates_in_order(), name="dates_are_in_order"),
        ]

    def __str__(self) -> str:
        return self.slug

    @property
    def name(self) -> str:
        return self.text("name")

    @property
    def zone(self) -> ZoneInfo:
        """Of the clocks that its people read."""
        return ZoneInfo(self.time_zone)

    @property
    def is_public(self) -> bool:
        """Whether everybody may know of it; what they see of it is less than what its people see."""
        return self.is_announced or self.is_published

    @property
    def organizers_admit(self) -> bool:
        """Whether a new system is a draft until an organizer admits it."""
        return self.admission == "organizer"

    @property
    def board_is_public(self) -> bool:
        """Whether everybody reads a frozen board: a campaign's file says so before anything is frozen."""
        return self.is_published and self.was_published

    @property
    def testers_score(self) -> bool:
        """Whether testers score the dialogues they had."""
        return self.reviewed_by in {"self", "both"}

    @property
    def covers_every_scenario(self) -> bool:
        """Whether each bot is to meet each scenario; other plans draw the scenarios of each bot."""
        return self.free_choice or self.plan in (PlanKind.FULL, PlanKind.PER_CELL)

    @property
    def has_pairs_alone(self) -> bool:
        """Whether testers only talk to two systems at once: no single dialogues are chosen or planned."""
        plans_none = self.plan == PlanKind.RANDOM_GOALS and not self.dialogues_per_bot
        return self.pairs_kind == "live" and plans_none and not self.free_choice

    @property
    def counts_program_testers(self) -> bool:
        """Whether what programs say as testers counts as if people had said it."""
        return self.programs == COUNT

    @property
    def panels_score(self) -> bool:
        return self.reviewed_by in PANELS_SCORE

    @property
    def asks_gold(self) -> bool:
        """Whether reviewers score gold, before their queue opens or mixed into it."""
        return self.training_pass_percent is not None or self.gold_every > 0

    @property
    def panel_size(self) -> int:
        """How many reviewers score each dialogue; 0 where no panel does."""
        return self.reviewers_per_dialogue if self.panels_score else 0

    @property
    def programs_count(self) -> bool:
        """Whether what accounts of programs score counts like what people do."""
        return self.judges == "count"

    def english_team_names(self) -> dict[str, str]:
        """What teams are called in English, by their names here; of the teams that gave one."""
        return dict(self.known_teams.exclude(team__name_en="").values_list("name", "team__name_en"))

    def has_begun(self) -> bool:
        return self.assignments.filter(started_at__isnull=False).exists()

    def figures(self) -> dict[str, Direction]:
        """What can rank, with its better direction: the figures that all evaluations have, and the rubric's scales."""
        better: dict[str, Direction] = {figure.name: figure.better for figure in RECORD_FIGURES}
        for criterion in self.rubric.criteria.all():
            if criterion.kind == criterion.Kind.SCALE:
                better[criterion.key] = "lower" if criterion.better == criterion.Better.LOWER else "higher"
        return better

    def ranking_keys(self) -> tuple[RankingKey, ...]:
        """The ranking rule with directions."""
        better = self.figures()
        return tuple(RankingKey(name, better[name]) for name in self.ranking_rule)
