"""One live talk: the dialogue, its subtasks, its turns with every attempt at them, and the append-only ledger.

The limits of turn_taking.py stand here again as constraints, so that no interleaving of tabs, retries, threads or
server processes can get around them (design §4, rules 2 and 3).
"""

import uuid
from datetime import datetime, timedelta
from typing import ClassVar

from django.db import models
from django.db.models import Exists, F, OuterRef, Q, Subquery

from accounts.models import Person
from campaigns.calendar import Doing, finished_before, is_after
from campaigns.models import Assignment, Campaign
from dialogues.fault_policy import FaultPolicy
from dialogues.turn_policy import turn_policy_of
from dialogues.turn_taking import (
    KEY_LIMIT,
    REVIEWABLE,
    UNCOUNTED,
    Budget,
    DialogueStatus,
    SubtaskStatus,
    TurnStatus,
    budget_of,
)
from participants.limits import SUBTASK_KIND_LIMIT
from reading.findings import Finding


def _choices(states: type) -> list[tuple[str, str]]:
    return [(state.value, state.value) for state in states]  # type: ignore[attr-defined]


def is_broken(dialogue: str = "pk") -> Exists:
    """Whether a subtask closed as failed, for a query whose column `dialogue` names the dialogue."""
    return Exists(DialogueSubtask.objects.filter(dialogue=OuterRef(dialogue), status=SubtaskStatus.FAILED))


def _has_time(at: datetime) -> Q:
    """Whether more time that an organizer gave is still running."""
    return Q(extended_until__isnull=False, extended_until__gte=at.replace(microsecond=0))


class DialogueQuerySet(models.QuerySet["Dialogue"]):
    def open(self) -> "DialogueQuerySet":
        return self.filter(status=DialogueStatus.OPEN)

    def counted(self) -> "DialogueQuerySet":
        """The one dialogue that an assignment can have, open or closed."""
        return self.exclude(status__in=UNCOUNTED)

    def reviewable(self) -> "DialogueQuerySet":
        """Closed and not void: these can be scored, and figures are made of their reviews."""
        return self.filter(status__in=REVIEWABLE)

    def under(self, faults: FaultPolicy) -> "DialogueQuerySet":
        """Without those that the policy leaves out: in which the bot failed for good."""
        return self.exclude(is_broken()) if faults.leaves_out_broken else self

    def silent(self, limit: timedelta, at: datetime) -> "DialogueQuerySet":
        """Open ones in which nothing has happened for `limit`, no bot is being asked, and no extra time is running."""
        since = at - limit
        turns, noted = Turn.objects.filter(dialogue=OuterRef("pk")), LedgerEvent.objects.filter(dialogue=OuterRef("pk"))
        lately = turns.filter(Q(status=TurnStatus.WAITING) | Q(asked_at__gte=since) | Q(settled_at__gte=since))
        silent = self.open().filter(opened_at__lt=since)
        found = silent.exclude(Exists(lately)).exclude(Exists(noted.filter(at__gte=since)))
        return found.filter(~_has_time(at))

    def overdue(self, at: datetime) -> "DialogueQuerySet":
        """Open ones that may no longer go on by their campaign's dates, and in which no bot is being asked."""
        testing, campaign = finished_before(at)
        is_over = Q(assignment__campaign__testing_until__lt=testing) & ~_has_time(at)
        is_over |= Q(assignment__campaign__ends_at__lt=campaign)
        waiting = Turn.objects.filter(dialogue=OuterRef("pk"), status=TurnStatus.WAITING)
        return self.open().filter(is_over).exclude(Exists(waiting))

    def of_tester(self, tester: Person) -> "DialogueQuerySet":
        """Those that the tester had themselves; of imported ones the tester is who imported them."""
        return self.filter(tester=tester, origin__in=TALKED)

    def of_campaign(self, campaign: Campaign) -> "DialogueQuerySet":
        return self.filter(assignment__campaign=campaign)

    def with_waiting(self) -> "DialogueQuerySet":
        """With `waiting`, the number of the turn in flight, read in one statement with the rest.

        Between two statements a turn could begin or end, and `last_told` would name a line that does not exist.
        """
        turn = Turn.objects.filter(dialogue=OuterRef("pk"), status=TurnStatus.WAITING)
        return self.annotate(waiting=Subquery(turn.values("number")[:1]))

    def with_names(self) -> "DialogueQuerySet":
        return self.select_related("assignment__campaign", "assignment__entry", "assignment__scenario")


