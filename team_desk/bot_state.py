"""How a bot stands: since when, why, what is next and who acts, in words for its team."""

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from campaigns.models import Entry, PausedBy
from look.moments import moment_on


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
        text = _("It no longer takes part. Only an organizer can take it back.")
        return BotState("withdrawn", _("withdrawn"), text, entry.withdrawn_at, entry.paused_because)
    if entry.paused_by == PausedBy.PLATFORM:
        return BotState("paused", _("paused"), _next_probe(entry), entry.paused_at, entry.why_paused, is_ours=True)
    if entry.paused_at is not None:
        text = _("No new dialogue begins. An organizer resumes it; open dialogues go on.")
        return BotState("paused", _("paused"), text, entry.paused_at, entry.paused_because)
    if entry.draft_since is not None:
        return _draft(entry)
    if not entry.has_address:
        text = _("Nobody can talk to it. Enter its address.")
        return BotState("no_address", _("has no address"), text, entry.registered_at, is_ours=True)
    if entry.is_dial_out and not hasattr(entry, "dial_key"):
        text = _("It has no key, so it cannot connect. Make its key.")
        return BotState("no_key", _("has no key"), text, entry.registered_at, is_ours=True)
    if entry.has_lost_its_secret():
        text = _("The platform can no longer read its secret. Type the secret again.")
        return BotState("secret_lost", _("needs its secret"), text, is_ours=True)
    return _taking_part(entry, n_assigned, has_begun)


def _next_probe(entry: Entry) -> str:
    probe = getattr(entry, "probe", None)
    text = _("No new dialogue begins, open ones go on. See what it answered below, and repair it.")
    if probe is None:
        return text
    due = moment_on(ZoneInfo(entry.campaign.time_zone), probe.due_at, "H:i:s")
    again = _("The platform asks it one word next at %(time)s, and lets it go on once it answers.") % {"time": due}
    return f"{text} {again}"


def _draft(entry: Entry) -> BotState:
    if entry.submitted_at is not None:
        return BotState("submitted", _("submitted"), _("An organizer admits it or sends it back."), entry.submitted_at)
    text = _("Nobody talks to it before an organizer has admitted it. Check it, then submit it.")
    return BotState("draft", _("draft"), text, entry.draft_since, entry.returned_because, is_ours=True)


def _taking_part(entry: Entry, n_assigned: int, has_begun: bool) -> BotState:
    if has_begun:
        return BotState("testing", _("being tested"), _("Testers talk to it. Keep it running."))
    if entry.campaign.free_choice or n_assigned:
        text = _("Testers can begin at any time. Keep it running.")
    else:
        text = _("An organizer draws assignments for it.")
    return BotState("registered", _("registered"), text, entry.registered_at)
