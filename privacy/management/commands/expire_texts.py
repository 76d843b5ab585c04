"""manage.py expire_texts: removes what people wrote in campaigns that have kept it as long as they say; the server does it, too."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser, no_translations
from django.utils import timezone

from privacy.actions.retention import due, remove_due_texts


class Command(BaseCommand):
    help = "Removes the texts of every campaign whose texts_kept_days are over; figures stay."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="only name the campaigns")

    @no_translations
    def handle(self, *, dry_run: bool, **options: Any) -> None:
        at = timezone.now()
        done = list(due(at)) if dry_run else remove_due_texts(at=at)
        for campaign in done:
            self.stdout.write(f"{campaign.slug}: " + ("its texts are due" if dry_run else "its texts are removed"))
        if not done:
            self.stdout.write("No campaign is due.")
