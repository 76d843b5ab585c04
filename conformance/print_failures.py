"""Why a fingerprint was not taken: the ids of sentences, which are stored with their values."""

from django.utils.translation import gettext_noop

HELD_UP = gettext_noop(
    "The platform gave up: it waited too long for others who were talking to the system, or for itself."
)
NOT_IN_TIME = gettext_noop("Not all was answered within %(seconds)s s.")
SECRET_LOST = gettext_noop("The secret cannot be read.")
CALL_FAILED = gettext_noop("%(failure)s: %(detail)s")
