"""manage.py redact DIALOGUE SPAN: removes words of a dialogue wherever they occur in it."""

from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser, no_translations
from django.utils import timezone

from campaigns.reasons import ReasonNeeded
from dialogues.models import Dialogue
from privacy.actions.redacting import CannotRedact, redact, span_of, words_at
from privacy.confirming import confirmed


class Command(BaseCommand):
    help = "Removes what was said at a span of a dialogue (3.tester, 3.bot, 3.bot:5-17), and the same words elsewhere in it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("dialogue")
        parser.add_argument("span")
        parser.add_argument("--because", default="asked for by the operator", help="stands in the trail")
        parser.add_argument("--dry-run", action="store_true", help="only show the words")
        parser.add_argument("--yes", action="store_true", help="do not ask")

    @no_translations
    def handle(self, *, dialogue: str, span: str, because: str, dry_run: bool, yes: bool, **options: Any) -> None:
        try:
            found = Dialogue.everything.with_names().filter(pk=UUID(dialogue)).first()
        except ValueError as no_id:
            raise CommandError(f"{dialogue} is no id of a dialogue.") from no_id
        if found is None:
            raise CommandError(f"There is no dialogue {dialogue}.")
        try:
            where = span_of(span)
            for words in words_at(found, where):
                self.stderr.write(f"{where}: {words}")
            if dry_run:
                return
            if not confirmed(str(where), is_sure=yes):
                raise CommandError("Nothing was redacted: the span was another.")
            n = redact(dialogue=found, span=where, because=because, by=None, at=timezone.now())
        except (CannotRedact, ReasonNeeded) as refused:
            raise CommandError(str(refused)) from refused
        self.stdout.write(f"Redacted: {n} characters. Published bundles and earlier backups still hold them.")
