"""One evaluation: campaign, roles, scenarios with their subtasks, the bots entered, and who talks to which of them."""

from typing import Any, ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import Person
from campaigns.campaign_settings import IMPORTED_SCENARIO, SETTINGS
from campaigns.constraints import dates_in_order, declared_constraints
from campaigns.origins import Origin, Originated, origin_is_known
from measures.live import RECORD_FIGURES
from measures.ranking import Direction, RankingKey
from participants.limits import NAME_LIMIT, REASON_LIMIT, SUBTASK_KIND_LIMIT
from participants.models import Bot, Team
from participants.secrets import SecretField, SecretLost
from rubrics.bilingual import Bilingual
from rubrics.models import Rubric
from scoring.kinds import URL_LIMIT


class CampaignQuerySet(models.QuerySet["Campaign"]):
    def public(self) -> "CampaignQuerySet":
        """Those that everybody may know of."""
        return self.filter(models.Q(is_published=True) | models.Q(is_announced=True))


class Campaign(Bilingual, models.Model):
    slug = models.SlugField(max_length=60, unique=True)
    name_zh = models.CharField(max_length=NAME_LIMIT)
    name_en = models.CharField(max_length=NAME_LIMIT)
    preset = models.CharField(max_length=40)
    rubric = models.ForeignKey(Rubric, on_delete=models.PROTECT)
    # Names of figures, the one that decides first in front: a preset that changes later ranks no older campaign anew.
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
    context_message = models.TextField(default=SETTINGS["context_message"].default, blank=True)
    turns_are = models.CharField(max_length=10, default=SETTINGS["turns_are"].default)
    # An open dialogue in which nothing was said for so long is closed as abandoned.
    silence_limit_min = models.PositiveIntegerField(default=SETTINGS["silence_limit_min"].default)
    # Who talks to what: `campaigns/plans.py`.
    plan = models.CharField(max_length=12, default=SETTINGS["plan"].default)
    testers_per_cell = models.PositiveSmallIntegerField(default=SETTINGS["testers_per_cell"].default)
    dialogues_per_bot = models.PositiveIntegerField(default=SETTINGS["dialogues_per_bot"].default)
    quota = models.JSONField(default=dict, blank=True)
    # Who scores: the tester, a panel of so many reviewers per dialogue, both or nobody; and whose scores rank.
    reviewed_by = models.CharField(max_length=6, default=SETTINGS["reviewed_by"].default)
    reviewers_per_dialogue = models.PositiveSmallIntegerField(default=SETTINGS["reviewers_per_dialogue"].default)
    counted_reviews = models.CharField(max_length=6, default=SETTINGS["counted_reviews"].default)
    reservation_min = models.PositiveIntegerField(default=SETTINGS["reservation_min"].default)
    # Where the panel differs by more points than this, the adjudicator decides or the mean stands.
    adjudicated_over = models.PositiveSmallIntegerField(null=True, blank=True)
    experts_per_dialogue = models.PositiveSmallIntegerField(default=SETTINGS["experts_per_dialogue"].default)
    # The share of gold scores, in percent, that opens a reviewer's queue; and after how many dialogues gold is mixed in.
    training_pass_percent = models.PositiveSmallIntegerField(null=True, blank=True)
    gold_every = models.PositiveSmallIntegerField(default=SETTINGS["gold_every"].default)
    # What a failure of the bot costs it: `testing_console/fault_policy.py`.
    broken_dialogues = models.CharField(max_length=8, default=SETTINGS["broken_dialogues"].default)
    failed_turns = models.CharField(max_length=7, default=SETTINGS["failed_turns"].default)
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
    def is_public(self) -> bool:
        """Whether everybody may know of it; what they see of it is less than what its people see."""
        return self.is_announced or self.is_published

    @property
    def testers_score(self) -> bool:
        """Whether testers score the dialogues they had."""
        return self.reviewed_by in {"self", "both"}

    @property
    def panels_score(self) -> bool:
        return self.reviewed_by in {"panel", "both"}

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


