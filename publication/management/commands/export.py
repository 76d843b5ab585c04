"""manage.py export SLUG --what turns --format csv --out FILE: writes one table of a campaign, a gold file, or the results bundle."""

import os
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.utils.translation import override

from campaigns.management.campaign_named import campaign_named
from campaigns.models import Campaign
from leaderboards.actions import note_export, refresh_leaderboard
from leaderboards.exports import EXPORTS, pieces
from leaderboards.table_files import FORMATS
from publication.bundle import bundle_pieces
from reading.kinds import LANGUAGES
from reviews.gold_files import READERS, NoGold, gold_file
from verification.archive import digest_of


def write_whole(out: Path, pieces: Iterable[bytes]) -> None:
    """Writes the file, or leaves what was there: a file that stands half written looks like a whole one."""
    # A name of its own, so that two exports into one file do not write into each other's.
    handle, draft = tempfile.mkstemp(prefix=f".{out.name}.", suffix=".part", dir=out.parent)
    try:
        with open(handle, "wb") as file:
            file.writelines(pieces)
        os.replace(draft, out)
    except BaseException:
        os.unlink(draft)
        raise


class Command(BaseCommand):
    help = (
        "Exports a campaign (docs/exports.md says what the files hold): one table; the panel's votes as the gold file of an "
        "automatic task; or everything in one bundle that `verify` checks."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", metavar="SLUG")
        parser.add_argument("--what", required=True, choices=[*EXPORTS, "gold", "bundle"])
        parser.add_argument("--task", default="", choices=["", *READERS], metavar="TASK", help=", ".join(READERS))
        parser.add_argument(
            "--aliases", action="store_true", help="of a bundle: aliases in the place of all names of teams and bots"
        )
        parser.add_argument("--format", default="csv", choices=list(FORMATS))
        parser.add_argument(
            "--language", choices=list(LANGUAGES), default="en", help="the language of failures' details"
        )
        parser.add_argument("--out", required=True, type=Path)

    def handle(
        self,
        *,
        campaign: str,
        what: str,
        format: str,
        task: str,
        aliases: bool,
        language: str,
        out: Path,
        **options: Any,
    ) -> None:
        found = campaign_named(campaign)
        try:
            if what == "gold":
                self.write_gold(found, task, out)
            elif what == "bundle":
                self.write_bundle(found, aliases, out)
            else:
                with override(LANGUAGES[language]):
                    self.write_rows(found, what, format, out)
        except OSError as unwritable:
            raise CommandError(f"{out} cannot be written: {unwritable.strerror}.") from unwritable
        form = {"gold": "json", "bundle": "zip"}.get(what, format)
        note_export(campaign=found, what=what, by=None, at=timezone.now(), format=form)

    def write_gold(self, campaign: Campaign, task: str, out: Path) -> None:
        if not task:
            raise CommandError(f"--what gold needs --task: {' or '.join(READERS)}.")
        try:
            content = gold_file(campaign, task)
        except NoGold as nothing:
            raise CommandError(str(nothing)) from nothing
        write_whole(out, [content])
        self.stderr.write(f"Gold for {task} written to {out}.")

    def write_bundle(self, campaign: Campaign, hides_teams: bool, out: Path) -> None:
        write_whole(out, bundle_pieces(campaign, hides_teams=hides_teams, at=timezone.now()))
        self.stderr.write(f"Bundle written to {out}. SHA-256: {digest_of(out)}")

    def write_rows(self, found: Campaign, what: str, format: str, out: Path) -> None:
        if what == "leaderboard":
            refresh_leaderboard(campaign=found, at=timezone.now())
        write_whole(out, pieces(what, found, format))
        self.stderr.write(f"{what} written to {out}.")
