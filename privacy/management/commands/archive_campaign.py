"""manage.py archive_campaign SLUG: writes a campaign into one file that verifies, then removes what is heavy."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser, no_translations
from django.utils import timezone

from campaigns.management.campaign_named import campaign_named
from dialogues.models import Dialogue, Turn
from privacy.actions.archiving import archive_campaign, check_may_archive, folder
from privacy.actions.removing import CannotRemove
from privacy.confirming import confirmed
from registration.models import DataPackage


class Command(BaseCommand):
    help = "Writes the archive of a campaign that is over, reads it back, and removes what people said and the packages' content."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--into", type=Path, metavar="FOLDER", help="where the file goes (var/archives)")
        parser.add_argument("--dry-run", action="store_true", help="only say what would go")
        parser.add_argument("--yes", action="store_true", help="do not ask")
        parser.add_argument("--format", choices=("text", "json"), default="text")

    @no_translations
    def handle(self, *, slug: str, into: Path | None, dry_run: bool, yes: bool, format: str, **options: Any) -> None:
        campaign = campaign_named(slug)
        dialogues = Dialogue.everything.of_campaign(campaign)
        packages = DataPackage.objects.filter(campaign=campaign, removed_at=None)
        told: dict[str, Any] = {
            "turns": Turn.objects.filter(dialogue__in=dialogues).count(),
            "packages": packages.count(),
            "into": str(into or folder()),
        }
        at = timezone.now()
        try:
            check_may_archive(campaign, at)
            self.stderr.write(
                f"The texts of {told['turns']} turns and {told['packages']} packages go into a file in {told['into']}."
            )
            if not dry_run:
                if not confirmed(slug, is_sure=yes):
                    raise CommandError("Nothing was archived: the name was another.")
                made = archive_campaign(campaign=campaign, typed=slug, by=None, at=at, into=into)
                file = {"file": str(made.path), "bytes": made.n_bytes, "sha256": made.sha256}
                told |= file | {"earlier": made.earlier}
        except CannotRemove as refused:
            raise CommandError(str(refused)) from refused
        if format == "json":
            self.stdout.write(json.dumps(told | {"is_archived": not dry_run}))
        elif not dry_run:
            self.stdout.write(f"{told['file']}: {told['bytes'] / 1e6:.1f} MB, SHA-256 {told['sha256']}")
            if told["earlier"]:
                self.stdout.write(
                    f"Earlier runs were interrupted. Keep their archives, too: {', '.join(told['earlier'])}."
                )
            self.stdout.write("To read it: unzip it, then `manage.py verify bundle.zip`.")
