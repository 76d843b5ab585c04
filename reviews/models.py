"""One reviewer's work on one dialogue: ratings, subtask verdicts, the trail of every change, and who is to review what."""

import uuid
from typing import Any, ClassVar

from django.db import models
from django.db.models import Count, F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import Person
from campaigns.models import Campaign
from dialogues.models import Dialogue
from rubrics.models import Criterion, ScalePoint


class ReviewQuerySet(models.QuerySet["Review"]):
    def of_those_who_count(self, campaign: Campaign) -> "ReviewQuerySet":
        """Without those of programs, unless the campaign lets them count."""
        return self if campaign.programs_count else self.filter(reviewer__kind=Person.Kind.PERSON)

    def of_panel(self, campaign: Campaign) -> "ReviewQuerySet":
        """Submitted reviews of panels, by those who count."""
        return self.filter(part=Review.Part.PANEL, is_submitted=True).of_those_who_count(campaign)


class Review(models.Model):
    """What one person thinks of one dialogue; `part` says in which capacity.

    `is_counted` says whether it is a record that ranks: actions keep it in step with the campaign's rule. `version` counts the submitted states; who saves against an older one gets a conflict, nothing is overwritten.

    `draft` is what the reviewer has chosen since, not handed in yet; NULL where there is nothing. It counts nowhere.
    """

    class Part(models.TextChoices):
        SELF = "self"
        PANEL = "panel"
        ADJUDICATION = "adjudication"
        GOLD = "gold"

    dialogue = models.ForeignKey(Dialogue, on_delete=models.PROTECT, related_name="reviews")
    reviewer = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="reviews")
    part = models.CharField(max_length=12, choices=Part.choices, default=Part.SELF)
    is_counted = models.BooleanField(default=False)
    comment = models.TextField(blank=True)
    is_submitted = models.BooleanField(default=False)
    version = models.PositiveIntegerField(default=0)
    draft = models.JSONField(null=True, blank=True)
    submitted_at = models.DateTimeField(null=True, blank=True)

    objects = ReviewQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["dialogue", "reviewer"], name="one_review_a_reviewer"),
            models.CheckConstraint(
                condition=Q(is_submitted=False) | Q(submitted_at__isnull=False), name="submitted_has_a_time"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.reviewer} on {self.dialogue_id}"


class Rating(models.Model):
    """A score on one criterion; the scale's ends are stored with it, so that the database can enforce them.

    `place` is what it is about: empty for the dialogue, `#2` for its second subtask, `@3.bot` or `@3.tester` for what was
    said in turn 3. The score of a label is the label's number. `evidence_turn` is the turn that shows why.
    """

    review = models.ForeignKey(Review, on_delete=models.CASCADE, related_name="ratings")
    criterion = models.ForeignKey(Criterion, on_delete=models.PROTECT, related_name="ratings")
    place = models.CharField(max_length=20, blank=True)
    score = models.SmallIntegerField()
    lowest = models.SmallIntegerField()
    highest = models.SmallIntegerField()
    evidence_turn = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["review", "criterion", "place"], name="one_rating_per_criterion_and_place"),
            models.CheckConstraint(
                condition=Q(score__gte=F("lowest"), score__lte=F("highest")), name="score_is_on_its_scale"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.criterion.key}={self.score}"


class SubtaskVerdict(models.Model):
    """Whether the reviewer holds the subtask for finished."""

    review = models.ForeignKey(Review, on_delete=models.CASCADE, related_name="verdicts")
    subtask = models.PositiveSmallIntegerField()
    is_finished = models.BooleanField()

    class Meta:
        ordering: ClassVar = ["subtask"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["review", "subtask"], name="one_verdict_a_subtask")]

    def __str__(self) -> str:
        return f"{self.subtask}: {self.is_finished}"


class ReviewChange(models.Model):
    """One line of the audit trail: who changed a review when, from what to what. Rows are only ever added.

    `before` is NULL where nothing was handed in before, `after` where the only hand-in was undone. `reason` is why an organizer
    allowed a revision. `digest` chains the line to the one before (`trail.py`), which says what `salt` and `gone` are.
    """

    class Kind(models.TextChoices):
        HANDED_IN = "handed_in"
        REVISED = "revised"
        UNDONE = "undone"

    review = models.ForeignKey(Review, on_delete=models.PROTECT, related_name="changes")
    version = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.HANDED_IN)
    changed_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="review_changes")
    at = models.DateTimeField()
    before = models.JSONField(null=True)
    after = models.JSONField(null=True)
    reason = models.TextField(blank=True)
    salt = models.CharField(max_length=32, blank=True)
    gone = models.CharField(max_length=64, blank=True)
    digest = models.CharField(max_length=64)

    class Meta:
        ordering: ClassVar = ["version"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["review", "version"], name="one_change_a_version")]

    def __str__(self) -> str:
        return f"{self.review_id} v{self.version}"


