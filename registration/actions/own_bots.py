"""A team's own bots: registered and moved by its members, once the team has accepted the agreement."""

from datetime import datetime

from django.db import transaction

from accounts.models import Person
from campaigns.actions import change_address, register_bot
from campaigns.actions.admitting import store
from campaigns.actions.registering import says_another_address
from campaigns.calendar import Doing, check_open
from campaigns.models import Campaign, Entry
from campaigns.stage_steps import drafted
from campaigns.stages import is_sent_back
from participants.bot_form import AddressForm, BotForm
from participants.models import Team
from registration.agreed import check_agreed


@transaction.atomic
def register_own_bot(*, campaign: Campaign, team: Team, form: BotForm, by: Person, at: datetime) -> Entry:
    """Errors: `NotNow` outside of the registration; `NotPossible` with code `not_agreed`; `BadForm`."""
    check_open(campaign, Doing.ENTER_BOT, at)
    check_agreed(campaign, team)
    draft_since = at if campaign.organizers_admit else None
    return register_bot(campaign=campaign, team=team, form=form, by=by, at=at, draft_since=draft_since)


@transaction.atomic
def change_own_address(*, entry: Entry, form: AddressForm, by: Person, at: datetime) -> Entry:
    """After the freeze the secret alone may change. Where organizers admit, another address has to be admitted anew.

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
