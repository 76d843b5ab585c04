"""The key with which a system connects to the platform: made, shown once and revoked, and what is said of its connection."""

from dataclasses import dataclass
from datetime import datetime
from functools import partial

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from accounts.link_addresses import address_of
from accounts.models import Person
from campaigns.models import Entry
from registration.actions import make_dial_key, revoke_dial_key
from registration.models import DialKey
from testing_console.live import floor

SOCKET_PATH = "/ws/bots/"


@dataclass(frozen=True, slots=True)
class Connection:
    """How a system that connects itself stands; `key_made_at` is None without a key."""

    key_made_at: datetime | None = None
    is_connected: bool = False
    connected_at: datetime | None = None
    last_seen_at: datetime | None = None


def connection_of(entry: Entry, at: datetime) -> Connection | None:
    """None for a system that the platform calls."""
    if not entry.is_dial_out:
        return None
    key = key_of(entry)
    if key is None:
        return Connection()
    is_connected = key.is_connected(at)
    if is_connected:
        return Connection(key.made_at, is_connected, connected_at=key.connected_at)
    return Connection(key.made_at, is_connected, last_seen_at=key.last_seen_at)


def key_of(entry: Entry) -> DialKey | None:
    return getattr(entry, "dial_key", None)


@transaction.atomic
def make_key(entry: Entry, by: Person) -> str:
    """The new key. Whoever is connected with the one before is sent away. Errors: as `make_dial_key`."""
    key = make_dial_key(entry=entry, by=by, at=timezone.now())
    transaction.on_commit(partial(floor.expel_bot, entry.reached_at))
    return key


@transaction.atomic
def revoke_key(entry: Entry, by: Person) -> None:
    """Errors: as `revoke_dial_key`."""
    revoke_dial_key(entry=entry, by=by, at=timezone.now())
    transaction.on_commit(partial(floor.expel_bot, entry.reached_at))


def socket_address(request: HttpRequest) -> str:
    """Where systems connect."""
    return address_of(SOCKET_PATH, request).replace("http", "ws", 1)
