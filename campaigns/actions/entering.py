"""Enters the bots of a campaign file: new ones, other addresses, other teams or names, and those that withdraw."""

import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from django.utils import timezone
from django.utils.translation import gettext_noop

from campaigns.actions.load_report import LoadReport
from campaigns.actions.teams import FileTeams, bot_called
from campaigns.campaign_file.reader import BotSpec
from campaigns.models import Campaign, Entry
from campaigns.origins import Origin
from campaigns.planning.drawing import draw_aliases
from campaigns.stages import frozen_since
from participants.bot_form import DIAL_OUT
from participants.limits import PARALLEL, is_header_text
from participants.models import Bot
from reading.strict_json import are_same

NATIVE = "huace/1"
LEFT_OF_PAGE = gettext_noop("left alone: system %(key)s, registered in the browser")
GONE = gettext_noop("left alone: system %(key)s, no longer in the file; only pruning removes it")
TAKEN_BY_PAGE = gettext_noop(
    "system %(key)s was registered in the browser, and the file says something else of it; "
    "choose another key, change it in the browser, or let the file take it over"
)
NO_ADDRESS: dict[str, Any] = {"protocol": NATIVE, "url": "", "secret": "", "options": {}, "parallel": PARALLEL}


@dataclass(frozen=True, slots=True)
class Entered:
    """The campaign's entries as they will be. Nothing that was to be done of those in `emptied`, by id, is left."""

    entries: list[Entry]
    emptied: set[int]


def enter_bots(campaign: Campaign, specs: Sequence[BotSpec], teams: FileTeams, report: LoadReport) -> Entered:
    """Compares the declared entries with what the file says; whatever cannot be done is a problem in the report."""
    return _Entering(campaign, specs, teams, report).enter()


def new_entry(campaign: Campaign, bot: Bot, *, key: str, **named: Any) -> Entry:
    """An entry under an alias that nobody else in the campaign has."""
    taken = set(campaign.entries.values_list("alias", flat=True))
    entry = entry_to_be(campaign, bot, taken=taken, key=key, **named)
    entry.save(force_insert=True)
    return entry


def entry_to_be(campaign: Campaign, bot: Bot, *, taken: Collection[str], key: str, **named: Any) -> Entry:
    """The same, not stored, beside the aliases that are `taken`."""
    (alias,) = draw_aliases(1, taken=taken, seed=campaign.drawing_seed)
    return Entry(campaign=campaign, bot=bot, key=key, alias=alias, **named)


def entry_of_imported(campaign: Campaign, *, team_name: str, bot_name: str, team_en: str = "") -> Entry:
    """The bot's entry in the campaign; one that campaign files do not know where only imports name the bot."""
    bot = bot_called(campaign, team_name=team_name, name=bot_name, team_en=team_en)
    entry = campaign.entries.filter(bot=bot).first()
    if entry is not None:
        return entry
    # Campaign files allow no colon in keys, and the bot id makes the key unique.
    return new_entry(campaign, bot, key=f"imported:{bot.pk}", origin=Origin.IMPORT)


def address_of(spec: BotSpec) -> dict[str, Any]:
    """What the file says of the address; what the file omits is left out and stays as it is.

    The file's reader names a secret that no header holds with its place; this check keeps it out of every entry.
    """
    if spec.secret is not None and not is_header_text(spec.secret):
        raise ValueError(f"The secret of bot {spec.key} cannot be sent in an HTTP header.")
    names = ("protocol", "url", "secret", "options", "parallel")
    said = {name: getattr(spec, name) for name in names}
    return {name: value for name, value in said.items() if value is not None}


def origin_of(url: str) -> tuple[str, str, int | None]:
    """Scheme, host and port: the server that gets whatever is sent to the URL."""
    try:
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": 443, "ws": 80, "wss": 443}.get(parts.scheme)
        return parts.scheme, parts.hostname or "", port
    except ValueError:
        # What cannot be read has the same origin as nothing but itself.
        return url, "", None