class NotPractice(models.Manager.from_queryset(DialogueQuerySet)):  # type: ignore[misc]
    def get_queryset(self) -> DialogueQuerySet:
        found: DialogueQuerySet = super().get_queryset()
        return found.exclude(origin=Dialogue.Origin.PRACTICE)


class OfPeople(NotPractice):
    def get_queryset(self) -> DialogueQuerySet:
        return super().get_queryset().exclude(origin=Dialogue.Origin.PROGRAM)


class Dialogue(models.Model):
    """`subtask_*` is the state of the current subtask; `turn_cap` stands where one cap spans the dialogue.

    An imported dialogue took place elsewhere, under `external_id`; its `tester` is who imported it.
    `last_seq` is the last number of the ledger that is given away: a waiting turn holds it for its outcome. `scored_at` is when the tester handed in their own scores of it.
    """

    class Origin(models.TextChoices):
        LIVE = "live"
        IMPORTED = "imported"
        PRACTICE = "practice"
        # A program's that stands apart; one that counts like a person's is live, and its tester says what it is.
        PROGRAM = "program"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="dialogues")
    tester = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="dialogues")
    status = models.CharField(max_length=12, choices=_choices(DialogueStatus), default=DialogueStatus.OPEN)
    reason = models.CharField(max_length=20, blank=True)
    turns_used = models.PositiveIntegerField(default=0)
    turn_cap = models.PositiveIntegerField(null=True, blank=True)
    subtask_index = models.PositiveSmallIntegerField(default=1)
    subtask_turns = models.PositiveIntegerField(default=0)
    subtask_cap = models.PositiveIntegerField(null=True, blank=True)
    last_seq = models.PositiveIntegerField(default=0)
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    scored_at = models.DateTimeField(null=True, blank=True)
    origin = models.CharField(max_length=8, choices=Origin.choices, default=Origin.LIVE)
    external_id = models.CharField(max_length=200, blank=True)
    # Until then neither silence nor the end of testing closes it, by an organizer's decision; the campaign's end does.
    extended_until = models.DateTimeField(null=True, blank=True)
    # Places in `scenario.items` that the tester ticked as used.
    ticked = models.JSONField(default=list, blank=True)

    # Left out except where it is asked for by name, so that no list, count or figure can include it by mistake: practice, and
    # what programs say beside the plan.
    objects = OfPeople()
    with_programs = NotPractice()
    everything = DialogueQuerySet.as_manager()

    # Set by `with_waiting`.
    waiting: int | None

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["assignment"],
                condition=~Q(status__in=[state.value for state in UNCOUNTED]),
                name="one_counted_dialogue_an_assignment",
            ),
            models.CheckConstraint(
                condition=Q(turn_cap__isnull=True) | Q(turns_used__lte=F("turn_cap")), name="dialogue_within_its_cap"
            ),
            models.CheckConstraint(
                condition=Q(subtask_cap__isnull=True) | Q(subtask_turns__lte=F("subtask_cap")),
                name="subtask_within_its_cap",
            ),
            models.CheckConstraint(
                condition=Q(status="open", closed_at__isnull=True) | (~Q(status="open") & Q(closed_at__isnull=False)),
                name="closed_has_a_time",
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)

    @property
    def is_open(self) -> bool:
        return self.status == DialogueStatus.OPEN

    @property
    def talker_id(self) -> int | None:
        """The id of its live tester, who may not review, adjudicate or vet it; None if it was imported."""
        return self.tester_id if self.origin in TALKED else None

    @property
    def n_turns(self) -> int:
        """The turns so far, as its campaign counts them."""
        return turn_policy_of(self.assignment.campaign).turns(self.turns_used)

    @property
    def last_told(self) -> int:
        """The number of the last line that exists; asks for `with_waiting`."""
        return self.last_seq - (self.waiting is not None)

    def going_on(self, at: datetime) -> Doing:
        """What the campaign's dates must allow, so that an open dialogue may go on."""
        is_extended = self.extended_until is not None and not is_after(at, self.extended_until)
        return Doing.ORGANIZE if is_extended else Doing.FINISH

    def has_used_all_items(self) -> bool:
        """Whether every item of the scenario is ticked, if it has any. Before the first turn no item can be used."""
        items = self.assignment.scenario.items
        return self.turns_used > 0 and bool(items) and set(range(len(items))) <= set(self.ticked)

    def budget(self) -> Budget:
        return budget_of(self)


