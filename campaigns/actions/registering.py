"""Registers bots one by one, in the browser or over the API: a team's own, or by an organizer for a team."""

import re
from collections.abc import Callable, Collection
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.models import Person
from audit.actions import record
from audit.trail_acts import TrailAct
from campaigns.actions.assigning import counts_of, redraw_smaller
from campaigns.actions.entering import new_entry, origin_of
from campaigns.calendar import Doing, check_open
from campaigns.models import Campaign, Entry
from campaigns.origins import Origin
from campaigns.reasons import reason_or_none
from campaigns.stages import frozen_since
from campaigns.trail_acts import BOT_ADDRESS_CHANGED, BOT_REGISTERED, BOT_TAKEN_OUT
from participants.bot_form import DIAL_OUT, AddressForm, BotForm
from participants.bot_urls import check_bot_url
from participants.limits import BOTS_PER_TEAM, PARALLEL
from participants.models import Bot, Team
from reading.checking import BadForm
from reading.findings import Finding
from reading.kinds import Wrong
from serving.refused import Refused

KEY_LENGTH = 50


class HasBegun(Refused):
    """A tester has talked to the bot: from now on only an organizer withdraws it."""

    code = "has_begun"

    def __str__(self) -> str:
        return _("Testers have talked to this system already: ask the organizers to withdraw it.")


class IsFrozen(Refused):
    """URL, protocol and options stay as they are; the secret may change."""

    code = "frozen"

    def __str__(self) -> str:
        return _("This system is frozen: its address, protocol and options stay as they are. Its secret may change.")


class IsWithdrawn(Refused):
    """The bot takes no part any more."""

    code = "withdrawn"

    def __str__(self) -> str:
        return _("This system was withdrawn: only an organizer can take it back.")


@transaction.atomic
def register_bot(
    *,
    campaign: Campaign,
    team: Team,
    form: BotForm,
    by: Person | None,
    at: datetime,
    draft_since: datetime | None = None,
) -> Entry:
    """Enters a bot of the team under an alias. It is talked to once the plan is drawn or testers choose freely, and
    a draft only after an organizer has admitted it.

    Errors: `BadForm` naming the fields that are wrong: an address that may not be called, a name that the team has entered already; `NotNow` once the campaign ended.
    """
    # Aliases, keys and openings are decided one after the other.
    campaign = Campaign.objects.held(campaign.pk)
    check_open(campaign, Doing.ORGANIZE, at)
    url = _checked_url(form)
    name = form.name.strip()
    own = campaign.entries.filter(bot__team=team)
    if own.count() >= BOTS_PER_TEAM:
        text = gettext_noop("is one too many: a team registers at most %(n)s systems in a campaign")
        raise BadForm([Finding("name", text, {"n": BOTS_PER_TEAM})])
    if own.filter(bot__name=name).exists():
        raise BadForm([Finding("name", gettext_noop("is the name of a system that your team has already registered"))])
    bot, _ = Bot.objects.get_or_create(team=team, name=name)
    entry = new_entry(
        campaign,
        bot,
        key=_free_key(campaign, name),
        protocol=form.protocol,
        url=url,
        secret=form.secret or "",
        options=dict(form.options),
        parallel=form.parallel or PARALLEL,
        registered_by=by,
        registered_at=at,
        registered_for_team=not campaign.team_members.filter(team=team, person=by).exists(),
        draft_since=draft_since,
        admitted_at=None if draft_since else at,
        admitted_by=None if draft_since else by,
    )
    _record(BOT_REGISTERED, entry, by, at)
    return entry


