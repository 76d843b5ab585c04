"""manage.py import_battles FILE --campaign SLUG --by NAME [--judges people|programs]: adds comparisons of two systems each from elsewhere."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, no_translations
from django.utils import timezone

from accounts.models import Person
from campaigns.management.campaign_named import campaign_named
from campaigns.models import Role
from pairs.actions.boards import refresh_pair_board
from pairs.actions.importing import import_battles
from pairs.board.battle_files import JUDGES, read_battles
from reading.checking import BadFile

SHOWN = 50


class Command(BaseCommand):
    help = "Imports comparisons as arenas publish them (JSON, JSON Lines or CSV). The same file again changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--campaign", required=True, metavar="SLUG")
        parser.add_argument("--by", required=True, metavar="NAME", help="the organizer who brings them")
        parser.add_argument(
            "--judges",
            choices=list(JUDGES),
            default="file",
            help="whose votes they are where judge_kind of a row does not say; those of programs are in no board",
        )

    @no_translations
    def handle(self, *, file: Path, campaign: str, by: str, judges: str, **options: Any) -> None:
        target = campaign_named(campaign)
        person = Person.objects.filter(
            username=by, campaign_roles__campaign=target, campaign_roles__role=Role.ORGANIZER
        )
        organizer = person.first()
        if organizer is None:
            raise CommandError(f"{by} does not organize {campaign}.")
        try:
            content = file.read_bytes()
        except OSError as unreadable:
            raise CommandError(f"{file} cannot be read: {unreadable.strerror}.") from unreadable
        try:
            battles = read_battles(file.name, content, judges)
            imported = import_battles(campaign=target, battles=battles, by=organizer, at=timezone.now())
        except BadFile as bad:
            listed = "\n".join(f"  {problem}" for problem in bad.problems[:SHOWN])
            more = f"\n  … and {len(bad.problems) - SHOWN} more" if len(bad.problems) > SHOWN else ""
            raise CommandError(f"{file} was not imported; nothing was changed:\n{listed}{more}") from bad
        refresh_pair_board(campaign=target, at=timezone.now())
        apart = f" {imported.n_of_programs} are programs' and in no board." if imported.n_of_programs else ""
        self.stderr.write(f"{imported.n_new} comparisons imported, {imported.n_known} were there already.{apart}")