# Origins of which the tester is who talked here.
TALKED = (Dialogue.Origin.LIVE, Dialogue.Origin.PROGRAM)


class DialogueSubtask(models.Model):
    """One subtask of a dialogue; `turns_used` is written when it closes (before, the dialogue row knows).

    `answered_turns` is written when the dialogue closes: what a reviewer who holds the subtask for finished charges.
    """

    dialogue = models.ForeignKey(Dialogue, on_delete=models.CASCADE, related_name="subtasks")
    index = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=SUBTASK_KIND_LIMIT)
    turn_cap = models.PositiveIntegerField(null=True, blank=True)
    turns_used = models.PositiveIntegerField(default=0)
    answered_turns = models.PositiveIntegerField(default=0)
    status = models.CharField(max_length=12, choices=_choices(SubtaskStatus), default=SubtaskStatus.PENDING)

    class Meta:
        ordering: ClassVar = ["index"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["dialogue", "index"], name="subtask_index_once"),
            models.UniqueConstraint(fields=["dialogue"], condition=Q(status="open"), name="one_open_subtask"),
            models.CheckConstraint(
                condition=Q(turn_cap__isnull=True) | Q(turns_used__lte=F("turn_cap")), name="closed_subtask_within_cap"
            ),
            models.CheckConstraint(condition=Q(answered_turns__lte=F("turns_used")), name="answered_turns_were_used"),
        ]

    def __str__(self) -> str:
        return f"{self.dialogue_id}#{self.index}"


class Turn(models.Model):
    """One tester utterance and the answer to it. `spent` is how many turns of `turn_cap` are used with this one.

    `seq` and `outcome_seq` are the numbers of its two lines in the ledger: that it was accepted, and what came of it. The
    second is reserved while the turn waits, so nothing can come between, and both lines are derived from this row
    (`queries.lines_of`); only failures have rows of their own. A retry reserves a new one.
    A waiting turn has an owner: the server process that asks the bot.
    """

    # Turns are found by the unique numbers below; an index more would be written with every turn.
    dialogue = models.ForeignKey(Dialogue, on_delete=models.CASCADE, related_name="turns", db_index=False)
    number = models.PositiveIntegerField()
    subtask = models.PositiveSmallIntegerField()
    spent = models.PositiveIntegerField()
    turn_cap = models.PositiveIntegerField()
    key = models.CharField(max_length=KEY_LIMIT)
    text = models.TextField()
    status = models.CharField(max_length=10, choices=_choices(TurnStatus), default=TurnStatus.WAITING)
    attempt_number = models.PositiveSmallIntegerField(default=1)
    texts = models.JSONField(default=list, blank=True)
    flags = models.JSONField(default=list, blank=True)
    # The lines of `texts` that the bot offers as answers: (bubble, line) each; empty where it offers none.
    choices = models.JSONField(null=True, blank=True)
    latency_ms = models.PositiveIntegerField(null=True, blank=True)
    # Of the request that the reply answered (`participants.failures.Wire`); empty until then.
    wire = models.JSONField(null=True, blank=True)
    seq = models.PositiveIntegerField()
    outcome_seq = models.PositiveIntegerField()
    asked_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True, blank=True)
    owner = models.CharField(max_length=120)

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["dialogue", "number"], name="turn_number_once"),
            models.UniqueConstraint(fields=["dialogue", "key"], name="turn_key_once"),
            models.UniqueConstraint(fields=["dialogue"], condition=Q(status="waiting"), name="one_turn_in_flight"),
            models.CheckConstraint(condition=Q(spent__lte=F("turn_cap")), name="turn_within_its_cap"),
            # Turn 0 is the bot's opening, which spends nothing.
            models.CheckConstraint(
                condition=Q(number=0, spent=0) | Q(number__gte=1, spent__gte=1), name="turns_spend_but_the_opening"
            ),
            models.CheckConstraint(condition=Q(seq__gte=1, outcome_seq__gt=F("seq")), name="outcome_comes_after"),
        ]

    def __str__(self) -> str:
        return f"{self.dialogue_id}/{self.number}"


