"""Asks a judge about the dialogues that were drawn for it, several at once; what is stored is never asked again."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any

from asgiref.sync import sync_to_async

from dialogues.models import Dialogue
from judging.actions.judgements import Judgement, store_judgement
from judging.addressing import speaks_to_judge
from judging.models import Judge, JudgeReview
from judging.prompts import asked_again, judge_prompt, problems_of, sample_of
from judging.sheets import judge_sheet, texts_of
from judging.variants import Sheet, changed_sheet, sentence_of
from language_models.asking import ModelAnswer
from language_models.models import ModelCall, ModelEndpoint, Outcome
from language_models.prompts import Prompt, prompt_digest
from language_models.refusals import ModelRefusal, Why

Ask = Callable[[Prompt], Awaitable[ModelAnswer]]
Clock = Callable[[], datetime]
# With these a judge fails on one dialogue; with any other refusal nothing is wrong with the dialogue, and the run ends.
OF_THE_DIALOGUE = (Why.BAD_ANSWER, Why.PROMPT_TOO_LONG)
TIMES_ASKED = 2
# Samples of one dialogue differ by their seed; those of another judge's seed are others.
SEEDS_APART = 1000


@dataclass(slots=True)
class Run:
    """How far a run is; `stopped_by` is the refusal that ended it early."""

    n_all: int
    n_done: int = 0
    n_failed: int = 0
    n_refused: int = 0
    cost: Decimal = field(default_factory=Decimal)
    stopped_by: ModelRefusal | None = None

    @property
    def n_left(self) -> int:
        return self.n_all - self.n_done - self.n_failed


async def run_judge(
    judge: Judge,
    reviews: list[Any],
    *,
    ask: Ask,
    at: Clock,
    parallel: int = 1,
    tell: Callable[[Run], None] = lambda run: None,
) -> Run:
    """Judges the reviews with those ids in their order. Whatever ends it, what was answered is stored, and the rest is still to do."""
    run, waiting = Run(len(reviews)), iter(reviews)

    async def work() -> None:
        for pk in waiting:
            if run.stopped_by is not None:
                return
            review, sheet = await sync_to_async(_read)(judge, pk)
            try:
                judgement = await judgement_of(judge, sheet, review.variant, ask=ask)
            except ModelRefusal as refusal:
                run.stopped_by = refusal
                return
            stored = await sync_to_async(store_judgement)(review=review, judgement=judgement, at=at())
            run.n_done += stored.state == JudgeReview.State.DONE
            run.n_failed += stored.state == JudgeReview.State.FAILED
            run.n_refused += judgement.n_refused
            run.cost += judgement.cost
            tell(run)

    async with asyncio.TaskGroup() as group:
        for _ in range(max(1, min(parallel, len(reviews)))):
            group.create_task(work())
    return run


def _read(judge: Judge, pk: Any) -> tuple[JudgeReview, Sheet]:
    review = JudgeReview.objects.get(pk=pk)
    dialogue = Dialogue.objects.with_names().get(pk=review.dialogue_id)
    return review, judge_sheet(dialogue, judge.language)


async def judgement_of(judge: Judge, sheet: Sheet, variant: str, *, ask: Ask) -> Judgement:
    """All samples of one sheet. A bad answer is asked for once more, then the judgement fails.

    Errors: `ModelRefusal` where the model cannot be asked at all.
    """
    samples: list[dict[str, Any]] = []
    counted = _Counted()
    speaks = any(map(speaks_to_judge, texts_of(sheet)))
    because = ""
    for number in range(judge.n_samples):
        prompt = prompt_for(judge, sheet, variant, number)
        try:
            samples.append(await _sample(prompt, changed_sheet(sheet, variant, judge.language), judge, ask, counted))
        except ModelRefusal as refusal:
            if refusal.why not in OF_THE_DIALOGUE:
                raise
            because = str(refusal.why)
            break
    return Judgement(
        samples=[] if because else samples, failed_because=because, n_asked=counted.n_asked,
        n_refused=counted.n_refused, tokens_in=counted.tokens_in, tokens_out=counted.tokens_out, cost=counted.cost,
        speaks_to_judge=speaks,
    )  # fmt: skip


def prompt_for(judge: Judge, sheet: Sheet, variant: str, number: int) -> Prompt:
    """The prompt of one sample; equal judges, sheets, variants and numbers give an equal one, which the cache answers."""
    return judge_prompt(
        changed_sheet(sheet, variant, judge.language),
        language=judge.language,
        instructions=judge.instructions,
        temperature=judge.temperature,
        seed=judge.seed * SEEDS_APART + number,
        author=sentence_of(variant, maker=judge.maker, language=judge.language),
    )


@dataclass(slots=True)
class _Counted:
    n_asked: int = 0
    n_refused: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: Decimal = field(default_factory=Decimal)

    def add(self, one: ModelAnswer | ModelCall) -> None:
        self.tokens_in += one.tokens_in
        self.tokens_out += one.tokens_out
        self.cost += one.cost


async def _sample(prompt: Prompt, sheet: Sheet, judge: Judge, ask: Ask, counted: _Counted) -> dict[str, Any]:
    for n_left in reversed(range(TIMES_ASKED)):
        counted.n_asked += 1
        try:
            answer = await ask(prompt)
        except ModelRefusal as refusal:
            if refusal.why != Why.BAD_ANSWER:
                raise
            if (spent := await sync_to_async(_call_of)(judge.endpoint, prompt)) is not None:
                counted.add(spent)
            problems = str(refusal)
            refused = refusal
        else:
            counted.add(answer)
            misfits = problems_of(answer.parsed, prompt)
            if not misfits:
                return sample_of(answer.parsed or {}, sheet)
            first = misfits.listed()[0]
            problems, refused = str(first), ModelRefusal(Why.BAD_ANSWER, first)
        counted.n_refused += 1
        if n_left:
            prompt = asked_again(prompt, problems, judge.language)
    raise refused


def _call_of(endpoint: ModelEndpoint, prompt: Prompt) -> ModelCall | None:
    """What a bad answer took stands in the ledger alone."""
    digest = prompt_digest(prompt, endpoint)
    calls = ModelCall.objects.filter(endpoint=endpoint, digest=digest, outcome=Outcome.BAD_ANSWER)
    return calls.order_by("-pk").first()
