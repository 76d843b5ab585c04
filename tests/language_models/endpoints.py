"""Endpoints for tests, and doors to them."""

from contextlib import asynccontextmanager
from datetime import UTC, datetime

from asgiref.sync import sync_to_async

from campaigns.models import Campaign
from language_models.models import ModelEndpoint
from participants.outbound import Door

NOW = datetime(2026, 11, 2, 9, 30, tzinfo=UTC)
YES_OR_NO = {
    "type": "object",
    "properties": {"verdict": {"enum": ["yes", "no"]}, "turn": {"type": "integer", "minimum": 1, "maximum": 9}},
    "required": ["verdict", "turn"],
    "additionalProperties": False,
}


def now():
    return NOW


def an_endpoint(port=1, **said):
    """Stores an endpoint of the small campaign at that port of this machine."""
    usual = {"key": "m", "url": f"http://127.0.0.1:{port}/v1", "model": "scripted", "declared_at": NOW}
    return ModelEndpoint.objects.create(campaign=Campaign.objects.get(slug="small"), **usual | said)


async def endpoint_at(port=1, **said):
    return await sync_to_async(lambda: an_endpoint(port, **said))()


@asynccontextmanager
async def door_at(port):
    door = Door(frozenset({("127.0.0.1", port)}))
    try:
        yield door
    finally:
        await door.close()
