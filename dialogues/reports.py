"""What testers mark and report from a dialogue."""

from typing import ClassVar

from django.db import models

from accounts.models import Person


class TurnFlag(models.Model):
    """A turn that its tester marked for the organizer and for themselves: something in it is odd."""

    turn = models.OneToOneField("dialogues.Turn", on_delete=models.CASCADE, related_name="flag")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"flag on {self.turn_id}"


class Problem(models.Model):
    """What a tester reports to the organizer from a dialogue; `settled_at` is when the organizer was through with it."""

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
