"""Between the password and the code: who has got half-way in, held in a session that nobody is logged in to yet."""

from datetime import datetime, timedelta
from typing import Any

from django.contrib.sessions.backends.base import SessionBase

from accounts.models import Person

KEY = "half_way_in"
TIME = timedelta(minutes=10)


def note_half_way(session: SessionBase, person: Person, backend: str, at: datetime) -> None:
    session[KEY] = {
        "person": person.pk,
        "backend": backend,
        "hash": person.get_session_auth_hash(),
        "until": (at + TIME).timestamp(),
    }


def half_way_in(session: SessionBase, at: datetime) -> tuple[Person, str] | None:
    """The person and the backend that took the password; None after ten minutes or a change of the password."""
    noted: dict[str, Any] | None = session.get(KEY)
    if not noted or at.timestamp() >= noted["until"]:
        return None
    person = Person.objects.filter(pk=noted["person"], is_active=True).first()
    if person is None or person.get_session_auth_hash() != noted["hash"]:
        return None
    return person, noted["backend"]
