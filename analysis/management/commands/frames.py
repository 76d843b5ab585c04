"""manage.py frames SLUG --into FOLDER: the frames of a campaign as Parquet, beside the bundle that they were made of."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

import analysis
from analysis.columns import FRAMES
from analysis.sources import BUNDLE
from campaigns.management.campaign_named import campaign_named
from leaderboards.actions import note_export
from leaderboards.table_files.parquet_files import is_installed
from publication.bundle import bundle_pieces
from publication.management.commands.export import write_whole


class Command(BaseCommand):
    help = (
        "Writes the frames of a campaign as Parquet (docs/codebook.md says what they hold), and the bundle that they are made of, which "
        f"`analysis.frames` reads. Files of the same names are replaced: {BUNDLE}, {', '.join(f'{name}.parquet' for name in FRAMES)}."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", metavar="SLUG")
        parser.add_argument("--into", required=True, type=Path, metavar="FOLDER")
        parser.add_argument(
            "--aliases", action="store_true", help="aliases in the place of all names of teams and systems"
        )

    def handle(self, *, campaign: str, into: Path, aliases: bool, **options: Any) -> None:
        found = campaign_named(campaign)
        try:
            frames = analysis.frames
        except ImportError as missing:
            raise CommandError(str(missing)) from missing
        if not is_installed():
            raise CommandError("Parquet needs pyarrow, of the extra `analysis`: pip install 'huace[analysis]'.")
        at = timezone.now()
        try:
            into.mkdir(parents=True, exist_ok=True)
            write_whole(into / BUNDLE, bundle_pieces(found, hides_teams=aliases, at=at))
            for name, frame in frames(into / BUNDLE).tables().items():
                write_whole(into / f"{name}.parquet", [frame.to_parquet(index=False)])
        except OSError as unwritable:
            raise CommandError(f"{into} cannot be written: {unwritable.strerror}.") from unwritable
        note_export(campaign=found, what="frames", by=None, at=at, format="parquet")
        self.stderr.write(f"{len(FRAMES)} frames and {BUNDLE} written to {into}.")
