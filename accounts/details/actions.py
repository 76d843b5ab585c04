"""Changes the name that others see, and the address for links to a new password."""

from datetime import datetime

from django.db import transaction

from accounts.acts import DETAILS_CHANGED
from accounts.models import Person
from audit.actions import record


@transaction.atomic
def change_details(*, person: Person, display_name: str, email: str, by: Person | None, at: datetime) -> bool:
    """False where both are what they were. The caller has checked the address."""
    if (person.display_name, person.email) == (display_name, email):
        return False
    person.display_name, person.email = display_name, email
    person.save(update_fields=["display_name", "email"])
    record(DETAILS_CHANGED, by=by, at=at, about=person.username)
    return True
