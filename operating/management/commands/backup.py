"""manage.py backup: all data of one moment in one file, while everything runs."""

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError
from django.utils import timezone

from operating.backup_file import BadBackup
from operating.backups import back_up, back_up_into, note_failure
from operating.progress import Progress, passphrase_of

KEPT = 14


class Command(BaseCommand):
    help = (
        "Writes all rows and bundles of one moment into a new file, from which `restore` fills an empty installation of"
        " either database. Nobody waits for it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        where = parser.add_mutually_exclusive_group(required=True)
        where.add_argument("file", nargs="?", type=Path, help="the new file, huace.zip for example")
        where.add_argument("--into", type=Path, metavar="FOLDER", help="a file there, named by the time, for a timer")
        parser.add_argument("--keep", type=int, default=KEPT, help=f"how many of them stay there ({KEPT})")
        parser.add_argument(
            "--passphrase-file",
            type=Path,
            metavar="FILE",
            help="encrypts the backup with the first line of that file; it then holds the secret key, too",
        )
        parser.add_argument("--format", choices=["text", "json"], default="text")

    def handle(
        self,
        *,
        file: Path | None,
        into: Path | None,
        keep: int,
        passphrase_file: Path | None,
        format: str,
        **options: Any,
    ) -> None:
        if keep < 1:
            raise CommandError("--keep takes a number from 1 on.")
        if file and file.exists():
            raise CommandError(f"{file} is there already: name a new file.")
        # Those who talk come first.
        os.nice(10)
        # What is half written is removed then.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        passphrase, progress = passphrase_of(passphrase_file), Progress(self.stderr)
        at = timezone.now()
        where = into or file
        assert where is not None, "the parser asks for one of the two"
        try:
            if into:
                made = back_up_into(into, keep=keep, at=at, passphrase=passphrase, report=progress)
            else:
                made = back_up(where, at=at, passphrase=passphrase, report=progress)
        except BadBackup as bad:
            note_failure(where, bad, at=at)
            raise CommandError(str(bad)) from bad
        except (OSError, DatabaseError) as failed:
            note_failure(where, failed, at=at)
            raise CommandError(f"No backup was made: {failed}.") from failed
        if format == "json":
            told = {"file": str(made.path), "rows": made.n_rows, "bytes": made.n_bytes, "sha256": made.sha256}
            self.stdout.write(json.dumps(told | {"missing_bundles": made.missing, "changed_pictures": made.changed}))
        else:
            self.stdout.write(f"{made.path}: {made.n_rows} rows, {made.n_bytes / 1e6:.1f} MB, SHA-256 {made.sha256}")
            if not passphrase:
                self.stdout.write(
                    "It is not encrypted and does not hold the secret key (HUACE_SECRET_KEY or var/secret_key): keep that"
                    " elsewhere, or teams must enter the secrets of their systems again."
                )
        for digest in made.missing:
            self.stderr.write(f"The bundle {digest} is missing or changed in the storage: it is not in the backup.")
        for picture in made.changed:
            self.stderr.write(f"The picture {picture} is changed in the storage: it is not in the backup.")
        if made.missing or made.changed:
            sys.exit(1)
