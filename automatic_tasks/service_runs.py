"""Calls a team's service batch by batch, each stored before the next, and gathers what it answered."""

import json
from collections.abc import Sequence
from functools import partial
from typing import Any

from asgiref.sync import sync_to_async
from django.utils.translation import gettext_noop

from automatic_tasks.actions.batches import begin_batches, store_batch
from automatic_tasks.models import Batch, Run, Service
from automatic_tasks.runs.gold_files import gold_of, noise_of
from campaigns.actions.entering import origin_of
from participants.adapters.smp2018_task1 import Labels, label_sentences
from participants.failures import BotFailure, Fault
from participants.outbound import Door
from reading.checking import PROBLEM_LIMIT, Problems
from reading.findings import Finding
from reading.storable import finding_as_logged
from scoring.mixing import Asked, batches, numbered
from scoring.task_types.contract import CheckedRun
from serving.database_threads import with_closed_connection, with_usable_connection


async def in_database(action: Any, *args: Any, **kwargs: Any) -> Any:
    """Short writes and reads, one at a time."""
    return await sync_to_async(with_usable_connection)(partial(action, *args, **kwargs))


async def in_thread(work: Any, *args: Any) -> Any:
    """Long computations, beside the heartbeat."""
    return await sync_to_async(with_closed_connection, thread_sensitive=False)(work, *args)


CALLS_PER_BATCH = 2
# Characters of what a service said.
TOLD_LIMIT = 500


class Unanswered(Exception):
    """The service answered no batch at all: there is nothing to score."""

    def __init__(self, first: Batch) -> None:
        super().__init__(first.failure)
        text = gettext_noop("The service answered no batch at all. First failure: %(failure)s.")
        self.reasons = [
            Finding("", text, {"failure": first.failure, "detail": first.what_happened or ""}),
            *first.findings,
        ]


class GoldChanged(Exception):
    """The run was asked the sentences of another gold file than the one that its task has now."""


class TakesNoPart(Exception):
    """The service was withdrawn, or sent back before its run began: the run must not call it again."""


def told_of(failure: BotFailure) -> Finding:
    """What happened, as rows of runs and batches hold it."""
    return finding_as_logged(failure.detail, TOLD_LIMIT)


class ServiceRun:
    """Asks a team's service batch by batch. What is stored is not asked again after a kill."""

    def __init__(self, run: Run, door: Door) -> None:
        self._run, self._door = run, door
        self._plan = run.plan

    async def ask(self) -> CheckedRun:
        """The answers.

        Errors: `Unanswered` where the service answered no batch at all; `BotFailure` for a call that broke off through no
        fault of the service; `TakesNoPart`, `GoldChanged`, `BadGold`, `BadNoise`, `SecretLost`.
        """
        asked: list[Asked] = await in_database(sentences_of, self._run)
        parts = batches(asked, self._plan.batch_size)
        done = await in_database(begin_batches, self._run, len(asked))
        for number, part in enumerate(parts, start=1):
            if number not in done:
                # Before each batch: withdrawing a service stops its runs, however long they take.
                service = await in_database(service_called_by, self._run)
                batch = await self._ask_batch(number, part, secret_for(service, self._run))
                await in_database(store_batch, batch, len(part))
        answers: CheckedRun = await in_database(answers_of, self._run, asked)
        return answers

    async def _ask_batch(self, number: int, part: Sequence[Asked], secret: str) -> Batch:
        """One batch, asked again once if the call fails."""
        sentences = [(asked.number, asked.content) for asked in part]
        began = self._door.watch.time()
        for n_calls in range(1, CALLS_PER_BATCH + 1):
            try:
                labels = await label_sentences(
                    self._door, self._run.url, sentences, deadline_s=self._plan.deadline_s, secret=secret
                )
            except BotFailure as failure:
                failed = failure
                continue
            return self._batch(number, n_calls, began, labels=labels)
        if failed.fault is not Fault.BOT:
            # Not stored: the batch is asked again when the run is resumed, and never counts as the team's mistake.
            raise failed
        return self._batch(number, n_calls, began, failure=failed)

    def _batch(
        self,
        number: int,
        n_calls: int,
        began: float,
        *,
        labels: Labels | None = None,
        failure: BotFailure | None = None,
    ) -> Batch:
        found = labels.deviations if labels else (failure.detail,) if failure and failure.detail.place else ()
        return Batch(
            run=self._run,
            number=number,
            answers={str(key): label for key, label in labels.by_id.items()} if labels else {},
            problems=[finding.to_json() for finding in found[:PROBLEM_LIMIT]],
            failure=str(failure.kind) if failure else "",
            detail=told_of(failure).to_json() if failure and not failure.detail.place else [],
            n_calls=n_calls,
            took_ms=round((self._door.watch.time() - began) * 1000),
        )


def service_called_by(run: Run) -> Service | None:
    """The service as it is now; None where its row is gone. Errors: `TakesNoPart`."""
    service = Service.objects.filter(task=run.task_id, team=run.team_id).first()
    if service is None:
        return None
    # Whether a batch is stored is asked only of a draft, so that a run that has begun ends.
    if service.withdrawn_at is not None or (service.draft_since is not None and not run.batches.exists()):
        raise TakesNoPart
    return service


def secret_for(service: Service | None, run: Run) -> str:
    """What the run sends with its calls; nothing where the service has moved to another server, for which alone the secret is.

    Errors: `SecretLost`.
    """
    if service is None or origin_of(service.url) != origin_of(run.url):
        return ""
    return service.secret


def sentences_of(run: Run) -> list[Asked]:
    """What the service is asked, by the plan of the run. Errors: `GoldChanged`, `BadGold`, `BadNoise`."""
    if run.plan.gold_id != run.task.gold_id:
        raise GoldChanged
    sentences = {name: content for name, (content, _label) in gold_of(run.task).items.items()}
    return numbered(run.plan.order, sentences, noise_of(run.plan.noise_id))


def as_run_file(run: Run) -> bytes:
    """The answers that count, in the format of a file run, so that `manage.py score --missing count` gives the same figures.

    It shows which sentences were noise, so it is for organizers only. Errors: `GoldChanged`, `BadGold`, `BadNoise`.
    """
    answers = answers_of(run, sentences_of(run))
    results = [{"id": item, "result": label} for item, label in answers.items.items()]
    return json.dumps({"resultsList": results}, ensure_ascii=False).encode()


def answers_of(run: Run, asked: Sequence[Asked]) -> CheckedRun:
    """Labels by gold item, and every deviation as a warning. Errors: `Unanswered` where no batch was answered."""
    stored = list(run.batches.all())
    if all(batch.failure for batch in stored):
        raise Unanswered(stored[0])
    item_of = {str(sentence.number): sentence.item for sentence in asked}
    items: dict[str, str] = {}
    warnings = Problems()
    classes = set(gold_of(run.task).about)
    for batch in stored:
        place = f"batch {batch.number}"
        if batch.failure:
            text = gettext_noop("no answer: %(failure)s, so its sentences count as wrong")
            warnings.note(place, text, failure=batch.failure, detail=batch.what_happened or "")
        for finding in batch.findings:
            warnings.add(finding.within(place))
        for number, label in batch.answers.items():
            item = item_of.get(number)
            if item is not None:
                items[item] = label
            # Whether an unknown label was given to noise is not told: it would show which sentences count.
            if label not in classes:
                warnings.note(
                    f"{place}, sentence {number}",
                    gettext_noop("“%(label)s” is not a class of this task"),
                    label=label[:80],
                )
    return CheckedRun(items, warnings.listed())
