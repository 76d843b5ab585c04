"""manage.py delete_campaign SLUG: lists what deleting a campaign removes, asks for its name, and deletes it."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser, no_translations
from django.utils import timezone

from campaigns.management.campaign_named import campaign_named
from privacy.actions.removing import Belongings, CannotRemove, check_may_delete, delete_campaign, preview_deletion
from privacy.confirming import confirmed


class Command(BaseCommand):
    help = "Lists everything of a campaign, asks for its short name, and deletes all of it. Accounts and the audit trail stay."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--dry-run", action="store_true", help="only list what would go")
        parser.add_argument("--yes", action="store_true", help="do not ask")
        parser.add_argument("--format", choices=("text", "json"), default="text")

    @no_translations
    def handle(self, *, slug: str, dry_run: bool, yes: bool, format: str, **options: Any) -> None:
        campaign = campaign_named(slug)
        belongings = preview_deletion(campaign=campaign)
        try:
            if not dry_run:
                check_may_delete(campaign)
                self.tell(belongings, "text", is_deleted=False, to=self.stderr)
                if not confirmed(slug, is_sure=yes):
                    raise CommandError("Nothing was deleted: the name was another.")
                delete_campaign(campaign=campaign, typed=slug, by=None, at=timezone.now())
        except CannotRemove as refused:
            raise CommandError(str(refused)) from refused
        self.tell(belongings, format, is_deleted=not dry_run, to=self.stdout)

    def tell(self, belongings: Belongings, format: str, *, is_deleted: bool, to: Any) -> None:
        if format == "json":
            told = {"is_deleted": is_deleted, "rows": belongings.rows, "bundles": belongings.bundles}
            to.write(json.dumps(told | {"people_left": belongings.people_left}))
            return
        for name, n in sorted(belongings.rows.items()):
            to.write(f"{n:>9} {name}")
        for digest in belongings.bundles:
            to.write(f"The file of the bundle {digest}")
        to.write(f"{belongings.people_left} of its people are in no other campaign; `erase` removes a person.")
        if is_deleted:
            to.write(f"Deleted: {belongings.n_rows} rows. Earlier backups still hold them.")