class Role(models.TextChoices):
    ORGANIZER = "organizer", _("organizer")
    TESTER = "tester", _("tester")
    REVIEWER = "reviewer", _("reviewer")
    PARTICIPANT = "participant", _("participant")
    EXPERT = "expert", _("expert")
    ADJUDICATOR = "adjudicator", _("adjudicator")


class CampaignRoleQuerySet(models.QuerySet["CampaignRole"]):
    def at_work(self) -> "CampaignRoleQuerySet":
        """Those that do not pause."""
        return self.filter(paused_at=None)

    def held_by(self, person: Any) -> "CampaignRoleQuerySet":
        """Those that somebody holds and that the credential they come with covers: the one place that decides this."""
        if not person.is_authenticated:
            return self.none()
        held = self.filter(person=person)
        if person.scope.campaign:
            held = held.filter(campaign__slug=person.scope.campaign)
        if person.scope.role:
            held = held.filter(role=person.scope.role)
        # Where the site wants a second factor of organizers, who has none organizes nothing yet.
        return held.exclude(role=Role.ORGANIZER) if person.must_set_up_second_factor() else held


class CampaignRole(Originated):
    """What a person may do in one campaign; somebody may hold several roles.

    A tester who pauses opens nothing, a reviewer who pauses is not drawn; what they did stays, and so does their plan.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="roles")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="campaign_roles")
    role = models.CharField(max_length=12, choices=Role.choices)
    paused_at = models.DateTimeField(null=True, blank=True)
    paused_because = models.CharField(max_length=REASON_LIMIT, blank=True)

    objects = CampaignRoleQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "person", "role"], name="role_once_a_campaign"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="role_is_known"),
            origin_is_known("role"),
            models.CheckConstraint(
                condition=models.Q(paused_at__isnull=True) | ~models.Q(paused_because=""), name="who_pauses_hears_why"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person}: {self.role} of {self.campaign}"


class TeamMember(Originated):
    """The team that a person takes part for in one campaign; in another campaign it may be another team."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="team_members")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="members")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="team_places")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "person"], name="one_team_per_person_and_campaign"),
            origin_is_known("team_member"),
        ]

    def __str__(self) -> str:
        return f"{self.person} in {self.team} ({self.campaign})"


class EntryQuerySet(models.QuerySet["Entry"]):
    def declared(self) -> "EntryQuerySet":
        """Those that somebody entered, in a file or in the browser: not those that only imported records made."""
        return self.exclude(origin=Origin.IMPORT)

    def taking_part(self) -> "EntryQuerySet":
        """Those that the plan is drawn over: with an address and not withdrawn, also while they pause."""
        return self.exclude(url="").filter(withdrawn_at=None)

    def with_address(self) -> "EntryQuerySet":
        """Those that can be talked to now: testers are offered no others."""
        return self.taking_part().filter(paused_at=None)


