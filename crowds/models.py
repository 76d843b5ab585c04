"""Studies of a campaign for people of a crowd platform, and who came to them."""

import json
from datetime import datetime
from typing import Any, ClassVar

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Person
from campaigns.models import Campaign, Role
from crowds.payment import Terms
from crowds.platforms import Names, Outcome, Outside, Platform
from participants.limits import DESCRIPTION_LIMIT, KEY_LIMIT, NAME_LIMIT, REASON_LIMIT, URL_LIMIT
from participants.secrets import HasSecret, SecretField
from rubrics.bilingual import Bilingual

PARAMETER_LIMIT = 60


class CrowdStudy(Bilingual, HasSecret):
    """What people of a platform are asked to do, for what, and how many of them.

    `door` is the random part of its entry link. `secret` holds the completion codes by outcome, sealed. `excludes` names
    campaigns (`slug`) and studies (`slug/key`) whose people may not take part. `attention` are questions asked before the start.
    """

    class WorkedAs(models.TextChoices):
        TESTER = Role.TESTER.value, Role.TESTER.label
        REVIEWER = Role.REVIEWER.value, Role.REVIEWER.label

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        OPEN = "open", _("open")
        CLOSED = "closed", _("closed")

    class On(models.TextChoices):
        PROLIFIC = Platform.PROLIFIC.value, "Prolific"
        MTURK = Platform.MTURK.value, "Mechanical Turk"
        GENERIC = Platform.GENERIC.value, _("another platform")

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="studies")
    key = models.SlugField(max_length=KEY_LIMIT)
    door = models.CharField(max_length=43, unique=True)
    name_zh = models.CharField(max_length=NAME_LIMIT, blank=True)
    name_en = models.CharField(max_length=NAME_LIMIT, blank=True)
    role = models.CharField(max_length=8, choices=WorkedAs.choices)
    platform = models.CharField(max_length=8, choices=On.choices)
    participant_parameter = models.CharField(max_length=PARAMETER_LIMIT)
    study_parameter = models.CharField(max_length=PARAMETER_LIMIT, blank=True)
    session_parameter = models.CharField(max_length=PARAMETER_LIMIT, blank=True)
    welcome_zh = models.TextField(blank=True, max_length=DESCRIPTION_LIMIT)
    welcome_en = models.TextField(blank=True, max_length=DESCRIPTION_LIMIT)
    # Who may complete, and who may be at work at once; NULL: as many as may still complete.
    quota = models.PositiveIntegerField()
    at_once = models.PositiveIntegerField(null=True, blank=True)
    n_needed = models.PositiveIntegerField()
    minutes = models.PositiveIntegerField()
    # After this time an incomplete place goes to another person.
    minutes_at_most = models.PositiveIntegerField()
    pay = models.DecimalField(max_digits=9, decimal_places=2)
    bonus = models.DecimalField(max_digits=9, decimal_places=2, default=0)
    screened_out_pay = models.DecimalField(max_digits=9, decimal_places=2, default=0)
    currency = models.CharField(max_length=3)
    secret = SecretField(blank=True)
    return_url = models.CharField(max_length=URL_LIMIT, blank=True)
    return_host = models.CharField(max_length=253, blank=True)
    # The share of gold scores, in percent, that a reviewer's first gold dialogues must reach; NULL: no screening.
    screening_percent = models.PositiveSmallIntegerField(null=True, blank=True)
    attention = models.JSONField(default=list, blank=True)
    attention_wrong_at_most = models.PositiveSmallIntegerField(default=0)
    excludes = models.JSONField(default=list, blank=True)
    state = models.CharField(max_length=6, choices=State.choices, default=State.DRAFT)
    made_by = models.ForeignKey(Person, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    made_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["made_at", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["campaign", "key"], name="study_key_once_a_campaign"),
            models.CheckConstraint(condition=Q(role__in=["tester", "reviewer"]), name="role_of_study_is_known"),
            models.CheckConstraint(
                condition=Q(n_needed__gte=1, quota__gte=1, minutes__gte=1, minutes_at_most__gte=F("minutes")),
                name="study_asks_for_something",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.campaign_id}/{self.key}"

    @property
    def owner_of_secret(self) -> str:
        return f"study {self.pk}"

    @property
    def name(self) -> str:
        return self.text("name") or self.key

    @property
    def welcome_words(self) -> str:
        """Markdown, in the reader's language."""
        return self.text("welcome")

    @property
    def is_open(self) -> bool:
        return self.state == self.State.OPEN

    @property
    def names(self) -> Names:
        return Names(self.participant_parameter, self.study_parameter, self.session_parameter)

    @property
    def terms(self) -> Terms:
        return Terms(self.pay, self.bonus, self.screened_out_pay)

    @property
    def codes(self) -> dict[str, str]:
        """The completion codes by outcome; none where the key that sealed them is gone (`has_lost_its_secret`)."""
        return {} if self.has_lost_its_secret() or not self.secret else dict(json.loads(self.secret))


class ArrivalQuerySet(models.QuerySet["Arrival"]):
    def at_work(self) -> "ArrivalQuerySet":
        return self.filter(state=Arrival.State.STARTED)

    def let_in(self) -> "ArrivalQuerySet":
        """Those who began: they took part, whatever became of it."""
        return self.exclude(started_at=None)

    def paid_for(self) -> "ArrivalQuerySet":
        """Whom the payment table lists, in the order in which they came: those let in or screened out; never a program."""
        listed = self.filter(Q(started_at__isnull=False) | Q(state=Arrival.State.SCREENED_OUT))
        return listed.exclude(person__kind=Person.Kind.PROGRAM).select_related("person").order_by("came_at", "pk")


class Arrival(HasSecret):
    """One person of the platform at one study, found again by a keyed digest of what the platform calls them.

    `secret` holds the outside ids, sealed, until they are erased; `participant` is NULL from then on. `person` is the account
    that was made at the start, one per outside person and campaign.
    """

    class State(models.TextChoices):
        CAME = "came", _("looked at the first page")
        STARTED = "started", _("at work")
        COMPLETED = Outcome.COMPLETED.value, _("completed")
        SCREENED_OUT = Outcome.SCREENED_OUT.value, _("screened out")
        FULL = Outcome.FULL.value, _("came when it was full")
        EXCLUDED = Outcome.EXCLUDED.value, _("took part before")
        TOO_LATE = Outcome.TOO_LATE.value, _("ran out of time")
        LEFT = Outcome.LEFT.value, _("stopped")

    class Decision(models.TextChoices):
        NONE = "none", _("not decided")
        APPROVED = "approved", _("approved")
        REJECTED = "rejected", _("not accepted")

    # Of who has not begun: what the first page said last.
    NOT_BEGUN = (State.CAME, State.FULL, State.EXCLUDED)

    study = models.ForeignKey(CrowdStudy, on_delete=models.CASCADE, related_name="arrivals")
    participant = models.CharField(max_length=64, null=True, blank=True)  # noqa: DJ001 # NULL is unlike any other: ids of erased people differ
    secret = SecretField(blank=True)
    person = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, blank=True, related_name="crowd_places")
    state = models.CharField(max_length=12, choices=State.choices, default=State.CAME)
    came_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    # Until when the place is kept for them; somebody else may have it afterwards.
    due_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    # The version of the campaign's texts that was agreed to; 0: nothing was asked.
    consent_version = models.PositiveIntegerField(default=0)
    n_attention_wrong = models.PositiveSmallIntegerField(null=True, blank=True)
    # Stored when the work ends, so that what is paid stays what it was.
    n_done = models.PositiveIntegerField(default=0)
    decision = models.CharField(max_length=8, choices=Decision.choices, default=Decision.NONE)
    because = models.CharField(max_length=REASON_LIMIT, blank=True)
    has_bonus = models.BooleanField(default=False)

    objects = ArrivalQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["came_at", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["study", "participant"], name="one_place_per_outside_person"),
            models.UniqueConstraint(fields=["study", "person"], name="one_place_per_account_and_study"),
            models.CheckConstraint(
                condition=Q(started_at__isnull=False, person__isnull=False) | Q(started_at__isnull=True),
                name="who_starts_has_an_account",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["study", "state"], name="arrivals_by_state"),
            models.Index(fields=["participant"], name="arrivals_by_participant"),
        ]

    def __str__(self) -> str:
        return f"arrival {self.pk} at {self.study_id}"

    @property
    def owner_of_secret(self) -> str:
        return f"arrival {self.pk}"

    @property
    def outside(self) -> Outside:
        """As the platform names them; empty texts once erased. Errors: `SecretLost`."""
        told: dict[str, Any] = json.loads(self.secret) if self.secret else {"participant": ""}
        return Outside(**told)

    @property
    def is_at_work(self) -> bool:
        return self.state == self.State.STARTED

    @property
    def is_over(self) -> bool:
        """For good: who ran out of time may go on where there is room."""
        return self.state in (self.State.COMPLETED, self.State.SCREENED_OUT, self.State.LEFT)

    def is_late(self, at: datetime) -> bool:
        return self.due_at is not None and self.due_at <= at
