"""Runs of commands that ask models: one at a time per judge or program, under a lease."""

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, TypeVar

from asgiref.sync import sync_to_async
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from campaigns.models import Campaign
from language_models.models import ModelRun, Purpose
from serving.actions import end_leases
from serving.processes import ProcessName
from serving.refused import Refused

T = TypeVar("T")

LEASE = timedelta(minutes=3)
RENEW_EVERY_S = 30.0


class RunUnderWay(Refused):
    code = "run_under_way"


@transaction.atomic
def begin_run(*, campaign: Campaign, purpose: Purpose, asks_for: str, process: ProcessName, at: datetime) -> ModelRun:
    """The run is this process's. Errors: `RunUnderWay` while another one goes on.

    One whose process ended is over: at once on the same machine, on another when its lease has run out.
    """
    same = ModelRun.objects.filter(campaign=campaign, purpose=purpose, asks_for=asks_for)
    end_leases(same, is_dead=process.is_ended, at=at)
    same.filter(lease_until__lt=at).delete()
    held = {"worker": process.name, "began_at": at, "lease_until": at + LEASE}
    run, is_new = ModelRun.objects.get_or_create(campaign=campaign, purpose=purpose, asks_for=asks_for, defaults=held)
    if not is_new:
        text = gettext_noop(
            "Another run for %(name)s has been going since %(began)s: a second one would ask, and pay for, the same dialogues. "
            "Wait until it has ended; what a run on another machine leaves behind is free after %(minutes)d minutes."
        )
        began = run.began_at.isoformat(timespec="seconds")
        raise RunUnderWay(text, name=asks_for, began=began, minutes=LEASE.seconds // 60)
    return run


@contextmanager
def only_run(campaign: Campaign, purpose: Purpose, asks_for: str) -> Iterator[ModelRun]:
    """Holds the claim while the block runs; list the work inside, or two runs could list the same. Errors: `RunUnderWay`."""
    run = begin_run(campaign=campaign, purpose=purpose, asks_for=asks_for, process=ProcessName(), at=timezone.now())
    try:
        yield run
    finally:
        ModelRun.objects.filter(pk=run.pk).delete()


async def renewing(run: ModelRun, work: Coroutine[Any, Any, T]) -> T:
    """What `work` gives, while the run's lease is renewed. Errors: `RunUnderWay` where another run took it over after a standstill."""
    working = asyncio.ensure_future(work)
    try:
        while not (await asyncio.wait({working}, timeout=RENEW_EVERY_S))[0]:
            held = ModelRun.objects.filter(pk=run.pk)
            if not await sync_to_async(held.update)(lease_until=timezone.now() + LEASE):
                text = gettext_noop("This run stood still for too long, and another one for %(name)s took over.")
                raise RunUnderWay(text, name=run.asks_for)
        return await working
    finally:
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