class Entry(Originated):
    """A bot's place in a campaign: its address there, and the alias under which testers and reviewers meet it.

    The address belongs to the entry, so that no campaign changes another's. Entries that only imported records made have
    none, and the campaign file does not know them.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="entries")
    bot = models.ForeignKey(Bot, on_delete=models.PROTECT, related_name="entries")
    key = models.CharField(max_length=200)
    alias = models.CharField(max_length=10)
    protocol = models.CharField(max_length=40, blank=True)
    url = models.CharField(max_length=URL_LIMIT, blank=True)
    secret = SecretField(blank=True)
    options = models.JSONField(default=dict, blank=True)
    # Who registered it in the browser or over the API, and when; nobody where a file or records entered it.
    registered_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    registered_at = models.DateTimeField(null=True, blank=True)
    has_imported_records = models.BooleanField(default=False)
    # `paused_because` says why the bot pauses, or why it was withdrawn.
    paused_at = models.DateTimeField(null=True, blank=True)
    paused_because = models.CharField(max_length=REASON_LIMIT, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects = EntryQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "key"], name="entry_key_once"),
            models.UniqueConstraint(fields=["campaign", "alias"], name="alias_once"),
            models.UniqueConstraint(fields=["campaign", "bot"], name="bot_once_in_a_campaign"),
            origin_is_known("entry"),
        ]

    def __str__(self) -> str:
        return f"{self.alias} ({self.campaign})"

    @property
    def is_declared(self) -> bool:
        return self.origin != Origin.IMPORT

    @property
    def can_be_talked_to(self) -> bool:
        return bool(self.url) and self.paused_at is None and self.withdrawn_at is None

    def has_begun(self) -> bool:
        return self.assignments.filter(started_at__isnull=False).exists()

    @property
    def has_secret(self) -> bool:
        """Whether there is one, readable or not; nothing is unsealed for that."""
        return bool(self.__dict__["secret"])

    def has_lost_its_secret(self) -> bool:
        """Whether the secret was sealed with a key that the platform no longer has, so that nobody can be asked."""
        try:
            return self.secret is None
        except SecretLost:
            return True


class ScenarioQuerySet(models.QuerySet["Scenario"]):
    def declared(self) -> "ScenarioQuerySet":
        """Those that there is something to talk about in: not the one of imported dialogues."""
        return self.exclude(key=IMPORTED_SCENARIO)


class Scenario(Bilingual, Originated):
    """What a tester tries to do; `facts` are shown on the goal card, `context` goes to the bot."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="scenarios")
    key = models.SlugField(max_length=60)
    position = models.PositiveIntegerField()
    title_zh = models.CharField(max_length=NAME_LIMIT, blank=True)
    title_en = models.CharField(max_length=NAME_LIMIT, blank=True)
    opening = models.TextField(blank=True)
    opening_en = models.TextField(blank=True)
    instructions_zh = models.TextField(blank=True)
    instructions_en = models.TextField(blank=True)
    facts = models.JSONField(default=dict, blank=True)
    skill = models.SlugField(max_length=60, blank=True)
    # What the tester was given to use, one text each: when all of it is used, the dialogue may end.
    items = models.JSONField(default=list, blank=True)
    context = models.JSONField(default=dict, blank=True)

    objects = ScenarioQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["position", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "key"], name="scenario_key_once"),
            origin_is_known("scenario"),
        ]

    def __str__(self) -> str:
        return self.key

    @property
    def title(self) -> str:
        return self.text("title") or self.key

    @property
    def instructions(self) -> str:
        return self.text("instructions")

    def has_begun(self) -> bool:
        return self.assignments.filter(started_at__isnull=False).exists()


class Subtask(models.Model):
    """One part of a scenario, in order; `turn_cap` is missing where one cap spans the dialogue."""

    scenario = models.ForeignKey(Scenario, on_delete=models.CASCADE, related_name="subtasks")
    position = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=SUBTASK_KIND_LIMIT)
    turn_cap = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["position"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["scenario", "position"], name="subtask_position_once"),
            models.CheckConstraint(
                condition=models.Q(turn_cap__isnull=True) | models.Q(turn_cap__gte=1),
                name="subtask_cap_is_positive",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.scenario}#{self.position} {self.kind}"


class AssignmentQuerySet(models.QuerySet["Assignment"]):
    def of_tester(self, tester: Person) -> "AssignmentQuerySet":
        return self.filter(tester=tester)

    def in_order(self) -> "AssignmentQuerySet":
        return self.order_by("position", "pk")

    def with_names(self) -> "AssignmentQuerySet":
        return self.select_related("campaign", "entry", "scenario")


class Assignment(models.Model):
    """One tester × bot × scenario × repetition to be done; it has at most one counted dialogue."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="assignments")
    tester = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="assignments")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="assignments")
    scenario = models.ForeignKey(Scenario, on_delete=models.PROTECT, related_name="assignments")
    repetition = models.PositiveIntegerField(default=1)
    position = models.PositiveIntegerField()
    is_drawn = models.BooleanField(default=True)
    started_at = models.DateTimeField(null=True, blank=True)

    objects = AssignmentQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["position", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tester", "entry", "scenario", "repetition"], name="assignment_drawn_once")
        ]

    def __str__(self) -> str:
        return f"{self.tester} × {self.entry.alias} × {self.scenario.key}"
