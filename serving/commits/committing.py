"""Many pieces of work in one transaction: each gets its result or its error, and a commit is never guessed at.

The dialogues are locked first. Work whose dialogue another writer holds is `BUSY` and goes into a later batch: a batch
never waits for a dialogue. The other works take their steps together, those of one dialogue in sequence. A refusal leaves
the others alone. Any other error undoes the transaction, and each piece is made in one of its own. What PostgreSQL undid
because another writer was in the way is made again. A commit whose answer was lost is looked up.
"""

import logging
import random
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from types import GeneratorType
from typing import Any, NamedTuple
from uuid import UUID

from django.db import InterfaceError, OperationalError, connection, transaction

from serving.commits.shared_transaction import Hold, shared_transaction
from serving.commits.statements import Statement
from serving.commits.steps import Steps, alone, together
from serving.refused import Refused

logger = logging.getLogger("huace.group_commit")


class Work(NamedTuple):
    """`make` gives the result, or the steps to it. `about` is the dialogue that it changes; without one it waits for no lock."""

    make: Callable[[], Any]
    about: UUID | None = None


# After this many shared attempts that met a deadlock each change gets a transaction of its own.
SHARED_ATTEMPTS = 2
ATTEMPTS_ALONE = 8
PAUSE_ALONE_S = 0.05
# How long a commit whose answer was lost may stay undecided.
IN_PROGRESS_LIMIT_S = 5.0
IN_PROGRESS_PAUSE_S = 0.05
# deadlock_detected, serialization_failure: PostgreSQL undid everything and says "try again".
CONFLICTS = {"40P01", "40001"}


_own_id = Statement("SELECT pg_current_xact_id_if_assigned()::text")
# The outcome of a piece of work whose dialogue another writer holds: nothing of it was made.
BUSY = object()


class Unavailable(Exception):
    """The database did not take the change; nothing of it is stored."""


class _Away(Unavailable):
    """The database does not answer at all: there is no use in asking it for the rest of a batch."""


class _Conflict(Exception):
    """Another writer or a lost connection was in the way: nothing is stored, and the same may be tried again."""


def outcomes_of(works: Sequence[Work], hold: Hold | None = None) -> list[Any]:
    """The result of each piece of work once it is committed, or the error that kept it from that."""
    for _ in range(SHARED_ATTEMPTS):
        try:
            return _in_one_transaction(works, hold)
        except _Conflict as conflict:
            logger.warning("A shared commit of %d changes is tried again: %s", len(works), conflict.__cause__)
        except Unavailable as lost:
            return [lost] * len(works)
        except Exception:
            logger.warning("A shared commit failed; its %d changes are made one by one.", len(works), exc_info=True)
            break
    return _one_by_one(works, hold)


def _one_by_one(works: Sequence[Work], hold: Hold | None) -> list[Any]:
    outcomes: list[Any] = []
    busy = set[UUID | None]()
    for work in works:
        if outcomes and isinstance(outcomes[-1], _Away):
            outcomes.append(outcomes[-1])
            continue
        # What follows a change that is put off is put off with it: the changes of a dialogue stay in order.
        outcomes.append(BUSY if work.about in busy else _by_itself(work, hold))
        if outcomes[-1] is BUSY:
            busy.add(work.about)
    return outcomes


def _by_itself(work: Work, hold: Hold | None) -> Any:
    for attempt in range(1, ATTEMPTS_ALONE + 1):
        try:
            return _in_one_transaction([work], hold)[0]
        except _Conflict as conflict:
            logger.warning("A change is tried again after attempt %d: %s", attempt, conflict.__cause__)
            time.sleep(random.uniform(0, PAUSE_ALONE_S))
        except Exception as error:
            return error
    logger.error("A change was given up after %d conflicts with other writers.", ATTEMPTS_ALONE)
    return Unavailable("Other writers were in the way each time.")


