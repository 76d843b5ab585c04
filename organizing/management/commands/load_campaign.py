"""manage.py load_campaign FILE: creates or updates a campaign from its file."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, no_translations

from campaigns.actions import issue_passwords, issue_tokens, load_campaign
from campaigns.campaign_file import read_campaign_file
from campaigns.models import Campaign
from campaigns.readiness import what_is_missing
from organizing.queries import void_assignments
from participants.adapters import PROTOCOLS
from scoring.checking import BadFile


class Command(BaseCommand):
    help = "Creates or updates a campaign from its file (TOML or JSON). Loading the same file again changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--print-tokens", action="store_true", help="print one JSON object: a new API token per person"
        )
        parser.add_argument(
            "--print-passwords",
            action="store_true",
            help="print one JSON object: a password for each person who has none yet",
        )

    @no_translations
    def handle(self, *, file: Path, print_tokens: bool, print_passwords: bool, **options: Any) -> None:
        try:
            content = file.read_bytes()
        except OSError as unreadable:
            raise CommandError(f"{file} cannot be read: {unreadable.strerror}.") from unreadable
        try:
            spec = read_campaign_file(file.name, content, PROTOCOLS)
            campaign, changes = load_campaign(spec=spec, void=void_now(spec.slug))
        except BadFile as bad:
            listed = "\n".join(f"  {problem}" for problem in bad.problems)
            raise CommandError(f"{file} was not loaded; nothing was changed:\n{listed}") from bad
        for change in changes or ["nothing to change"]:
            self.stderr.write(change)
        for lack in what_is_missing(campaign):
            self.stderr.write(f"missing: {lack}")
        if print_tokens:
            self.stdout.write(json.dumps(issue_tokens(campaign=campaign), indent=2))
        if print_passwords:
            self.stdout.write(json.dumps(issue_passwords(campaign=campaign), indent=2))


def void_now(slug: str) -> set[int]:
    """What is to be done again in the campaign as it is stored: of whoever has left, it is drawn for others."""
    stored = Campaign.objects.filter(slug=slug).first()
    return set() if stored is None else void_assignments(stored)
