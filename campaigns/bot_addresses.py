"""Where a bot is asked."""

from campaigns.models import Entry
from participants.adapters import BotAddress


def address_asked(entry: Entry) -> BotAddress:
    """Where every call asks it, of a turn, a probe or a check: by its key they share its places. Errors: `SecretLost`."""
    return BotAddress(
        entry.protocol,
        entry.reached_at,
        entry.secret,
        entry.options,
        parallel=entry.parallel,
        key=f"entry {entry.pk}",
    )