class _Entering:
    """Compares; what it changes of rows is written later."""

    def __init__(self, campaign: Campaign, specs: Sequence[BotSpec], teams: FileTeams, report: LoadReport) -> None:
        self.campaign = campaign
        self.report = report
        self.specs = {spec.key: spec for spec in specs}
        self.places = {spec.key: f"[[bots]] {number}" for number, spec in enumerate(specs, start=1)}
        self.bots = {spec.key: teams.bot_called(spec.team, spec.name) for spec in specs}
        stored = Entry.objects.filter(campaign=campaign.pk).select_related("bot__team").order_by("key")
        self.all = list(stored)
        self.emptied: set[int] = set()

    def enter(self) -> Entered:
        self.leave_alone_what_others_made()
        self.withdraw_what_is_gone()
        self.refuse_bots_that_entered_twice()
        self.refuse_bots_that_stay_under_another_key()
        self.refuse_moves()
        self.refuse_addresses_of_others()
        self.refuse_changes_of_the_frozen()
        # Only now is anything written: the file's entries fit each other, so no constraint can be hit half-way.
        if self.report:
            return Entered(self.all, self.emptied)
        self.adopt_imported()
        moved = self.move()
        entries = self.of_the_file()
        for key, spec in self.specs.items():
            self.set_address(entries.get(key), spec, NO_ADDRESS if key in moved else {})
        return Entered(self.all, self.emptied)

    def of_the_file(self) -> dict[str, Entry]:
        return {entry.key: entry for entry in self.entries(Origin.FILE)}

    def entries(self, origin: Origin) -> list[Entry]:
        return [entry for entry in self.all if entry.origin == origin]

    def empty(self, entry: Entry) -> None:
        """Takes what was to be done of the entry out of the plan."""
        self.emptied.add(entry.pk)
        self.report.later(lambda: entry.assignments(manager="everything").all().delete())

    def leave_alone_what_others_made(self) -> None:
        """The file may name bots of the browser as they are; it changes them only where it takes them over."""
        named = list(self.bots.values())
        for entry in self.entries(Origin.IMPORT):
            if entry.bot in named:
                continue
            self.report.leave_alone(gettext_noop("left alone: %(bot)s, of imported records"), bot=str(entry.bot))
        for entry in self.entries(Origin.PAGE):
            spec = self.specs.get(entry.key)
            if spec is None:
                self.report.leave_alone(LEFT_OF_PAGE, key=entry.key)
            elif self.report.takes_over:
                entry.origin = Origin.FILE
                self.report.later(partial(entry.save, update_fields=["origin"]))
                self.report.add_change(gettext_noop("system %(key)s: taken over from the browser"), key=entry.key)
            elif self.says_something_else(entry, spec):
                self.report.note(f"{self.places[entry.key]} key", TAKEN_BY_PAGE, key=entry.key)
            else:
                del self.specs[entry.key]

    def says_something_else(self, entry: Entry, spec: BotSpec) -> bool:
        said = address_of(spec)
        return self.bots[spec.key] != entry.bot or any(
            not are_same(getattr(entry, name), value) for name, value in said.items()
        )

    def withdraw_what_is_gone(self) -> None:
        for key, entry in self.of_the_file().items():
            if key in self.specs:
                continue
            if not self.report.prunes:
                self.report.leave_alone(GONE, key=key)
            elif entry.has_begun() or entry.has_imported_records:
                self.report.note_gone(f"[[bots]] {key}")
            else:
                self.empty(entry)
                self.all.remove(entry)
                self.report.later(entry.delete)
                self.report.add_change(gettext_noop("system %(key)s withdrawn"), key=key)

    def refuse_bots_that_entered_twice(self) -> None:
        first: dict[int, str] = {}
        for key, bot in self.bots.items():
            if first.setdefault(id(bot), key) != key:
                text = gettext_noop("%(team)s has entered “%(name)s” already, as %(key)s")
                self.report.note(self.places[key], text, team=str(bot.team), name=bot.name, key=first[id(bot)])

    def refuse_bots_that_stay_under_another_key(self) -> None:
        """Entries of the browser, or of the file before, stay: and a bot is in a campaign once."""
        keys = {bot.pk: key for key, bot in self.bots.items() if bot.pk}
        for entry in self.all:
            key = keys.get(entry.bot_id)
            if entry.is_declared and entry.key not in self.specs and key is not None and key != entry.key:
                text = gettext_noop("%(bot)s takes part as %(key)s already, which this load leaves alone")
                self.report.note(self.places[key], text, bot=str(self.bots[key]), key=entry.key)

    def refuse_moves(self) -> None:
        """An entry keeps its team and name once a dialogue or a record belongs to it."""
        undeclared = {entry.bot_id for entry in self.entries(Origin.IMPORT)}
        for key, entry in self.of_the_file().items():
            bot = self.bots.get(key)
            if bot is None or bot == entry.bot:
                continue
            if entry.has_begun():
                self.report.note_begun(f"{self.places[key]} team")
            elif entry.has_imported_records:
                text = gettext_noop("system %(key)s has imported records and keeps team and name")
                self.report.note(f"{self.places[key]} team", text, key=key)
            elif bot.pk in undeclared:
                text = gettext_noop("records were imported for %(bot)s; enter it under a key of its own")
                self.report.note(f"{self.places[key]} team", text, bot=str(bot))

    def refuse_addresses_of_others(self) -> None:
        """What was stored for one bot and server never goes to another by omission: least of all a secret."""
        for key, entry in self.of_the_file().items():
            if key not in self.specs:
                continue
            spec, bot, place = self.specs[key], self.bots[key], self.places[key]
            is_moved = bot != entry.bot
            url = entry.url if spec.url is None else spec.url
            if is_moved and spec.url is None and url:
                text = gettext_noop('is that of %(before)s; name that of %(bot)s, or url = "" if it has none')
                self.report.note(f"{place} url", text, before=str(entry.bot), bot=str(bot))
            if (
                spec.secret is None
                and entry.has_secret
                and url
                and (is_moved or origin_of(url) != origin_of(entry.url))
            ):
                text = gettext_noop(
                    "was given for %(before)s and is not sent to %(bot)s at %(url)s: "
                    'name the secret to send there, or secret = "" if it needs none'
                )
                self.report.note(f"{place} secret", text, before=str(entry.bot), bot=str(bot), url=url)

    def refuse_changes_of_the_frozen(self) -> None:
        """Testing meets the bots that were admitted: after the freeze a file changes neither address, protocol nor options."""
        for key, entry in self.of_the_file().items():
            spec = self.specs.get(key)
            if spec is None or not entry.has_address or frozen_since(entry, self.campaign, timezone.now()) is None:
                continue
            for name in ("url", "protocol", "options"):
                said = getattr(spec, name)
                if said is not None and not are_same(said, getattr(entry, name)):
                    text = gettext_noop("system %(key)s is frozen: its address, protocol and options stay as they are")
                    self.report.note(f"{self.places[key]} {name}", text, key=key)

    def adopt_imported(self) -> None:
        """Records were imported for a bot before the file named it: its entry becomes the file's."""
        by_bot = {entry.bot_id: entry for entry in self.entries(Origin.IMPORT)}
        for key, bot in self.bots.items():
            if bot.pk and (entry := by_bot.get(bot.pk)):
                entry.key, entry.origin, entry.draft_since = key, Origin.FILE, _draft_since(self.specs[key])
                self.report.later(partial(entry.save, update_fields=["key", "origin", "draft_since"]))
                text = gettext_noop("system %(key)s entered, with the records imported for it")
                self.report.add_change(text, key=key)

    def move(self) -> set[str]:
        """Gives the keys of the entries that are another bot's now."""
        entries = {key: entry for key, entry in self.of_the_file().items() if key in self.specs}
        moving = {key: (entry, self.bots[key]) for key, entry in entries.items() if entry.bot != self.bots[key]}
        for key, (entry, bot) in moving.items():
            entry.bot = bot
            self.report.add_change(gettext_noop("system %(key)s: team and name changed"), key=key)
        if moving:
            self.report.later(partial(_exchange, list(moving.values())))
        return set(moving)

    def set_address(self, entry: Entry | None, spec: BotSpec, if_omitted: dict[str, Any]) -> None:
        if entry is None:
            named = {"protocol": NATIVE, "draft_since": _draft_since(spec)} | address_of(spec)
            taken = {one.alias for one in self.all}
            bot = self.bots[spec.key]
            entry = entry_to_be(self.campaign, bot, taken=taken, key=spec.key, origin=Origin.FILE, **named)
            self.all.append(entry)
            self.report.later(partial(entry.save, force_insert=True))
            self.report.add_change(gettext_noop("system %(key)s entered"), key=spec.key)
            return
        wanted = {"protocol": entry.protocol or NATIVE} | if_omitted | address_of(spec)
        if entry.has_address and not wanted.get("url", entry.url) and wanted["protocol"] != DIAL_OUT:
            if entry.has_begun():
                self.report.note_begun(f"{self.places[spec.key]} url")
                return
            self.empty(entry)
        if spec.secret is not None and entry.has_lost_its_secret():
            # What no key unseals differs from whatever the file names.
            entry.secret = None  # type: ignore[assignment] # differs from every text
        before = (entry.url, entry.protocol, entry.options)
        self.report.compare(entry, wanted, gettext_noop("system %(key)s: %(changed)s changed"), key=spec.key)
        if entry.green_at is not None and (entry.url, entry.protocol, entry.options) != before:
            # What a report said held for the address before.
            entry.green_at = None
            self.report.later(partial(entry.save, update_fields=["green_at"]))


def _exchange(moving: Sequence[tuple[Entry, Bot]]) -> None:
    """A bot is in a campaign once, checked row by row: entries that exchange theirs step aside to bots of their own first."""
    aside = []
    for entry, bot in moving:
        aside.append(Bot.objects.create(team=bot.team, name=f"moving-{secrets.token_hex(16)}"))
        Entry.objects.filter(pk=entry.pk).update(bot=aside[-1])
    for entry, bot in moving:
        entry.bot = bot
        entry.save(update_fields=["bot"])
    Bot.objects.filter(pk__in=[bot.pk for bot in aside]).delete()


def _draft_since(spec: BotSpec) -> datetime | None:
    return timezone.now() if spec.draft else None
