"""Enters the bots of a campaign file: new ones, other addresses, other teams or names, and those that withdraw."""

import secrets
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from django.utils.translation import gettext_noop

from campaigns.actions.load_report import LoadReport
from campaigns.campaign_file import BotSpec
from campaigns.drawing import draw_aliases
from campaigns.models import Campaign, Entry
from participants.header_text import is_header_text
from participants.models import Bot, Team

NATIVE = "huace/1"
NO_ADDRESS: dict[str, Any] = {"protocol": NATIVE, "url": "", "secret": "", "options": {}}


def enter_bots(campaign: Campaign, specs: Sequence[BotSpec], report: LoadReport) -> None:
    """Makes the declared entries what the file says; whatever cannot be done is a problem in the report."""
    _Entering(campaign, specs, report).enter()


def new_entry(campaign: Campaign, bot: Bot, *, key: str, **named: Any) -> Entry:
    """An entry under an alias that nobody else in the campaign has."""
    taken = list(campaign.entries.values_list("alias", flat=True))
    (alias,) = draw_aliases(1, taken=taken, seed=campaign.drawing_seed)
    return Entry.objects.create(campaign=campaign, bot=bot, key=key, alias=alias, **named)


def entry_of_imported(campaign: Campaign, *, team_name: str, bot_name: str) -> Entry:
    """The bot's entry in the campaign; one that campaign files do not know where only imports name the bot."""
    team, _ = Team.objects.get_or_create(name=team_name)
    bot, _ = Bot.objects.get_or_create(team=team, name=bot_name)
    entry = campaign.entries.filter(bot=bot).first()
    if entry is not None:
        return entry
    # Campaign files allow no colon in keys, and the bot id makes the key unique.
    return new_entry(campaign, bot, key=f"imported:{bot.pk}", is_declared=False)


def address_of(spec: BotSpec) -> dict[str, Any]:
    """What the file says of the address; what the file omits is left out and stays as it is.

    The file's reader names a secret that no header holds with its place; this check keeps it out of every entry.
    """
    if spec.secret is not None and not is_header_text(spec.secret):
        raise ValueError(f"The secret of bot {spec.key} cannot be sent in an HTTP header.")
    said = {"protocol": spec.protocol, "url": spec.url, "secret": spec.secret, "options": spec.options}
    return {name: value for name, value in said.items() if value is not None}


def origin_of(url: str) -> tuple[str, str, int | None]:
    """Scheme, host and port: the server that gets whatever is sent to the URL."""
    try:
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
        return parts.scheme, parts.hostname or "", port
    except ValueError:
        # What cannot be read has the same origin as nothing but itself.
        return url, "", None


