"""Counts that the processes of all machines share through Redis: the places at a bot, the open sockets of a person.

A holder states how much of a thing it has and how much more it wants, and Redis grants what is left. A statement repeats all
of that: a Redis that lost everything knows it again after one round. What a holder has is its own until its lease
ends, which it renews; a machine that dies gives everything back by then. Redis measures the time, so that no clock of a
machine matters. While Redis is away each process grants itself what it wants: its owner's own limit holds then.
"""

import asyncio
import itertools
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, partial
from typing import Any, NamedTuple

from django.conf import settings

from serving.processes import ProcessName

logger = logging.getLogger("huace.leases")

LEASE_S = 8.0
RENEW_EVERY_S = 2.0
# How often those who wait ask again, and how long a wait holds a thing for who has waited longest.
LOOK_EVERY_S = 0.02
WAIT_HOLDS_S = 1.0
# A hanging Redis counts as absent.
ANSWER_LIMIT_S = 1.0
# One script of this many statements blocks Redis for a few milliseconds.
STATED_AT_ONCE = 200

# KEYS: things. ARGV: lease and hold of a wait in ms, then holder, has, wants, limit, waits (1 or 0) of each thing.
# A row of a thing's hash is `holder: has, waits since (0: it does not), stated at`. Who has waited longest comes first;
# who is granted anything has waited since now. Gives for each thing the grant, then other holders where it was too little.
STATE = """
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local lease, holds = tonumber(ARGV[1]), tonumber(ARGV[2])
local answers = {}
for k, key in ipairs(KEYS) do
  local a = 2 + (k - 1) * 5
  local me, has, wants = ARGV[a + 1], tonumber(ARGV[a + 2]), tonumber(ARGV[a + 3])
  local limit, waits = tonumber(ARGV[a + 4]), ARGV[a + 5] == '1'
  local left, since, others, waiting = limit - has, now, {}, {}
  local rows = redis.call('HGETALL', key)
  for i = 1, #rows, 2 do
    local held, from, at = string.match(rows[i + 1], '^(%d+) (%d+) (%d+)$')
    held, from, at = tonumber(held), tonumber(from), tonumber(at)
    if rows[i] == me then
      if from > 0 then since = from end
    elseif at + lease < now then
      redis.call('HDEL', key, rows[i])
    else
      left = left - held
      others[#others + 1] = rows[i]
      if from > 0 and at + holds > now then waiting[#waiting + 1] = from end
    end
  end
  for _, from in ipairs(waiting) do
    if from < since then left = left - 1 end
  end
  local grant = math.max(0, math.min(wants, left))
  if grant > 0 then since = now end
  if not waits or grant == wants then since = 0 end
  if has + grant == 0 and since == 0 then
    redis.call('HDEL', key, me)
  else
    redis.call('HSET', key, me, string.format('%d %.0f %.0f', has + grant, since, now))
    redis.call('PEXPIRE', key, lease)
  end
  answers[k] = {grant}
  if grant < wants then
    for i, other in ipairs(others) do answers[k][i + 1] = other end
  end
end
return answers
"""


def nothing() -> None:
    """For who asks instead of waiting."""


