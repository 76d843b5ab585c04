"""What a team does with its own bots, and the keys with which bots dial in."""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from accounts.link_tokens import digest_of, new_token
from accounts.models import Person
from audit.actions import record
from campaigns.actions import IsWithdrawn, change_address, register_bot
from campaigns.actions.registering import says_another_address
from campaigns.actions.stages import store
from campaigns.calendar import Doing, check_open
from campaigns.models import Campaign, Entry
from campaigns.stages import drafted, is_sent_back
from participants.bot_form import DIAL_OUT, AddressForm, BotForm
from participants.models import Team
from registration.agreements import check_agreed
from registration.models import DialKey
from registration.refusals import NotPossible
from registration.trail_acts import DIAL_KEY_MADE, DIAL_KEY_REVOKED


@transaction.atomic
def register_own_bot(*, campaign: Campaign, team: Team, form: BotForm, by: Person, at: datetime) -> Entry:
    """Errors: `NotNow` outside of the registration; `NotPossible` with code `not_agreed`; `BadForm`."""
    check_open(campaign, Doing.ENTER_BOT, at)
    check_agreed(campaign, team)
    draft_since = at if campaign.organizers_admit else None
    return register_bot(campaign=campaign, team=team, form=form, by=by, at=at, draft_since=draft_since)


@transaction.atomic
def change_own_address(*, entry: Entry, form: AddressForm, by: Person, at: datetime) -> Entry:
    """After the freeze the secret alone may change. Where organizers admit, another address has to be admitted again.

    Errors: `NotNow`, `IsFrozen`; `NotPossible` with code `not_agreed`; `IsWithdrawn`; `BadForm`.
    """
    is_moved = says_another_address(entry, form)
    if is_moved and not is_sent_back(entry):
        check_open(entry.campaign, Doing.ENTER_BOT, at)
    check_agreed(entry.campaign, entry.bot.team)
    changed = change_address(entry=entry, form=form, by=by, at=at)
    if is_moved and entry.campaign.organizers_admit:
        store(changed, drafted(changed.draft_since or at))
    return changed


PREFIX = "huace-bot-"


@transaction.atomic
def make_dial_key(*, entry: Entry, by: Person | None, at: datetime) -> str:
    """A new key, shown this once. The one before it ends at once, with the socket that it opened.

    Errors: `NotPossible` with code `no_dial_out`; `IsWithdrawn`, `NotNow`.
    """
    check_open(entry.campaign, Doing.ORGANIZE, at)
    entry = Entry.objects.select_for_update(of=("self",), no_key=True).select_related("campaign").get(pk=entry.pk)
    if entry.withdrawn_at is not None:
        raise IsWithdrawn
    if not entry.is_dial_out:
        raise NotPossible("no_dial_out")
    DialKey.objects.filter(entry=entry).delete()
    key = PREFIX + new_token()
    DialKey.objects.create(entry=entry, digest=digest_of(key), made_by=by, made_at=at)
    record(DIAL_KEY_MADE, by=by, at=at, campaign=entry.campaign.slug, about=entry.alias, details={"bot": entry.key})
    return key


@transaction.atomic
def revoke_dial_key(*, entry: Entry, by: Person | None, at: datetime) -> None:
    """Ends the key at once, with the socket that it opened, also once the campaign is over. Errors: `NotPossible` with code `no_key`."""
    n_gone, _ = DialKey.objects.filter(entry=entry).delete()
    if not n_gone:
        raise NotPossible("no_key")
    slug = entry.campaign.slug
    record(DIAL_KEY_REVOKED, by=by, at=at, campaign=slug, about=entry.alias, details={"bot": entry.key})


def is_key(key: str) -> bool:
    """Whether the text looks like a key of ours at all."""
    return key.startswith(PREFIX)


def lets_in(digest: str) -> bool:
    """Whether a bot may connect with the key. A look that writes nothing: anybody can try keys."""
    return _held_with(digest).exists()


def _held_with(digest: str) -> QuerySet[DialKey]:
    return DialKey.objects.filter(digest=digest, entry__protocol=DIAL_OUT, entry__withdrawn_at=None)


def note_connected(*, digest: str, connection: str, server: str, at: datetime) -> tuple[str, str] | None:
    """Where the bot of the key is connected from now on; gives what adapters call it, and its name. None for no valid key."""
    key = _held_with(digest).select_related("entry__bot").first()
    if key is None:
        return None
    # By its digest: a key that was replaced in between no longer admits.
    n_noted = DialKey.objects.filter(pk=key.pk, digest=digest).update(
        connection=connection, server=server, connected_at=at, seen_at=at, left_at=None
    )
    return (key.entry.reached_at, key.entry.bot.name) if n_noted else None


def note_left(*, connection: str, at: datetime) -> None:
    DialKey.objects.filter(connection=connection).update(left_at=at)


def note_seen(*, connections: Collection[str], at: datetime) -> None:
    DialKey.objects.filter(connection__in=connections).update(seen_at=at)
