"""The machines of an installation: who is there, who has died, and what keeps one more from working beside them.

Each server process on PostgreSQL has a row with a beat. Whether another machine's process lives is seen by the beat alone,
on the observer's clock, and only while it can look: an absence of the database ends nobody. An SQLite file is one
machine's, where the system knows which processes live.
"""

import asyncio
import logging
import os
import time
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.db import connection
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_noop

from serving.actions import beat, end_beat, key_digest
from serving.leases import Lease, leases
from serving.models import ProcessBeat
from serving.processes import ProcessName, note_ended, this_place
from serving.versions import code_version

logger = logging.getLogger("huace.machines")

BEAT_EVERY_S = 2.0
# A beat that stands still for longer, while we looked all the time, is that of a dead process.
STILL_FOR_S = 6.0
# For a beat that was not watched meanwhile: a starting server waits no longer to be sure.
PRESENT_FOR = timedelta(seconds=10)
CLOCK_TOLERANCE = timedelta(seconds=5)
PRESENT = "server processes"
NETWORK_DISKS = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "ceph", "lustre", "afs", "gfs2", "ocfs2", "beegfs"})
NETWORK_DISKS_IN_USER_SPACE = frozenset({"fuse.sshfs", "fuse.glusterfs", "fuse.ceph", "fuse.s3fs", "fuse.rclone"})


def shares_database() -> bool:
    """Whether other machines may serve the same database."""
    return connection.vendor != "sqlite"


# -- the beat of this process -----------------------------------------------------------------------------------------


