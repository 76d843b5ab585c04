"""What can be done with logins: note a new one and its use, end them."""

from dataclasses import dataclass
from datetime import datetime

from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import QuerySet

from accounts.models import ApiToken, LogIn, Person
from accounts.sessions.queries import AGENT_LIMIT
from accounts.trail_acts import SESSION_ENDED, SESSIONS_ENDED
from audit.actions import record


def stored_key(*, session: SessionBase) -> str:
    """The session's key; one that has none yet is stored first."""
    if session.session_key is None:
        session.save()
    return str(session.session_key)


@transaction.atomic
def note_log_in(
    *, person: Person, session_key: str, agent: str, address: str, since: datetime, at: datetime, n_at_most: int
) -> LogIn:
    """Lists a login; beyond `n_at_most` of the person, those that were used least recently end."""
    Session.objects.filter(expire_date__lte=at).delete()
    log_in, _ = LogIn.objects.update_or_create(
        session_id=session_key,
        defaults={"person": person, "agent": agent[:AGENT_LIMIT], "address": address, "since": since, "seen_at": at},
    )
    others = person.log_ins.exclude(pk=log_in.pk).order_by("-seen_at", "-pk")
    Session.objects.filter(log_in__in=list(others[n_at_most - 1 :])).delete()
    return log_in


@transaction.atomic
def note_use(*, session_key: str, address: str, at: datetime) -> None:
    LogIn.objects.filter(session_id=session_key).update(address=address, seen_at=at)


@dataclass(frozen=True, slots=True)
class Ended:
    """How many logins and API tokens ended."""

    n_ended: int
    n_tokens: int


@transaction.atomic
def end_session(*, log_in: LogIn, by: Person, at: datetime) -> None:
    """Ends one login at once, on open sockets too."""
    Session.objects.filter(log_in=log_in).delete()
    record(SESSION_ENDED, by=by, at=at, about=log_in.person.username)


@transaction.atomic
def end_sessions(
    *, person: Person, but: str, by: Person, at: datetime, tokens: QuerySet[ApiToken] | None = None
) -> Ended:
    """Ends every login of the person except the session of the key `but`, and those `tokens`, on open sockets too."""
    ended = list(person.log_ins.exclude(session_id=but))
    Session.objects.filter(log_in__in=ended).delete()
    n_tokens = 0 if tokens is None else tokens.delete()[0]
    record(SESSIONS_ENDED, by=by, at=at, about=person.username, details={"n": len(ended), "tokens": n_tokens})
    return Ended(len(ended), n_tokens)
