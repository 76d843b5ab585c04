"""manage.py dump_campaign SLUG: prints the file of a stored campaign."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from audit.actions import record
from campaigns.campaign_file.dumping import FORMATS, file_of
from campaigns.management.campaign_named import campaign_named
from campaigns.trail_acts import SECRETS_PRINTED
from reading.toml_text import NotToml


class Command(BaseCommand):
    help = "Prints the file of a stored campaign; loading it changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", metavar="SLUG")
        parser.add_argument("--format", default="toml", choices=FORMATS)
        parser.add_argument("--with-secrets", action="store_true", help="print the secrets of bots, too")

    def handle(self, *, campaign: str, format: str, with_secrets: bool, **options: Any) -> None:
        found = campaign_named(campaign)
        try:
            text = file_of(found, format, with_secrets=with_secrets)
        except NotToml as null:
            raise CommandError(f"{null}; print JSON with --format json.") from null
        if with_secrets:
            # Before anything is printed: what left the site is in the trail.
            with transaction.atomic():
                record(SECRETS_PRINTED, by=None, campaign=campaign, about=campaign, details={"format": format})
        self.stdout.write(text, ending="")
