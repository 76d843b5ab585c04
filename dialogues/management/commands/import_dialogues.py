"""manage.py import_dialogues SLUG FILE: adds finished dialogues to a campaign, for its reviewers."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, no_translations
from django.utils import timezone

from accounts.models import Person
from campaigns.management.campaign_named import campaign_named
from campaigns.models import Campaign, Role
from dialogues.actions import import_dialogues
from dialogues.dialogue_files import FORMATS
from reading.checking import BadFile

PROBLEMS_SHOWN = 50


class Command(BaseCommand):
    help = "Imports finished dialogues for review. The same file again changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", metavar="SLUG")
        parser.add_argument("file", type=Path)
        parser.add_argument("--format", default="huace", choices=sorted(FORMATS))
        parser.add_argument("--bot", default="", metavar="KEY", help="entry or bot of dialogues that name none")
        parser.add_argument("--team", default="", metavar="NAME", help="its team, where the bot is new")
        parser.add_argument("--as", default="", dest="importer", metavar="USERNAME", help="the importing organizer")

    @no_translations
    def handle(
        self, *, campaign: str, file: Path, format: str, bot: str, team: str, importer: str, **options: Any
    ) -> None:
        target = campaign_named(campaign)
        try:
            content = file.read_bytes()
        except OSError as unreadable:
            raise CommandError(f"{file} cannot be read: {unreadable.strerror}.") from unreadable
        try:
            imported = import_dialogues(
                campaign=target,
                dialogues=FORMATS[format](content),
                importer=organizer_of(target, importer),
                bot=bot,
                team=team,
                at=timezone.now(),
            )
        except BadFile as bad:
            listed = "\n".join(f"  {problem}" for problem in bad.problems[:PROBLEMS_SHOWN])
            n_more = len(bad.problems) - PROBLEMS_SHOWN
            more = f"\n  … and {n_more} more" if n_more > 0 else ""
            raise CommandError(f"{file} was not imported; nothing was changed:\n{listed}{more}") from bad
        self.stderr.write(f"{imported.n_new} dialogues imported, {imported.n_known} were there already.")


def organizer_of(campaign: Campaign, username: str) -> Person:
    """The organizer of that name, or the first one of the campaign."""
    organizers = Person.objects.filter(campaign_roles__campaign=campaign, campaign_roles__role=Role.ORGANIZER)
    named = organizers.filter(username=username) if username else organizers
    found = named.order_by("campaign_roles__pk").first()
    if found is None:
        who = f"{username} is no organizer" if username else "There is no organizer"
        raise CommandError(f"{who} of {campaign.slug}: name one with --as.")
    return found
