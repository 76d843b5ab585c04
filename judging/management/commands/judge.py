"""manage.py judge SLUG --judge KEY: asks a judge that is a model about the dialogues drawn for it, and goes on where it was."""

import asyncio
import json
from argparse import ArgumentParser
from functools import partial
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, no_translations
from django.utils import timezone

from campaigns.management.campaign_named import campaign_named
from judging.actions.declaring import judge_as_it_is_now, seat_judge
from judging.actions.judgements import draw_for_judge, draw_variants, retry_failed
from judging.limits import PARALLEL_LIMIT
from judging.models import Judge, JudgeReview
from judging.running import Run, one_dialogue, run_judge
from judging.variants import UNCHANGED
from judging.workbench import to_probe
from language_models.actions.runs import only_run, renewing
from language_models.asking import ask_model
from language_models.dry_run import at_most
from language_models.models import ModelRun, Purpose
from language_models.prompts import money
from participants.outbound import Door
from serving.refused import Refused

TOLD_EVERY = 10


def judge_named(slug: str, key: str) -> Judge:
    """The newest version. Errors: `CommandError`."""
    campaign = campaign_named(slug)
    found = Judge.objects.filter(campaign=campaign, key=key).select_related("campaign__rubric", "endpoint", "account")
    judge = found.order_by("-version").first()
    if judge is None:
        raise CommandError(f"The campaign {slug} has no judge {key}: declare it on its page “Judges” first.")
    if judge.withdrawn_at is not None:
        raise CommandError(f"The judge {judge.name} was withdrawn.")
    return judge


class Command(BaseCommand):
    help = "Asks a judge about the dialogues drawn for it. What is judged stays; run again to go on."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--judge", required=True, metavar="KEY")
        parser.add_argument("--n", type=int, help="at most so many dialogues (of each variant, with --probes)")
        parser.add_argument("--parallel", type=int, default=4, help=f"dialogues at once, up to {PARALLEL_LIMIT}")
        parser.add_argument(
            "--probes", action="store_true", help="judge again under changed prompts, to find biases of the judge"
        )
        parser.add_argument("--retry", action="store_true", help="ask about dialogues that failed once more, too")
        parser.add_argument("--dry-run", action="store_true", help="print the prompt and the cost of one dialogue")
        parser.add_argument("--format", choices=("text", "json"), default="text")

    @no_translations
    def handle(self, *, slug: str, judge: str, parallel: int, format: str, dry_run: bool, **how: Any) -> None:
        if not 1 <= parallel <= PARALLEL_LIMIT or (how["n"] is not None and how["n"] < 1):
            raise CommandError(f"--parallel is from 1 to {PARALLEL_LIMIT}, and --n from 1.")
        found = judge_named(slug, judge)
        try:
            if dry_run:
                self._say_what_it_costs(found, format)
                return
            with only_run(found.campaign, Purpose.JUDGE, found.key) as held:
                self._judge(judge_as_it_is_now(judge=found, by=None, at=timezone.now()), held, parallel, format, **how)
        except Refused as refused:
            raise CommandError(str(refused) or refused.code) from refused

    def _judge(
        self,
        judge: Judge,
        held: ModelRun,
        parallel: int,
        format: str,
        *,
        n: int | None,
        probes: bool,
        retry: bool,
        **_rest: Any,
    ) -> None:
        at = timezone.now()
        if judge.campaign.programs_count:
            judge = seat_judge(judge=judge, at=at)
        if retry:
            retry_failed(judge=judge, at=at)
        draw_for_judge(judge=judge, at=at)
        if probes:
            draw_variants(judge=judge, variants=to_probe(judge, n or 40), at=at)
        own = JudgeReview.objects.filter(judge=judge).to_do()
        to_do = own.exclude(variant=UNCHANGED) if probes else own.filter(variant=UNCHANGED)[:n]
        reviews = list(to_do.values_list("pk", flat=True))
        run = asyncio.run(renewing(held, self._run(judge, reviews, parallel)))
        self._report(judge, run, format)

    async def _run(self, judge: Judge, reviews: list[Any], parallel: int) -> Run:
        door = Door(settings.OUTBOUND_ALLOW)
        ask = partial(ask_model, judge.endpoint, purpose="judge", door=door, at=timezone.now)
        try:
            return await run_judge(
                judge, reviews, ask=ask, at=timezone.now, parallel=parallel, tell=self._tell(judge.endpoint.currency)
            )
        finally:
            await door.close()

    def _tell(self, currency: str) -> Any:
        def tell(run: Run) -> None:
            if (run.n_done + run.n_failed) % TOLD_EVERY == 0:
                self.stderr.write(f"{run.n_done + run.n_failed} of {run.n_all}, {money(run.cost)} {currency}")

        return tell

    def _report(self, judge: Judge, run: Run, format: str) -> None:
        why = run.stopped_by
        told = {
            "judge": judge.key, "version": judge.version, "to_do": run.n_all, "done": run.n_done, "failed": run.n_failed,
            "left": run.n_left, "refused_answers": run.n_refused, "cost": str(run.cost), "currency": judge.endpoint.currency,
            "stopped_by": why.code if why else None,
        }  # fmt: skip
        if format == "json":
            self.stdout.write(json.dumps(told))
        else:
            self.stdout.write(
                f"{judge.name}: {run.n_done} judged, {run.n_failed} failed, {run.n_left} left; "
                f"{money(run.cost)} {judge.endpoint.currency}."
            )
        if why is not None:
            raise CommandError(f"The run ended early ({why.code}): {why} Run the command again to go on.")

    def _say_what_it_costs(self, judge: Judge, format: str) -> None:
        found = one_dialogue(judge)
        if found is None:
            raise CommandError("There is no dialogue to judge.")
        if format == "json":
            self.stdout.write(json.dumps(found | {"samples": judge.n_samples}, ensure_ascii=False))
            return
        request = found["requests"][0]["request"]
        for message in request["messages"]:
            self.stdout.write(f"--- {message['role']}\n{message['content']}")
        rest = {name: value for name, value in request.items() if name != "messages"}
        self.stdout.write(f"--- request\n{json.dumps(rest, ensure_ascii=False)}")
        self.stdout.write(f"--- one dialogue: {judge.n_samples} samples, in all at most {at_most(found)}")