class Lease:
    """What one holder has of one thing. Its owner counts; the thread of `Leases` adds what Redis grants. `on_news` is called in that thread."""

    def __init__(self, leases: "Leases", thing: str, limit: int, on_news: Callable[[], None] = nothing) -> None:
        self._leases = leases
        self.key, self.holder, self.limit = leases.key_of(thing), leases.new_holder(), limit
        self.on_news = on_news
        # Of what it has, what its owner uses, and what was granted and waits to be used.
        self.n_used = self.n_idle = self.n_wanted = 0
        self.tries: deque[_Try] = deque()

    @property
    def n_held(self) -> int:
        return self.n_used + self.n_idle

    @property
    def is_active(self) -> bool:
        return bool(self.n_held or self.n_wanted or self.tries)

    def take(self) -> bool:
        """Uses one that was granted; while Redis is away, any."""
        with self._leases.changed:
            if self.n_idle:
                self.n_idle -= 1
            elif not self._leases.is_away:
                return False
            self.n_used += 1
            # Taken while Redis is away, it has to be told of it.
            self._leases.note(self)
            return True

    def give_back(self) -> None:
        with self._leases.changed:
            self.n_used -= 1
            self._leases.note(self)

    def put_off(self) -> None:
        """Keeps one that was taken and cannot be used yet."""
        with self._leases.changed:
            self.n_used -= 1
            self.n_idle += 1

    def want(self, n: int) -> None:
        """Waits for N more; granted ones beyond that are given back."""
        with self._leases.changed:
            n_more, n_surplus = max(0, n - self.n_idle), max(0, self.n_idle - n)
            is_news = n_surplus > 0 or n_more != self.n_wanted
            if is_news:
                self.n_idle -= n_surplus
                self.n_wanted = n_more
                self._leases.note(self)
            is_alone = self._leases.is_away
        if is_news and n_more and is_alone:
            # Redis went away since it was asked: nobody else would tell.
            self.on_news()

    def have(self, limit: int) -> None:
        """Applies to what is granted from now on."""
        with self._leases.changed:
            self.limit = limit

    async def one_more(self) -> bool:
        """Uses one more if one is left now. Cancelled, it uses none."""
        loop = asyncio.get_running_loop()
        with self._leases.changed:
            if self._leases.is_away:
                self.n_used += 1
                self._leases.note(self)
                return True
            asked = _Try(loop, loop.create_future())
            self.tries.append(asked)
            self._leases.note(self)
        try:
            return await asked.granted
        except asyncio.CancelledError:
            if asked.granted.done() and not asked.granted.cancelled() and asked.granted.result():
                self.give_back()
            raise

    def settle(self, n_tries: int, n_granted: int) -> None:
        """Applies the answer to a statement of `n_tries` tries; under the lock."""
        for asked in [self.tries.popleft() for _ in range(n_tries)]:
            is_granted = n_granted > 0
            n_granted -= is_granted
            self.n_used += is_granted
            call_on(asked.loop, partial(self._answer, asked, is_granted))
        n_useful = min(n_granted, self.n_wanted)
        self.n_idle += n_useful
        self.n_wanted -= n_useful
        if n_useful < n_granted:
            self._leases.note(self)

    def _answer(self, asked: "_Try", is_granted: bool) -> None:
        if not asked.granted.cancelled():
            asked.granted.set_result(is_granted)
        elif is_granted:
            self.give_back()


class _Try(NamedTuple):
    loop: asyncio.AbstractEventLoop
    granted: "asyncio.Future[bool]"


class _Statement(NamedTuple):
    lease: Lease
    n_held: int
    n_tries: int
    n_wanted: int

    @property
    def arguments(self) -> tuple[str, int, int, int, int]:
        waits = int(self.n_wanted > 0)
        return self.lease.holder, self.n_held, self.n_tries + self.n_wanted, self.lease.limit, waits


