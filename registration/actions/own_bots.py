"""A team's own bots: registered, moved and taken out by its members, once the team has accepted the agreement."""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction

from accounts.models import Person
from campaigns.actions import HasBegun, IsWithdrawn, change_address, register_bot, take_out_bot
from campaigns.calendar import Doing, check_open
from campaigns.models import Campaign, Entry
from participants.bot_form import AddressForm, BotForm
from participants.models import Team
from registration.agreed import check_agreed
from registration.refusals import NotPossible


@transaction.atomic
def register_own_bot(*, campaign: Campaign, team: Team, form: BotForm, by: Person, at: datetime) -> Entry:
    """Errors: `NotNow` outside of the registration; `NotPossible` with code `not_agreed`; `BadForm`."""
    check_open(campaign, Doing.ENTER_BOT, at)
    check_agreed(campaign, team)
    return register_bot(campaign=campaign, team=team, form=form, by=by, at=at)


@transaction.atomic
def change_own_address(*, entry: Entry, form: AddressForm, by: Person, at: datetime) -> Entry:
    """Errors: `NotNow` after the freeze; `NotPossible` with code `not_agreed` or `withdrawn`; `BadForm`."""
    check_open(entry.campaign, Doing.ENTER_BOT, at)
    check_agreed(entry.campaign, entry.bot.team)
    try:
        return change_address(entry=entry, form=form, by=by, at=at)
    except IsWithdrawn as withdrawn:
        raise NotPossible("withdrawn") from withdrawn


@transaction.atomic
def take_out_own_bot(*, entry: Entry, because: str, by: Person, at: datetime, void: Collection[int] = ()) -> Entry:
    """Errors: `NotPossible` with code `has_begun` or `withdrawn`."""
    try:
        return take_out_bot(entry=entry, because=because, by=by, at=at, void=void)
    except HasBegun as begun:
        raise NotPossible("has_begun") from begun
    except IsWithdrawn as withdrawn:
        raise NotPossible("withdrawn") from withdrawn