@transaction.atomic
def change_address(*, entry: Entry, form: AddressForm, by: Person | None, at: datetime) -> Entry:
    """Gives the bot another URL, protocol, secret, options or number of turns at a time. Open dialogues follow within two minutes.

    What a report said held for the address before. Errors: `IsFrozen` for anything but the secret; `BadForm`: a secret that was given for one server is never sent to another by omission; `IsWithdrawn`, `NotNow`.
    """
    check_open(Campaign.objects.held(entry.campaign_id), Doing.ORGANIZE, at)
    entry = Entry.objects.select_related("campaign", "bot__team").get(pk=entry.pk)
    if entry.withdrawn_at is not None:
        raise IsWithdrawn
    is_moved = says_another_address(entry, form)
    url = _checked_url(form) if is_moved else entry.url
    if is_moved and frozen_since(entry, entry.campaign, at) is not None:
        raise IsFrozen
    # A secret that no key unseals is there all the same.
    if form.secret is None and entry.has_secret:
        refuse_another_server(entry.url, url)
    said: dict[str, Any] = {"url": url, "protocol": form.protocol, "options": dict(form.options)}
    # From now on a file that says otherwise is a problem, instead of taking the change back.
    said["origin"] = Origin.PAGE
    secret = form.secret if url else form.secret or ""
    kept_if_unsaid = {"secret": secret, "parallel": form.parallel}
    said |= {name: value for name, value in kept_if_unsaid.items() if value is not None}
    if is_moved:
        said["green_at"] = None
    for column, value in said.items():
        setattr(entry, column, value)
    entry.save(update_fields=list(said))
    _record(BOT_ADDRESS_CHANGED, entry, by, at)
    return entry


@transaction.atomic
def take_out_bot(
    *, entry: Entry, by: Person | None, at: datetime, because: str = "", void: Collection[int] = ()
) -> Entry:
    """The team withdraws its own bot, as long as no tester has talked to it. An organizer can take it back.

    Errors: `HasBegun`, `IsWithdrawn`, `NotNow`; `ReasonNeeded` where the reason is too long.
    """
    because = reason_or_none(because)
    campaign = Campaign.objects.held(entry.campaign_id)
    check_open(campaign, Doing.ORGANIZE, at)
    entry = Entry.objects.select_related("campaign", "bot__team").get(pk=entry.pk)
    if entry.withdrawn_at is not None:
        raise IsWithdrawn
    if entry.has_met_testers():
        raise HasBegun
    entry.withdrawn_at, entry.paused_because = at, because
    entry.save(update_fields=["withdrawn_at", "paused_because"])
    changes = redraw_smaller(campaign, void)
    named = {"campaign": campaign.slug, "about": entry.alias, "because": entry.paused_because}
    record(BOT_TAKEN_OUT, by=by, at=at, details={"bot": entry.key} | counts_of(changes), **named)
    return entry


def says_another_address(entry: Entry, form: AddressForm) -> bool:
    """Whether anything but the secret would change."""
    said = (form.url.strip(), form.protocol, dict(form.options))
    return said != (entry.url, entry.protocol, entry.options)


def _checked_url(form: AddressForm) -> str:
    """The URL as it is stored; empty for a bot that connects to the platform."""
    if form.protocol == DIAL_OUT:
        return ""
    return checked_url(form.url)


def checked_url(url: str, check: Callable[[str, Collection[tuple[str, int]]], str] = check_bot_url) -> str:
    """The URL as it is stored. Errors: `BadForm` naming `url` where it may not be called."""
    try:
        return check(url, settings.OUTBOUND_ALLOW)
    except Wrong as wrong:
        raise BadForm([wrong.at("url")]) from wrong


def refuse_another_server(before: str, url: str) -> None:
    """A secret that was given for one server is never sent to another by omission. Errors: `BadForm` naming `secret`."""
    if url and origin_of(url) != origin_of(before):
        text = gettext_noop("was given for another server: type the secret for this one, or say that it needs none")
        raise BadForm([Finding("secret", text)])


def server_of(url: str) -> str:
    """What the trail gets of a URL: the rest of it may hold a key of the team's own."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if url else ""


def _free_key(campaign: Campaign, name: str) -> str:
    """A key that no entry has, made of the name as far as keys allow its letters."""
    stem = re.sub(r"^[^a-z0-9]+", "", slugify(name))[:KEY_LENGTH] or "bot"
    taken = set(campaign.entries.values_list("key", flat=True))
    keys = (stem, *(f"{stem}-{number}" for number in range(2, len(taken) + 3)))
    return next(key for key in keys if key not in taken)


def _record(act: TrailAct, entry: Entry, by: Person | None, at: datetime) -> None:
    details = {"team": entry.bot.team.name, "bot": entry.bot.name, "protocol": entry.protocol}
    details["server"] = server_of(entry.url)
    record(act, by=by, at=at, campaign=entry.campaign.slug, about=entry.alias, details=details)
