"""What people say about a dialogue: flags and problems of its tester, objections of the team."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from accounts.models import Person


class TurnFlag(models.Model):
    """A turn that its tester marked for the organizer and for themselves: something in it is odd."""

    turn = models.OneToOneField("dialogues.Turn", on_delete=models.CASCADE, related_name="flag")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"flag on {self.turn_id}"


class Problem(models.Model):
    """What a tester reports to the organizer from a dialogue; `settled_at` is when the organizer settled it."""

    dialogue = models.ForeignKey("dialogues.Dialogue", on_delete=models.CASCADE, related_name="problems")
    reported_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="reported_problems")
    turn = models.ForeignKey("dialogues.Turn", on_delete=models.CASCADE, null=True, blank=True, related_name="problems")
    text = models.TextField()
    at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"{self.dialogue_id}: {self.text[:40]}"


class Objection(models.Model):
    """What a team says against a fault, a void or the scores of a dialogue with its system; NULL: not answered yet.

    `turn` is the one whose fault it is about. The answer changes nothing by itself: its consequences are separate decisions.
    """

    class Against(models.TextChoices):
        FAULT = "fault"
        VOID = "void"
        SCORES = "scores"

    dialogue = models.ForeignKey("dialogues.Dialogue", on_delete=models.CASCADE, related_name="objections")
    turn = models.ForeignKey("dialogues.Turn", on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    against = models.CharField(max_length=6, choices=Against.choices)
    text = models.TextField()
    made_by = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="objections")
    made_at = models.DateTimeField()
    is_upheld = models.BooleanField(null=True)
    answer = models.TextField(blank=True)
    answered_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-made_at", "-pk"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(is_upheld__isnull=True, answered_at__isnull=True)
                | (Q(is_upheld__isnull=False, answered_at__isnull=False) & ~Q(answer="")),
                name="who_answers_an_objection_says_why",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.against} of {self.dialogue_id}"
