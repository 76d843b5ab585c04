"""A server process computes outdated correlations beside its sockets."""

import asyncio
import contextlib

import pytest
from django.conf import settings
from django.utils.module_loading import import_string

from organizing import actions as keeping
from organizing.actions import keep_meta_evaluations
from organizing.models import MetaEvaluation
from tests.organizing.test_meta_evaluation import rated, upload

__all__ = ["rated"]


@pytest.mark.django_db(transaction=True)
def test_correlations_are_computed_soon_after_a_table_came(rated, monkeypatch):
    monkeypatch.setattr(keeping, "LOOK_EVERY_S", 0.01)
    upload(rated)

    async def until_computed():
        kept = asyncio.create_task(keep_meta_evaluations())
        async with asyncio.timeout(60):
            while not await asyncio.to_thread(MetaEvaluation.objects.exclude(content={}).exists):
                await asyncio.sleep(0.01)
        kept.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await kept

    asyncio.run(until_computed())


def test_the_server_keeps_them():
    assert keep_meta_evaluations in [import_string(path) for path in settings.SERVING_CHORES.values()]