class _Entering:
    def __init__(self, campaign: Campaign, specs: Sequence[BotSpec], report: LoadReport) -> None:
        self.campaign = campaign
        self.report = report
        self.specs = {spec.key: spec for spec in specs}
        self.places = {spec.key: f"[[bots]] {number}" for number, spec in enumerate(specs, start=1)}
        self.bots = {spec.key: _bot_of(spec) for spec in specs}

    def enter(self) -> None:
        self.withdraw_what_is_gone()
        self.refuse_bots_that_entered_twice()
        self.refuse_moves()
        self.refuse_addresses_of_others()
        # Only now is anything written: the file's entries fit each other, so no constraint can be hit half-way.
        if self.report:
            return
        self.adopt_imported()
        moved = self.move()
        entries = self.declared()
        for key, spec in self.specs.items():
            self.set_address(entries.get(key), spec, NO_ADDRESS if key in moved else {})

    def declared(self) -> dict[str, Entry]:
        return {entry.key: entry for entry in self.campaign.entries.declared().select_related("bot__team")}

    def withdraw_what_is_gone(self) -> None:
        for key, entry in self.declared().items():
            if key in self.specs:
                continue
            if entry.has_begun() or entry.has_imported_records:
                self.report.note_gone(f"[[bots]] {key}")
            else:
                entry.assignments.all().delete()
                entry.delete()
                self.report.add_change(f"bot {key} withdrawn")

    def refuse_bots_that_entered_twice(self) -> None:
        first: dict[int, str] = {}
        for key, bot in self.bots.items():
            if first.setdefault(bot.pk, key) != key:
                text = gettext_noop("%(team)s has entered “%(name)s” already, as %(key)s")
                self.report.note(self.places[key], text, team=str(bot.team), name=bot.name, key=first[bot.pk])

    def refuse_moves(self) -> None:
        """An entry keeps its team and name once a dialogue or a record belongs to it."""
        undeclared = set(self.campaign.entries.filter(is_declared=False).values_list("bot", flat=True))
        for key, entry in self.declared().items():
            bot = self.bots.get(key)
            if bot is None or bot == entry.bot:
                continue
            if entry.has_begun():
                self.report.note_begun(f"{self.places[key]} team")
            elif entry.has_imported_records:
                text = gettext_noop("bot %(key)s has imported records and keeps team and name")
                self.report.note(f"{self.places[key]} team", text, key=key)
            elif bot.pk in undeclared:
                text = gettext_noop("records were imported for %(bot)s; enter it under a key of its own")
                self.report.note(f"{self.places[key]} team", text, bot=str(bot))

    def refuse_addresses_of_others(self) -> None:
        """What was stored for one bot and server never goes to another by omission: least of all a secret."""
        for key, entry in self.declared().items():
            if key not in self.specs:
                continue
            spec, bot, place = self.specs[key], self.bots[key], self.places[key]
            is_moved = bot != entry.bot
            url = entry.url if spec.url is None else spec.url
            if is_moved and spec.url is None and url:
                text = gettext_noop('is that of %(before)s; name that of %(bot)s, or url = "" if it has none')
                self.report.note(f"{place} url", text, before=str(entry.bot), bot=str(bot))
            if spec.secret is None and entry.secret and url and (is_moved or origin_of(url) != origin_of(entry.url)):
                text = gettext_noop(
                    "was given for %(before)s and is not sent to %(bot)s at %(url)s: "
                    'name the secret to send there, or secret = "" if it needs none'
                )
                self.report.note(f"{place} secret", text, before=str(entry.bot), bot=str(bot), url=url)

    def adopt_imported(self) -> None:
        """Records were imported for a bot before the file named it: its entry becomes the file's."""
        by_bot = {entry.bot_id: entry for entry in self.campaign.entries.filter(is_declared=False)}
        for key, bot in self.bots.items():
            if entry := by_bot.get(bot.pk):
                entry.key, entry.is_declared = key, True
                entry.save(update_fields=["key", "is_declared"])
                self.report.add_change(f"bot {key} entered, with the records imported for it")

    def move(self) -> set[str]:
        """Gives the keys of the entries that are another bot's now."""
        entries = self.declared()
        moving = {key: entry for key, entry in entries.items() if entry.bot != self.bots[key]}
        # A bot is in a campaign once, checked row by row: who exchange theirs step aside to bots of their own first.
        aside = [self.step_aside(entry) for entry in moving.values()]
        for key, entry in moving.items():
            entry.bot = self.bots[key]
            entry.save(update_fields=["bot"])
            self.report.add_change(f"bot {key}: team and name changed")
        Bot.objects.filter(pk__in=aside).delete()
        return set(moving)

    def step_aside(self, entry: Entry) -> int:
        entry.bot = Bot.objects.create(team=entry.bot.team, name=f"moving-{secrets.token_hex(16)}")
        entry.save(update_fields=["bot"])
        return entry.bot.pk

    def set_address(self, entry: Entry | None, spec: BotSpec, if_omitted: dict[str, Any]) -> None:
        if entry is None:
            new_entry(self.campaign, self.bots[spec.key], key=spec.key, **{"protocol": NATIVE} | address_of(spec))
            self.report.add_change(f"bot {spec.key} entered")
            return
        if spec.url == "" and entry.url:
            if entry.has_begun():
                self.report.note_begun(f"{self.places[spec.key]} url")
                return
            entry.assignments.all().delete()
        wanted = {"protocol": entry.protocol or NATIVE} | if_omitted | address_of(spec)
        self.report.apply(entry, wanted, f"bot {spec.key}")


def _bot_of(spec: BotSpec) -> Bot:
    team, _ = Team.objects.get_or_create(name=spec.team)
    bot, _ = Bot.objects.select_related("team").get_or_create(team=team, name=spec.name)
    return bot