class Reviewing(models.Model):
    """What the places and counted reviews of a campaign were last made from; a drawing of places locks this row first.

    `policy` is what decides which reviews count, `reviewers` the ids of those whom places were drawn for. Where either
    differs from what holds now, the chore recounts or redraws.
    """

    campaign = models.OneToOneField(Campaign, on_delete=models.CASCADE, related_name="reviewing")
    policy = models.JSONField(default=dict)
    reviewers = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"reviewing of {self.campaign}"


class ReviewPlaceQuerySet(models.QuerySet["ReviewPlace"]):
    def of_campaign(self, campaign: Campaign) -> "ReviewPlaceQuerySet":
        return self.filter(dialogue__assignment__campaign=campaign)

    def held(self) -> "ReviewPlaceQuerySet":
        """Those that belong to their reviewer: still to be done, or done."""
        return self.filter(released_at__isnull=True)

    def to_do(self) -> "ReviewPlaceQuerySet":
        return self.held().filter(done_at__isnull=True)

    def not_begun(self) -> "ReviewPlaceQuerySet":
        return self.to_do().filter(opened_at__isnull=True)

    def that_fill(self, campaign: Campaign) -> "ReviewPlaceQuerySet":
        """Without what programs did where their scores do not count: people are drawn in their stead."""
        if campaign.programs_count:
            return self
        return self.exclude(done_at__isnull=False, reviewer__kind=Person.Kind.PROGRAM)

    def reclaimable(self, campaign: Campaign) -> "ReviewPlaceQuerySet":
        """Expired reservations, until a substitute has begun or the guide shows the dialogue: a reviewer who returns loses nothing."""
        begun = ReviewPlace.objects.held().that_fill(campaign).filter(dialogue=OuterRef("dialogue"), is_gold=False)
        n_begun = begun.exclude(opened_at=None).order_by().values("dialogue").annotate(n=Count("pk")).values("n")
        in_guide = GuideExample.objects.of_campaign(campaign).maybe_read()
        expired = self.filter(released_because=ReviewPlace.Released.EXPIRED).exclude(
            dialogue__in=in_guide.values("dialogue")
        )
        return expired.alias(n_begun=Coalesce(Subquery(n_begun), 0)).filter(n_begun__lt=campaign.reviewers_per_dialogue)


class ReviewPlace(models.Model):
    """A dialogue drawn for a reviewer to score: their place in its panel, or gold that shows how they score.

    From `opened_at` on it is reserved until `expires_at`; a place that was given back or taken back has `released_at` and is
    open to somebody else. `position` is its place in the reviewer's own shuffled queue. Places change under the lock of
    their dialogue's row alone.
    """

    class Released(models.TextChoices):
        EXPIRED = "expired"
        CANNOT_JUDGE = "cannot_judge"
        NO_REVIEWER = "no_reviewer"
        NOT_REVIEWED = "not_reviewed"
        CLOSED = "closed"

    dialogue = models.ForeignKey(Dialogue, on_delete=models.PROTECT, related_name="review_places")
    reviewer = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="review_places")
    position = models.PositiveIntegerField()
    is_gold = models.BooleanField(default=False)
    drawn_at = models.DateTimeField()
    opened_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    done_at = models.DateTimeField(null=True, blank=True)
    released_at = models.DateTimeField(null=True, blank=True)
    released_because = models.CharField(max_length=20, blank=True, choices=Released.choices)

    objects = ReviewPlaceQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["position", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["dialogue", "reviewer"], name="one_place_per_dialogue_and_reviewer"),
            models.CheckConstraint(
                condition=Q(done_at__isnull=True) | Q(released_at__isnull=True), name="done_places_stay"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.reviewer} for {self.dialogue_id}"


class SecondReadingQuerySet(models.QuerySet["SecondReading"]):
    def of_reviewer(self, campaign: Campaign, reviewer: Person) -> "SecondReadingQuerySet":
        return self.filter(review__reviewer=reviewer, review__dialogue__assignment__campaign=campaign)