class Watch:
    """Which processes of other machines have ended: their beat stood still for as long as we looked."""

    def __init__(self, place: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._place, self._clock = place, clock
        self._since: dict[str, tuple[int, float]] = {}
        self._looked = clock()

    def look(self, beats: Mapping[str, int | None]) -> frozenset[str]:
        now = self._clock()
        if now - self._looked > 2 * BEAT_EVERY_S:
            # No beat could be seen meanwhile.
            self._since = {}
        self._looked = now
        others = {name: n for name, n in beats.items() if not name.startswith(f"{self._place}:")}
        before, self._since = self._since, {}
        for name, n in others.items():
            if n is not None:
                same = before.get(name)
                self._since[name] = same if same is not None and same[0] == n else (n, now)
        still = {name for name, (_, since) in self._since.items() if now - since >= STILL_FOR_S}
        return frozenset(still | {name for name, n in others.items() if n is None})


class Beat:
    """Keeps the beat of a server process, and notes which others ended. `commit` runs a write of the live side."""

    def __init__(self, owner: ProcessName, commit: Callable[[Callable[[], Any]], Awaitable[Any]]) -> None:
        self._owner, self._commit = owner, commit
        self._watch = Watch(owner.place)
        self.has_found_dead = asyncio.Event()
        self._dead: frozenset[str] = frozenset()
        self._presence: Lease | None = None

    async def follow(self) -> None:
        """Restarted whenever the database was away."""
        await self._be_present()
        while True:
            dead = self._watch.look(await self._commit(lambda: beat(self._owner.name)))
            note_ended(dead)
            if dead - self._dead:
                self.has_found_dead.set()
            self._dead = dead
            await asyncio.sleep(BEAT_EVERY_S)

    async def _be_present(self) -> None:
        """Once: machines that start see it, since they ask the same Redis."""
        over_all = leases()
        if over_all is not None and self._presence is None:
            self._presence = Lease(over_all, PRESENT, 1_000_000)
            await self._presence.one_more()

    async def end(self) -> None:
        # Without a database the others see that the beat stands still.
        with suppress(Exception):
            await self._commit(lambda: end_beat(self._owner.name))


# -- the machines that are there --------------------------------------------------------------------------------------


def beats_there() -> QuerySet[ProcessBeat]:
    return ProcessBeat.objects.filter(has_ended=False, seen_at__gt=Now() - PRESENT_FOR).order_by("place", "name")


def others_there() -> list[ProcessBeat]:
    """The server processes of other machines."""
    return list(beats_there().exclude(place=this_place())) if shares_database() else []


def host_of(process: ProcessBeat) -> str:
    return process.place.rpartition("-")[0] or process.place


# -- what keeps a server from starting --------------------------------------------------------------------------------


class CannotServe(Exception):
    """A sentence for the operator."""


class Hindrance(NamedTuple):
    """`words` name no host; the sentence says what to do."""

    words: str
    sentence: str


def refuse_what_cannot_work(*, may_differ: bool = False) -> None:
    """Errors: `CannotServe`. With `may_differ` other machines may run another version: they are being replaced."""
    others = others_there()
    if others and any(hindrances(others, may_differ=may_differ)):
        # One that was killed seconds ago hinders nobody: it may be this very machine, in another container.
        time.sleep(2 * BEAT_EVERY_S)
        n_beats = {other.name: other.n_beats for other in others}
        others = [other for other in others_there() if other.n_beats != n_beats.get(other.name)]
    for hindrance in hindrances(others, may_differ=may_differ):
        raise CannotServe(hindrance.sentence)
    if shares_database() and not settings.REDIS_URL:
        logger.warning("Without REDIS_URL this server is alone: no other process and no other machine joins it.")


def hindrances(others: Collection[ProcessBeat], *, may_differ: bool = False) -> Iterator[Hindrance]:
    """What keeps this machine from serving, or from serving beside the others."""
    if not shares_database():
        disk = network_disk_of(Path(settings.DATABASES["default"]["NAME"]))
        if disk:
            yield Hindrance(
                gettext_noop("SQLite on a network disk"),
                f"The SQLite database is on a network disk ({disk}), whose locks do not hold between machines: put"
                " HUACE_HOME on a disk of this machine, or use PostgreSQL (DATABASE_URL).",
            )
        return
    apart = clock_apart()
    if apart > CLOCK_TOLERANCE:
        yield Hindrance(
            gettext_noop("another clock"),
            f"The clock of this machine is {apart.total_seconds():.0f} s apart from the database's, and"
            f" {CLOCK_TOLERANCE.total_seconds():.0f} s are the most: let both follow a time server, then start again.",
        )
    for other in others:
        yield from _between_machines(other, host_of(other), may_differ)
    if settings.REDIS_URL and (strangers := _on_another_redis(others)):
        yield Hindrance(
            gettext_noop("another Redis"),
            f"The machine {strangers[0]} is on another Redis: REDIS_URL must lead all machines to the same one, and to"
            " the same database in it.",
        )


def _between_machines(other: ProcessBeat, host: str, may_differ: bool) -> Iterator[Hindrance]:
    if not settings.REDIS_URL:
        yield Hindrance(
            gettext_noop("no Redis"),
            f"Another machine serves this database already ({host}): several machines need REDIS_URL, the same on each."
            " If that one is to be replaced, stop it first.",
        )
    if not other.has_redis:
        yield Hindrance(
            gettext_noop("no Redis"),
            f"The machine {host} runs without REDIS_URL, and several machines need it, the same on each: restart that"
            " one with it first.",
        )
    if other.key_digest != key_digest():
        yield Hindrance(
            gettext_noop("another secret key"),
            f"The machine {host} has another secret key: give HUACE_SECRET_KEY the same value on each machine, or copy"
            " the file secret_key of its HUACE_HOME.",
        )
    if other.version != code_version() and not may_differ:
        yield Hindrance(
            gettext_noop("another version"),
            f"The machine {host} runs another version ({other.version}; this is {code_version()}): bring both to the"
            " same. To replace one by the other while people talk, start with --replace.",
        )


def _on_another_redis(others: Collection[ProcessBeat]) -> list[str]:
    """Machines that are not seen in our Redis; none while it is away, which every machine goes on without."""
    over_all = leases()
    held_by = None if over_all is None else over_all.machines_with(PRESENT)
    if held_by is None:
        return []
    return [host_of(other) for other in others if other.place not in held_by]


def clock_apart(now: Callable[[], datetime] = timezone.now) -> timedelta:
    """How far the clock of this machine is from the database's, whatever the way there took. Errors: `DatabaseError`."""
    with connection.cursor() as cursor:
        before = now()
        cursor.execute("SELECT clock_timestamp()")
        there: datetime = cursor.fetchone()[0]
        after = now()
    return max(before - there, there - after, timedelta(0))


def network_disk_of(path: Path, mounts: Path = Path("/proc/self/mountinfo")) -> str:
    """The kind of the network disk that the file is on, or will be; empty for a disk of this machine."""
    try:
        folder = path if path.exists() else path.parent
        device = os.stat(folder).st_dev
        lines = mounts.read_text().splitlines()
    except OSError:
        return ""
    number = f"{os.major(device)}:{os.minor(device)}"
    for line in lines:
        before, _, after = line.partition(" - ")
        if before.split()[2] == number:
            kind = after.split()[0]
            return kind if kind in NETWORK_DISKS | NETWORK_DISKS_IN_USER_SPACE else ""
    return ""
