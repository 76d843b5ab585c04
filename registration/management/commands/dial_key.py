"""manage.py dial_key SLUG BOT: prints the key with which a bot connects to the platform, once, or revokes it."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError, no_translations
from django.utils import timezone

from campaigns.models import Entry
from registration.actions import make_dial_key, revoke_dial_key
from serving.refused import Refused


class Command(BaseCommand):
    help = "Makes the key with which a bot of the protocol dial-out connects. A key that it has already ends."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the campaign")
        parser.add_argument("bot", metavar="BOT", help="the bot's key in the campaign file")
        parser.add_argument("--revoke", action="store_true", help="end the key and make no other")

    @no_translations
    def handle(self, *, slug: str, bot: str, revoke: bool, **options: Any) -> None:
        entry = Entry.objects.select_related("campaign").filter(campaign__slug=slug, key=bot).first()
        if entry is None:
            raise CommandError(f"There is no bot {bot} in a campaign {slug}.")
        try:
            if revoke:
                revoke_dial_key(entry=entry, by=None, at=timezone.now())
            else:
                self.stdout.write(make_dial_key(entry=entry, by=None, at=timezone.now()))
        except Refused as refused:
            raise CommandError(str(refused)) from refused