class BotState(models.Model):
    """What the bot gave with the reply of one turn: JSON that only the bot reads.

    It may name its maker or hold hidden data: no tester and no reviewer sees it.
    """

    turn = models.OneToOneField("dialogues.Turn", on_delete=models.CASCADE, related_name="bot_state")
    # As text: a database's own JSON would change the order of its keys, and refuse escaped NULs.
    written = models.TextField()

    def __str__(self) -> str:
        return f"state after {self.turn_id}"


class Attempt(models.Model):
    """One request that left for the bot, or could not leave, and what it came to.

    The request that a turn's reply answered has a row only where that tells more than the turn: where the reply is shown
    masked or cut (the original stands here). `queries.attempts_of` gives all of them.
    `number` counts how often the tester had the turn asked, `request` the requests of one such time: a request that
    was sent again (`resent`) is followed by the next. The current attempt is the one whose outcome the turn shows.
    `has_left` is False only where no byte can have reached the bot, `status` is empty where no answer began.
    `wire` holds its id, sizes and times (`participants.failures.Wire`). `detail` is the finding that a failure came with.
    `fault` is the one that counts. Where an organizer booked another one, `measured_fault` is what it was before the first booking.
    """

    class Outcome(models.TextChoices):
        REPLY = "reply"
        FAILURE = "failure"
        RESENT = "resent"
        LATE = "late"

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="attempts")
    number = models.PositiveSmallIntegerField()
    request = models.PositiveSmallIntegerField(default=1)
    outcome = models.CharField(max_length=8, choices=Outcome.choices)
    has_left = models.BooleanField(default=True)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    is_current = models.BooleanField(default=True)
    kind = models.CharField(max_length=20, blank=True)
    fault = models.CharField(max_length=10, blank=True)
    measured_fault = models.CharField(max_length=10, blank=True, default="")
    detail = models.JSONField(default=list, blank=True)
    evidence = models.TextField(blank=True)
    texts = models.JSONField(default=list, blank=True)
    latency_ms = models.PositiveIntegerField(null=True, blank=True)
    wire = models.JSONField(default=dict, blank=True)
    ended_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["turn", "number", "request"], condition=~Q(outcome="late"), name="attempt_settled_once"
            ),
            models.UniqueConstraint(fields=["turn"], condition=Q(is_current=True), name="one_current_attempt"),
        ]

    def __str__(self) -> str:
        return f"{self.turn_id}.{self.number}.{self.request} {self.outcome}"

    @property
    def what_happened(self) -> Finding | None:
        """None where nothing failed."""
        return Finding.from_json(self.detail) if self.detail else None


class LedgerEvent(models.Model):
    """One line of a dialogue's append-only record; `frame` is the JSON that every socket of it receives.

    Here stand failures, retries and closings. The other lines are those of turns (`Turn.seq`, `Turn.outcome_seq`).
    """

    dialogue = models.ForeignKey(Dialogue, on_delete=models.CASCADE, related_name="events", db_index=False)
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=20)
    frame = models.TextField()
    fault = models.CharField(max_length=10, blank=True)
    at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["seq"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["dialogue", "seq"], name="event_seq_once"),
            models.CheckConstraint(condition=Q(seq__gte=1), name="event_seqs_begin_at_one"),
        ]

    def __str__(self) -> str:
        return f"{self.dialogue_id}:{self.seq} {self.kind}"
