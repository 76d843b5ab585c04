"""A team's own bots: registered and moved by its members, once the team has accepted the agreement."""

from datetime import datetime

from django.db import transaction

from accounts.models import Person
from campaigns.actions import change_address, register_bot
from campaigns.calendar import Doing, check_open
from campaigns.models import Campaign, Entry
from participants.bot_form import AddressForm, BotForm
from participants.models import Team
from registration.agreed import check_agreed


@transaction.atomic
def register_own_bot(*, campaign: Campaign, team: Team, form: BotForm, by: Person, at: datetime) -> Entry:
    """Errors: `NotNow` outside of the registration; `NotPossible` with code `not_agreed`; `BadForm`."""
    check_open(campaign, Doing.ENTER_BOT, at)
    check_agreed(campaign, team)
    return register_bot(campaign=campaign, team=team, form=form, by=by, at=at)


@transaction.atomic
def change_own_address(*, entry: Entry, form: AddressForm, by: Person, at: datetime) -> Entry:
    """Errors: `NotNow` after the freeze; `NotPossible` with code `not_agreed`; `IsWithdrawn`; `BadForm`."""
    check_open(entry.campaign, Doing.ENTER_BOT, at)
    check_agreed(entry.campaign, entry.bot.team)
    return change_address(entry=entry, form=form, by=by, at=at)
