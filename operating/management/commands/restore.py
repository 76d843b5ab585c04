"""manage.py restore: fills an empty installation from a backup, and checks what it filled."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError
from django.utils import timezone

from operating.backup_file import BadBackup
from operating.backups import restore
from operating.progress import Progress, passphrase_of


class Command(BaseCommand):
    help = "Fills an empty installation of either database from a file that `backup` wrote; then runs `check_data`."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--passphrase-file", type=Path, metavar="FILE", help="of an encrypted backup")

    def handle(self, *, file: Path, passphrase_file: Path | None, **options: Any) -> None:
        passphrase = passphrase_of(passphrase_file)
        try:
            restored = restore(file, at=timezone.now(), passphrase=passphrase, report=Progress(self.stderr))
        except BadBackup as bad:
            raise CommandError(str(bad)) from bad
        except (OSError, DatabaseError) as failed:
            raise CommandError(f"Nothing was restored: {failed}.") from failed
        self.stdout.write(f"{restored.n_rows} rows are restored.")
        if restored.key:
            self.stdout.write(
                "The secret key of the backup is stored in var/secret_key: it holds from the next start on."
            )
            # `check_data` opens what is sealed: with the restored key.
            settings.SECRET_KEY = restored.key
        call_command("check_data", stdout=self.stdout, stderr=self.stderr)
