"""manage.py dump_campaign SLUG: prints the file of a stored campaign."""

import json
from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from campaigns.dumping import document_of
from campaigns.models import Campaign
from scoring.toml_text import NotToml, toml_of


class Command(BaseCommand):
    help = "Prints the file of a stored campaign; loading it changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", metavar="SLUG")
        parser.add_argument("--format", default="toml", choices=["toml", "json"])
        parser.add_argument("--with-secrets", action="store_true", help="print the secrets of bots, too")

    def handle(self, *, campaign: str, format: str, with_secrets: bool, **options: Any) -> None:
        found = Campaign.objects.filter(slug=campaign).first()
        if found is None:
            raise CommandError(f"There is no campaign {campaign!r}.")
        document = document_of(found, with_secrets=with_secrets)
        if format == "json":
            self.stdout.write(json.dumps(document, ensure_ascii=False, indent=2, default=datetime.isoformat))
            return
        try:
            self.stdout.write(toml_of(document), ending="")
        except NotToml as null:
            raise CommandError(f"{null}; print JSON with --format json.") from null
