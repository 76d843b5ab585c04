"""Why a fingerprint was not taken: stored in English, like what is said of a failed call, and shown in the reader's language."""

from django.utils.translation import gettext_noop

from scoring.findings import sentence_in_words
from scoring.known_sentences import know

HELD_UP = know(
    gettext_noop("The platform gave up: it waited too long for others who were talking to the system, or for itself.")
)
NOT_IN_TIME = know(gettext_noop("Not all was answered within %(seconds)s s."))
SECRET_LOST = know(gettext_noop("The secret cannot be read."))


def failure_in_words(stored: str) -> str:
    """What a server said in it stays as it is."""
    return sentence_in_words(stored)