class SecondReading(models.Model):
    """A dialogue that its reviewer scores once more without a word, which shows how far they agree with themselves.

    Its id stands where that of a dialogue does. It is no review, so nothing that counts, pays or is published can include it;
    `content` has the shape of `ReviewChange.after`. `position` is that of the place that was opened before it.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    review = models.OneToOneField(Review, on_delete=models.CASCADE, related_name="second_reading")
    position = models.PositiveIntegerField()
    opened_at = models.DateTimeField()
    done_at = models.DateTimeField(null=True, blank=True)
    version = models.PositiveIntegerField(default=0)
    content = models.JSONField(null=True, blank=True)
    draft = models.JSONField(null=True, blank=True)

    objects = SecondReadingQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.review} once more"


class Remark(models.Model):
    """What a reviewer says instead of a score: the bot's maker shows, or the dialogue cannot be judged.

    `is_again`: said of its second reading, beside what was said the first time.
    """

    class Kind(models.TextChoices):
        LEAKED = "leaked"
        CANNOT_JUDGE = "cannot_judge"

    dialogue = models.ForeignKey(Dialogue, on_delete=models.PROTECT, related_name="remarks")
    reviewer = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="remarks")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    is_again = models.BooleanField(default=False, db_default=False)
    text = models.TextField(blank=True)
    at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["dialogue", "reviewer", "kind", "is_again"], name="one_remark_of_a_kind")
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.dialogue_id}"


class RevisionRequest(models.Model):
    """A reviewer asks to change scores after the minutes of undo; an organizer answers. NULL: not answered yet."""

    review = models.ForeignKey(Review, on_delete=models.PROTECT, related_name="revision_requests")
    reason = models.TextField()
    asked_at = models.DateTimeField()
    is_granted = models.BooleanField(null=True)
    answered_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, blank=True, related_name="answers")
    answered_at = models.DateTimeField(null=True, blank=True)
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["asked_at", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["review"], condition=Q(is_granted__isnull=True), name="one_open_request_per_review"
            )
        ]

    def __str__(self) -> str:
        return f"{self.review}: {self.reason[:40]}"


class Dispute(models.Model):
    """A dialogue on which its panel differs by more than the campaign allows. `criteria` maps them to the distance in points.

    Settled by the adjudicator's own review, or at once where the campaign says that the mean stands.
    """

    dialogue = models.OneToOneField(Dialogue, on_delete=models.PROTECT, related_name="dispute")
    criteria = models.JSONField(default=dict)
    opened_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True, blank=True)
    settled_by = models.ForeignKey(Review, on_delete=models.PROTECT, null=True, blank=True, related_name="+")

    def __str__(self) -> str:
        return f"dispute on {self.dialogue_id}"


class ClosedPanelQuerySet(models.QuerySet["ClosedPanel"]):
    def in_force(self) -> "ClosedPanelQuerySet":
        return self.filter(reopened_at__isnull=True)

    def of_campaign(self, campaign: Campaign) -> "ClosedPanelQuerySet":
        return self.filter(dialogue__assignment__campaign=campaign)


class ClosedPanel(models.Model):
    """An organizer's decision that a panel is whole with fewer reviews than the campaign asks for; `n_reviews` it had then.

    Rows are the audit: who reopens a panel ends its row, and closing it again adds one.
    """

    dialogue = models.ForeignKey(Dialogue, on_delete=models.PROTECT, related_name="closed_panels")
    n_reviews = models.PositiveSmallIntegerField()
    because = models.TextField()
    closed_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="panels_closed")
    closed_at = models.DateTimeField()
    reopened_by = models.ForeignKey(
        Person, on_delete=models.PROTECT, null=True, blank=True, related_name="panels_reopened"
    )
    reopened_at = models.DateTimeField(null=True, blank=True)

    objects = ClosedPanelQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["closed_at", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["dialogue"], condition=Q(reopened_at__isnull=True), name="panel_closed_once"
            ),
            models.CheckConstraint(condition=~Q(because=""), name="who_closes_a_panel_says_why"),
        ]

    def __str__(self) -> str:
        return f"{self.dialogue_id}: {self.n_reviews}"


class VettingQuerySet(models.QuerySet["Vetting"]):
    def dialogues_accepted_in(self, *campaigns: Campaign) -> models.QuerySet["Vetting", Any]:
        """The ids of the campaigns' dialogues that all of their experts have assessed, and most of them accept."""
        given = self.filter(dialogue__assignment__campaign__in=campaigns).order_by()
        counted = given.values("dialogue").annotate(
            n=models.Count("pk"), twice=2 * models.Count("pk", filter=Q(is_accepted=True))
        )
        n_experts = models.F("dialogue__assignment__campaign__experts_per_dialogue")
        return counted.filter(n__gte=n_experts, twice__gt=F("n")).values("dialogue")