class Leases:
    """All leases of this process, and the thread that states them. `installation` tells those apart that share a Redis."""

    def __init__(self, client: Any, installation: str) -> None:
        self._client = client
        self._state = client.register_script(STATE)
        self._process = ProcessName()
        self._numbers = itertools.count(1)
        self._prefix = f"{installation}:held:"
        # Held for each change of a count, and never for longer.
        self.changed = threading.Condition()
        self.is_away = False
        # Leases that have, await or have just given back something; those with news, and those that wait.
        self._active: set[Lease] = set()
        self._news: set[Lease] = set()
        self._waiting: set[Lease] = set()
        self._renew_at = self._look_at = 0.0
        self._is_over = False
        self._thread = threading.Thread(target=self._run, name="leases", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Gives everything back: another machine need not wait for the leases to end."""
        with self.changed:
            self._is_over = True
            self.changed.notify()
        self._thread.join(2 * ANSWER_LIMIT_S)
        with suppress(Exception):
            for lease in self._active:
                self._client.hdel(lease.key, lease.holder)

    def key_of(self, thing: str) -> str:
        return self._prefix + thing

    def new_holder(self) -> str:
        return f"{self._process.name}/{next(self._numbers)}"

    def machines_with(self, thing: str) -> set[str] | None:
        """The places of the processes that have some of the thing; None while Redis is away. For commands: it waits for Redis."""
        try:
            return {holder.partition(":")[0] for holder in self._client.hkeys(self.key_of(thing))}
        except Exception:
            # Whatever the client raises: it is not there.
            return None

    def note(self, lease: Lease) -> None:
        """Has it stated soon; under the lock."""
        self._active.add(lease)
        self._news.add(lease)
        self._note_wait(lease)
        self.changed.notify()

    def _note_wait(self, lease: Lease) -> None:
        if lease.n_wanted:
            self._waiting.add(lease)
        else:
            self._waiting.discard(lease)

    # -- the thread -----------------------------------------------------------------------------------------------

    def _run(self) -> None:
        while (statements := self._due()) is not None:
            try:
                if self.is_away and not statements:
                    self._client.ping()
                for first in range(0, len(statements), STATED_AT_ONCE):
                    part = statements[first : first + STATED_AT_ONCE]
                    self._settle(part, self._answers(part))
            except Exception as error:
                # Whatever the client raises: nobody may wait for a thread that ended.
                self._go_alone(error)
            else:
                self._go_together()

    def _due(self) -> list[_Statement] | None:
        """Waits until something is to be stated: what is new, what waits, every while all that is held. None at the end."""
        with self.changed:
            while not self._is_over:
                now = time.monotonic()
                if now >= self._renew_at:
                    self._renew_at = now + (ANSWER_LIMIT_S if self.is_away else RENEW_EVERY_S)
                    return self._stated(self._active)
                due = set() if self.is_away else self._news | (self._waiting if now >= self._look_at else set())
                if due:
                    return self._stated(due)
                next_at = self._renew_at if self.is_away or not self._waiting else min(self._look_at, self._renew_at)
                self.changed.wait(next_at - now)
            return None

    def _stated(self, leases: set[Lease]) -> list[_Statement]:
        self._look_at = time.monotonic() + LOOK_EVERY_S
        self._news -= leases
        return [_Statement(lease, lease.n_held, len(lease.tries), lease.n_wanted) for lease in leases]

    def _answers(self, statements: Sequence[_Statement]) -> list[tuple[int, list[str]]]:
        """The grant of each, and other holders where it was too little."""
        keys = [statement.lease.key for statement in statements]
        times = [int(LEASE_S * 1000), int(WAIT_HOLDS_S * 1000)]
        said = [argument for statement in statements for argument in statement.arguments]
        return [(int(grant), others) for grant, *others in self._state(keys=keys, args=[*times, *said])]

    def _settle(self, statements: Sequence[_Statement], answers: Sequence[tuple[int, list[str]]]) -> None:
        pleased = []
        with self.changed:
            for (lease, _held, n_tries, n_wanted), (n_granted, _others) in zip(statements, answers, strict=True):
                lease.settle(n_tries, n_granted)
                self._note_wait(lease)
                if n_wanted and n_granted:
                    pleased.append(lease)
                if not lease.is_active and lease not in self._news:
                    self._active.discard(lease)
        for lease in pleased:
            lease.on_news()
        for statement, (_, others) in zip(statements, answers, strict=True):
            # Of this machine it is certain at once; leases of other machines have to run out.
            ended = [other for other in others if self._process.is_ended(other.partition("/")[0])]
            if ended:
                self._client.hdel(statement.lease.key, *ended)

    def _go_alone(self, error: Exception) -> None:
        with self.changed:
            if not self.is_away:
                self.is_away = True
                logger.warning("Redis is away: until it is back, limits hold on each machine for itself: %s", error)
            self._renew_at = time.monotonic() + ANSWER_LIMIT_S
            for lease in self._active:
                lease.settle(len(lease.tries), len(lease.tries))
            pleased = list(self._waiting)
        for lease in pleased:
            lease.on_news()

    def _go_together(self) -> None:
        with self.changed:
            if self.is_away:
                self.is_away = False
                self._renew_at = 0.0
                logger.warning("Redis is back: limits hold over all machines again.")


def call_on(loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
    """For a loop that may have ended: nobody waits on it any more."""
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(call)


@cache
def leases() -> Leases | None:
    """Those of this process; None where the installation is one machine without Redis."""
    if not settings.REDIS_URL:
        return None
    return Leases(client_of(settings.REDIS_URL), settings.INSTALLATION)


def client_of(url: str) -> Any:
    # Installed where it is used alone.
    import redis
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    return redis.Redis.from_url(
        url,
        decode_responses=True,
        socket_timeout=ANSWER_LIMIT_S,
        socket_connect_timeout=ANSWER_LIMIT_S,
        # Once, on a new connection: Redis was restarted. Otherwise nobody waits until we ask again.
        retry=Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,)),
    )