def _in_one_transaction(works: Sequence[Work], hold: Hold | None) -> list[Any]:
    """The results of all works, committed together. Errors: `Unavailable`, `_Conflict`, and whatever a work raises.

    An open connection that turns out to be lost costs nothing but a second attempt on a new one.
    """
    may_be_stale = connection.vendor != "sqlite" and connection.connection is not None
    try:
        return _committed(works, hold)
    except (OperationalError, InterfaceError) as lost:
        if not may_be_stale:
            raise _away(lost) from lost
    logger.warning("The database connection was lost; its %d changes are made on a new one.", len(works))
    try:
        return _committed(works, hold)
    except (OperationalError, InterfaceError) as lost:
        raise _away(lost) from lost


def _committed(works: Sequence[Work], hold: Hold | None) -> list[Any]:
    outcomes: list[Any] | None = None
    transaction_id: str | None = None
    try:
        with shared_transaction(hold, {work.about for work in works if work.about is not None}) as busy:
            found = _made(works, busy)
            transaction_id = _transaction_id()
            outcomes = found
        return outcomes
    except (OperationalError, InterfaceError) as lost:
        if _is_conflict(lost):
            raise _Conflict from lost
        connection.close()
        if outcomes is not None and transaction_id is not None:
            return _looked_up(outcomes, transaction_id, lost)
        raise


def _transaction_id() -> str | None:
    """PostgreSQL's name of the running transaction, if it wrote anything."""
    if connection.vendor != "postgresql":
        return None
    found: str | None = _own_id().fetchone()[0]
    return found


def _looked_up(outcomes: list[Any], transaction_id: str, lost: Exception) -> list[Any]:
    """The outcomes, if the commit whose answer was lost with the connection did happen.

    Replaying a committed turn would look like a duplicate key, and the bot would never be asked.
    """
    try:
        status = _status_of(transaction_id)
    except (OperationalError, InterfaceError) as still_lost:
        connection.close()
        raise _away(still_lost) from lost
    logger.warning("The connection was lost in a commit of %d changes, which is %s.", len(outcomes), status)
    if status != "committed":
        raise _Conflict from lost
    return outcomes


def _status_of(transaction_id: str) -> str:
    """The outcome of a transaction; waits while its backend has not noticed the lost connection.

    Errors: `OperationalError`, also if it does not end.
    """
    ends_at = time.monotonic() + IN_PROGRESS_LIMIT_S
    while True:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_xact_status(%s::xid8)", [transaction_id])
            status: str = cursor.fetchone()[0]
        if status != "in progress":
            return status
        if time.monotonic() > ends_at:
            raise OperationalError("the transaction before is still in progress")
        time.sleep(IN_PROGRESS_PAUSE_S)


def _is_conflict(error: Exception) -> bool:
    return getattr(error.__cause__, "sqlstate", None) in CONFLICTS


def _away(lost: Exception) -> _Away:
    logger.warning("The database is not available: %s", lost)
    connection.close()
    return _Away("The database is not available.")


def _made(works: Sequence[Work], busy: set[UUID]) -> list[Any]:
    """The results and refusals of the works. Those about no dialogue come last, one by one: they may lock in any order."""
    outcomes: list[Any] = [BUSY] * len(works)
    lanes = defaultdict[UUID, list[int]](list)
    for place, work in enumerate(works):
        if work.about is not None and work.about not in busy:
            lanes[work.about].append(place)
    together([_lane(works, lanes[about], outcomes) for about in sorted(lanes)])
    alone(_lane(works, [place for place, work in enumerate(works) if work.about is None], outcomes))
    return outcomes


def _lane(works: Sequence[Work], places: list[int], outcomes: list[Any]) -> Steps[None]:
    for place in places:
        outcomes[place] = yield from _outcome(works[place])


def _outcome(work: Work) -> Steps[Any]:
    """The result of one piece of work, or its refusal: a refusal comes before anything is written, so the rest goes on.

    Any other error ends the shared transaction; each piece of work then gets one of its own.
    """
    try:
        made = work.make()
        return (yield from made) if isinstance(made, GeneratorType) else made
    except Refused as refusal:
        transaction.set_rollback(False)
        return refusal
