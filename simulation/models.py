"""A dialogue that a language model had as a tester: which model, asked how, and what it cost."""

from typing import ClassVar

from django.db import models

from campaigns.models import Campaign
from dialogues.models import Dialogue

KEY_LIMIT, MODEL_LIMIT, DIGEST_LIMIT = 60, 200, 64


class SimulatedDialogueQuerySet(models.QuerySet["SimulatedDialogue"]):
    def of_campaign(self, campaign: Campaign) -> "SimulatedDialogueQuerySet":
        return self.filter(dialogue__assignment__campaign=campaign)


class SimulatedDialogue(models.Model):
    """`prompt_digest` is that of the first prompt: goal card, persona and difficulty as they were put.

    `seed` is the dialogue's own, drawn from the seed of the run. `cost` is in the currency of the endpoint, which the key of its
    declaration names. `is_rehearsal`: it was opened before the campaign's time of testing.
    """

    dialogue = models.OneToOneField(Dialogue, on_delete=models.CASCADE, related_name="simulated")
    endpoint = models.CharField(max_length=KEY_LIMIT)
    model = models.CharField(max_length=MODEL_LIMIT)
    persona = models.CharField(max_length=KEY_LIMIT)
    difficulty = models.CharField(max_length=KEY_LIMIT)
    temperature = models.FloatField()
    seed = models.BigIntegerField()
    prompt_digest = models.CharField(max_length=DIGEST_LIMIT, blank=True)
    is_rehearsal = models.BooleanField(default=False)
    n_calls = models.PositiveIntegerField(default=0)
    n_bad_answers = models.PositiveIntegerField(default=0)
    tokens_in = models.PositiveIntegerField(default=0)
    tokens_out = models.PositiveIntegerField(default=0)
    cost = models.DecimalField(max_digits=18, decimal_places=8, default=0)
    began_at = models.DateTimeField()

    objects = SimulatedDialogueQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["pk"]

    def __str__(self) -> str:
        return f"{self.dialogue_id} by {self.model}"
