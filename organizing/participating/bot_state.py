"""How a bot stands: since when, why, what is next and who acts, in words for its team."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from campaigns.models import Entry


@dataclass(frozen=True, slots=True)
class BotState:
    """`key` is for programs. `is_ours` says that the next step is the team's own."""

    key: str
    word: str
    next: str
    since: datetime | None = None
    because: str = ""
    is_ours: bool = False


def state_of(entry: Entry, *, n_assigned: int, has_begun: bool) -> BotState:
    """The first that holds: what was decided about the bot, then what it lacks, then how far testing is."""
    if entry.withdrawn_at is not None:
        text = _("It takes no part any more. Only an organizer can take it back.")
        return BotState("withdrawn", _("withdrawn"), text, entry.withdrawn_at, entry.paused_because)
    if entry.paused_at is not None:
        text = _("No new dialogue begins. An organizer resumes it; open dialogues go on.")
        return BotState("paused", _("paused"), text, entry.paused_at, entry.paused_because)
    if not entry.url:
        text = _("Nobody can talk to it. Enter its address.")
        return BotState("no_address", _("has no address"), text, entry.registered_at, is_ours=True)
    if entry.has_lost_its_secret():
        text = _("The platform can no longer read its secret. Type the secret again.")
        return BotState("secret_lost", _("needs its secret"), text, is_ours=True)
    return _taking_part(entry, n_assigned, has_begun)


def _taking_part(entry: Entry, n_assigned: int, has_begun: bool) -> BotState:
    if has_begun:
        return BotState("testing", _("being tested"), _("Testers talk to it. Keep it running."))
    if entry.campaign.free_choice or n_assigned:
        text = _("Testers can begin at any time. Keep it running.")
    else:
        text = _("An organizer draws assignments for it.")
    return BotState("registered", _("registered"), text, entry.registered_at)
