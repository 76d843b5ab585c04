"""What a model would be asked as a tester, and what a dialogue can cost: nothing is stored and nothing is asked."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from campaigns.models import Campaign, Scenario, ScenarioQuerySet
from language_models.dry_run import CostBound, bound_of, dry_request
from language_models.models import ModelEndpoint
from language_models.prompts import Prompt
from simulation.actions import Manner
from simulation.model_player import Words
from simulation.prompts import LINES_KEPT, prompt_of
from simulation.talk import BOT, TESTER, Line, Part, Talk
from testing_console.api import CardPart, card_document

# How long a bot's reply is taken to be where costs are worked out beforehand.
REPLY_GUESSED = "字" * 120


@dataclass(frozen=True, slots=True)
class FirstRequest:
    """The request that begins a dialogue about the scenario, as JSON holds it, and its digest."""

    scenario: str
    digest: str
    request: dict[str, Any]
    at_most: CostBound


def tested_in(campaign: Campaign) -> ScenarioQuerySet:
    """The scenarios that are tested, in their order, as `first_requests` needs them."""
    return campaign.scenarios.tested().prefetch_related("subtasks")


def first_requests(
    campaign: Campaign, scenarios: Iterable[Scenario], endpoint: ModelEndpoint, manner: Manner, words: Words
) -> list[FirstRequest]:
    """One for each of these scenarios of the campaign."""
    asked_of = partial(
        prompt_of, ticked=[], persona=words.persona, difficulty=words.difficulty, language=words.language,
        temperature=manner.temperature, seed=manner.seed,
    )  # fmt: skip
    shown: list[FirstRequest] = []
    for scenario in scenarios:
        parts = [CardPart(index=one.position, kind=one.kind, turn_cap=one.turn_cap) for one in scenario.subtasks.all()]
        card = card_document(scenario, parts, campaign.turn_cap, tester_may_end=campaign.tester_may_end)
        asked = partial(asked_of, card)
        prompt, bound = asked(begun(card)), cost_at_most(begun(card), endpoint, asked)
        shown.append(FirstRequest(scenario.key, **dry_request(prompt, endpoint), at_most=bound))
    return shown


def begun(card: Mapping[str, Any]) -> Talk:
    """A dialogue about the card before its first turn."""
    parts = [Part(one["index"], one["kind"], one["turn_cap"], "open") for one in card["subtasks"]]
    return Talk(parts, cap=card["turn_cap"] or sum(part.cap or 0 for part in parts))


def cost_at_most(talk: Talk, endpoint: ModelEndpoint, asked: Callable[[Talk], Prompt]) -> CostBound:
    """Every turn of the cap is used, each move asked for once and answered with all tokens that it may have; replies have 120 characters."""
    return bound_of(_calls_of(talk, asked), endpoint, endpoint.currency)


def _calls_of(talk: Talk, asked: Callable[[Talk], Prompt]) -> Iterator[tuple[int, Prompt]]:
    """A prompt holds the last `LINES_KEPT` lines, so once they are full each further call costs the same: no cap makes this long."""
    n_calls = talk.cap + len(talk.parts)
    n_growing = min(n_calls, LINES_KEPT // 2 + 1)
    for number in range(1, n_growing + 1):
        yield 1 + n_calls - n_growing if number == n_growing else 1, asked(talk)
        talk.lines += [Line(TESTER, REPLY_GUESSED[:60]), Line(BOT, REPLY_GUESSED)]