class Vetting(models.Model):
    """An expert's assessment of a collected dialogue; a returned dialogue is kept and done again.

    `faults` are the questions of MSDE (section 3) answered with no; without any, the dialogue is accepted.
    """

    class Question(models.TextChoices):
        """What an expert is asked of what the tester says."""

        FLUENT = "fluent", _("fluent")
        NATURAL = "natural", _("natural")
        APPROPRIATE = "appropriate", _("appropriate")
        COHERENT = "coherent", _("coherent")
        CORRECT = "correct", _("right in its knowledge")

    dialogue = models.ForeignKey(Dialogue, on_delete=models.PROTECT, related_name="vettings")
    expert = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="vettings")
    is_accepted = models.BooleanField()
    faults = models.JSONField(default=list, blank=True)
    reason = models.TextField(blank=True)
    at = models.DateTimeField()

    objects = VettingQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["at", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["dialogue", "expert"], name="one_vetting_per_expert"),
            models.CheckConstraint(condition=Q(is_accepted=True) | ~Q(reason=""), name="who_returns_says_why"),
            models.CheckConstraint(
                condition=Q(is_accepted=True, faults=[]) | (Q(is_accepted=False) & ~Q(faults=[])),
                name="accepted_has_no_fault",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.dialogue_id}: {'accepted' if self.is_accepted else 'returned'}"

    @property
    def faults_in_words(self) -> str:
        return gettext(", ").join(str(self.Question(key).label) for key in self.faults)


class GuideExampleQuerySet(models.QuerySet["GuideExample"]):
    def of_campaign(self, campaign: Campaign) -> "GuideExampleQuerySet":
        return self.filter(dialogue__assignment__campaign=campaign)

    def in_guide(self) -> "GuideExampleQuerySet":
        return self.filter(removed_at=None)

    def maybe_read(self) -> "GuideExampleQuerySet":
        """Those that reviewers outside of the panel may have read: it is closed or has all the reviews that it was to have, or they were taken out since.

        Asked as gold, the dialogue still comes to reviewers outside of a panel that was closed. Reviews of programs count here even where
        they stand apart since: others may have read the example before.
        """
        done = ReviewPlace.objects.held().filter(dialogue=models.OuterRef("dialogue"), is_gold=False)
        n_done = done.exclude(done_at=None).order_by().values("dialogue").annotate(n=models.Count("pk")).values("n")
        closed = models.Exists(ClosedPanel.objects.in_force().filter(dialogue=models.OuterRef("dialogue")))
        is_closed = Q(closed) & ~Q(panel_size=GuideExample.ASKED_AS_GOLD)
        is_whole = Q(panel_size__lte=Coalesce(models.Subquery(n_done), 0))
        return self.filter(is_whole | is_closed | Q(removed_at__isnull=False))


class GuideExample(models.Model):
    """A dialogue that the scoring guide shows at a point, and why it has this score; `turn` is the number of the turn that shows it.

    `panel_size` is how many reviews its panel was to have when it was chosen, or fewer if the campaign asked for fewer since, and never
    grows: once they are in, nobody is drawn for the dialogue, since they may have read why it is scored so. That stays when it is taken
    out of the guide (`removed_at`); an example that nobody could read is deleted then. Gold has no panel: it is read at once where it is
    asked of nobody, and by those alone who have scored it (`ASKED_AS_GOLD`) where it is.
    """

    ASKED_AS_GOLD = 32767

    dialogue = models.ForeignKey(Dialogue, on_delete=models.PROTECT, related_name="guide_examples")
    point = models.ForeignKey(ScalePoint, on_delete=models.PROTECT, related_name="+")
    turn = models.PositiveIntegerField(null=True, blank=True)
    reason = models.TextField()
    panel_size = models.PositiveSmallIntegerField(default=0, db_default=0)
    added_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="+")
    added_at = models.DateTimeField()
    removed_at = models.DateTimeField(null=True, blank=True)

    objects = GuideExampleQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["added_at", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["dialogue", "point"], name="one_example_per_dialogue_and_point")
        ]

    def __str__(self) -> str:
        return f"{self.dialogue_id} at {self.point}"


class GoldReview(models.Model):
    """A dialogue with scores that reviewers are measured against: before their queue opens, or mixed in later.

    `content` has the shape of `ReviewChange.after`.
    """

    dialogue = models.OneToOneField(Dialogue, on_delete=models.PROTECT, related_name="gold")
    content = models.JSONField()
    is_for_training = models.BooleanField(default=True)
    set_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="gold_set")
    set_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"gold of {self.dialogue_id}"
