"""A language model as the player of a goal card: asks it, notes what each call took, and asks again after an unusable answer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import partial
from typing import Any

from asgiref.sync import sync_to_async

from dialogues.models import Dialogue
from language_models.asking import ModelRefusal, Prompt, ask_model, prompt_digest
from language_models.models import ModelEndpoint, Purpose
from language_models.refusals import Why
from participants.outbound import Door
from simulation.actions import Manner, note_begun, note_call
from simulation.cells import manner_of, seed_of
from simulation.models import SimulatedDialogue
from simulation.personas import Manners
from simulation.prompts import Wish, prompt_of, wish_of
from simulation.talk import Talk

# Defaults of a run.
USUAL_SEED, USUAL_TEMPERATURE = 1, 0.7
# So often a move is asked for before the dialogue is given up.
TRIES = 3


@dataclass(frozen=True, slots=True)
class Words:
    """What the prompt says of persona and difficulty, and its language (`zh` or `en`)."""

    persona: str
    difficulty: str
    language: str


def manner_and_words(
    endpoint: ModelEndpoint, manners: Manners, language: str, number: int, *, temperature: float, seed: int
) -> tuple[Manner, Words]:
    """Of a program's dialogue with that place in its list, from 1: the same in every run with this seed and these personas."""
    personas = {one.key: one for one in manners.personas}
    difficulties = {one.key: one for one in manners.difficulties}
    persona, difficulty = manner_of(number, list(personas), list(difficulties))
    words = Words(personas[persona].words(language), difficulties[difficulty].words(language), language)
    own = seed_of(seed, number)
    return Manner(endpoint.key, endpoint.model, persona, difficulty, temperature, own), words


@dataclass(slots=True)
class ModelPlayer:
    """Errors of `wish`: `ModelRefusal` for all but a bad answer: the dialogue stays open for another run."""

    endpoint: ModelEndpoint
    manner: Manner
    words: Words
    door: Door
    at: Callable[[], datetime]
    row: SimulatedDialogue | None = None

    async def begins(self, dialogue: str, card: Mapping[str, Any], talk: Talk) -> None:
        """Once a dialogue, also where it goes on after a break: then the row is there."""
        digest = prompt_digest(self.prompt(card, talk, [], self.manner.seed), self.endpoint)
        self.row = await sync_to_async(partial(self._noted, dialogue, digest))()

    def _noted(self, dialogue: str, digest: str) -> SimulatedDialogue:
        named = Dialogue.with_programs.with_names().get(pk=dialogue)
        return note_begun(dialogue=named, manner=self.manner, prompt_digest=digest, at=self.at())

    async def wish(self, card: Mapping[str, Any], talk: Talk, ticked: list[int]) -> Wish | None:
        for number in range(TRIES):
            prompt = self.prompt(card, talk, ticked, self.manner.seed + number)
            try:
                answer = await ask_model(self.endpoint, prompt, purpose=Purpose.TESTER, door=self.door, at=self.at)
            except ModelRefusal as refusal:
                if refusal.why is not Why.BAD_ANSWER:
                    raise
                await self._note(*refusal.used, is_bad=True)
                continue
            wish = wish_of(answer.parsed, len(card["items"]))
            await self._note(answer.tokens_in, answer.tokens_out, answer.cost, is_bad=wish is None)
            if wish is not None:
                return wish
        return None

    def prompt(self, card: Mapping[str, Any], talk: Talk, ticked: list[int], seed: int) -> Prompt:
        return prompt_of(
            card,
            talk,
            ticked,
            persona=self.words.persona,
            difficulty=self.words.difficulty,
            language=self.words.language,
            temperature=self.manner.temperature,
            seed=seed,
        )

    async def _note(self, tokens_in: int, tokens_out: int, cost: Decimal, *, is_bad: bool) -> None:
        assert self.row is not None, "a dialogue begins before it is talked in"
        noted = partial(note_call, row=self.row, tokens_in=tokens_in, tokens_out=tokens_out, cost=cost, is_bad=is_bad)
        await sync_to_async(noted)()
