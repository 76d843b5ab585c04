"""Asks a judge about the dialogues that were drawn for it, several at once; what is stored is never asked again."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any

from asgiref.sync import sync_to_async

from dialogues.models import Dialogue
from judging.actions.judgements import Judgement, add_cost, store_judgement
from judging.addressing import speaks_to_judge
from judging.models import Judge, JudgeReview
from judging.prompts import asked_again, judge_prompt, sample_of
from judging.sheets import judge_sheet, texts_of
from judging.variants import UNCHANGED, Sheet, changed_sheet, sentence_of
from language_models.asking import ModelAnswer
from language_models.dry_run import DryRun, dry_run
from language_models.prompts import Prompt
from language_models.refusals import ModelRefusal, Why

Ask = Callable[[Prompt], Awaitable[ModelAnswer]]
Clock = Callable[[], datetime]
# With these a judge fails on one dialogue; with any other refusal nothing is wrong with the dialogue, and the run ends.
OF_THE_DIALOGUE = (Why.BAD_ANSWER, Why.PROMPT_TOO_LONG, Why.REFUSED)
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
            if review.state == JudgeReview.State.TO_DO:
                judgement = await judgement_of(judge, sheet, review.variant, ask=ask)
                run.n_refused += judgement.n_refused
                run.cost += judgement.cost
                if judgement.stopped_by is not None:
                    run.stopped_by = judgement.stopped_by
                    await sync_to_async(add_cost)(review=review, cost=judgement.cost)
                    return
                review = await sync_to_async(store_judgement)(review=review, judgement=judgement, at=at())
            # Another run may have judged it meanwhile.
            run.n_done += review.state == JudgeReview.State.DONE
            run.n_failed += review.state == JudgeReview.State.FAILED
            tell(run)

    async with asyncio.TaskGroup() as group:
        for _ in range(max(1, min(parallel, len(reviews)))):
            group.create_task(work())
    return run


def one_dialogue(judge: Judge) -> DryRun | None:
    """What one dialogue takes, the first that was drawn or could be. Its samples differ by their seed: only the first is shown."""
    drawn = JudgeReview.objects.filter(judge=judge, variant=UNCHANGED).order_by("position").values("dialogue")[:1]
    found = Dialogue.objects.with_names()
    dialogue = found.filter(pk__in=drawn).first() or found.of_campaign(judge.campaign).reviewable().first()
    if dialogue is None:
        return None
    sheet = judge_sheet(dialogue, judge.language)
    prompts = [prompt_for(judge, sheet, UNCHANGED, number) for number in range(judge.n_samples)]
    run = dry_run(judge.endpoint, prompts, currency=judge.endpoint.currency)
    run["requests"] = run["requests"][:1]
    return run


def _read(judge: Judge, pk: Any) -> tuple[JudgeReview, Sheet]:
    review = JudgeReview.objects.get(pk=pk)
    dialogue = Dialogue.objects.with_names().get(pk=review.dialogue_id)
    return review, judge_sheet(dialogue, judge.language)


async def judgement_of(judge: Judge, sheet: Sheet, variant: str, *, ask: Ask) -> Judgement:
    """All samples of one sheet. A bad answer is asked for once more, then the judgement fails; it is stopped where the model cannot be asked at all."""
    judgement = Judgement(speaks_to_judge=any(map(speaks_to_judge, texts_of(sheet))))
    changed = changed_sheet(sheet, variant, judge.language)
    try:
        for number in range(judge.n_samples):
            answer = await _answer(prompt_for(judge, changed, variant, number), judge.language, ask, judgement)
            judgement.samples.append(sample_of(answer.parsed or {}, changed))
    except ModelRefusal as refusal:
        if refusal.why in OF_THE_DIALOGUE:
            judgement.failed_because = str(refusal.why)
        else:
            judgement.stopped_by = refusal
    return judgement


def prompt_for(judge: Judge, sheet: Sheet, variant: str, number: int) -> Prompt:
    """The prompt of one sample of a sheet under that variant; an equal one is answered from the cache."""
    return judge_prompt(
        sheet,
        language=judge.language,
        instructions=judge.instructions,
        temperature=judge.temperature,
        seed=judge.seed * SEEDS_APART + number,
        author=sentence_of(variant, maker=judge.maker, language=judge.language),
    )


async def _answer(prompt: Prompt, language: str, ask: Ask, judgement: Judgement) -> ModelAnswer:
    """A usable answer. Errors: `ModelRefusal`, that of the second bad one."""
    for asked in (prompt, asked_again(prompt, language)):
        judgement.n_asked += 1
        try:
            answer = await ask(asked)
        except ModelRefusal as refusal:
            judgement.count(*refusal.used)
            judgement.n_refused += refusal.why == Why.BAD_ANSWER
            if asked is not prompt or refusal.why != Why.BAD_ANSWER:
                raise
        else:
            judgement.count(answer.tokens_in, answer.tokens_out, answer.cost)
            return answer
    raise AssertionError("the second refusal is raised")
