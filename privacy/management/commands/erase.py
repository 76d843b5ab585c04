"""manage.py erase PERSON: removes a person's names and texts; figures, counts and chains stay."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser, no_translations
from django.utils import timezone

from accounts.models import Person
from privacy.actions.erasing import CannotErase, erase_person, new_name, preview_erasing, talks_that_mention
from privacy.confirming import confirmed

WORDS = {
    "dialogues": "dialogues whose texts go",
    "reviews": "reviews whose comments go",
    "other_texts": "other texts that go",
    "roles": "roles that end",
    "credentials": "logins and API tokens that end",
    "trail_lines": "lines of the trail that stay without the name",
}


class Command(BaseCommand):
    help = "Lists what erasing a person removes, asks for the user name, and removes it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("person", help="the user name")
        parser.add_argument("--dry-run", action="store_true", help="only list what would go")
        parser.add_argument("--yes", action="store_true", help="do not ask")
        parser.add_argument(
            "--everywhere", action="store_true", help="also take the names out of what other people said in dialogues"
        )
        parser.add_argument("--format", choices=("text", "json"), default="text")

    @no_translations
    def handle(self, *, person: str, dry_run: bool, yes: bool, everywhere: bool, format: str, **options: Any) -> None:
        found = Person.objects.filter(username=person).first()
        if found is None:
            raise CommandError(f"There is no account {person}.")
        try:
            removal = preview_erasing(person=found)
            mentioned = talks_that_mention(found)
            if not dry_run:
                self.tell(found, removal.as_json(), mentioned, "text", to=self.stderr)
                if not confirmed(person, is_sure=yes):
                    raise CommandError("Nothing was erased: the name was another.")
                erase_person(person=found, by=None, at=timezone.now(), everywhere=everywhere)
        except CannotErase as refused:
            raise CommandError(str(refused)) from refused
        self.tell(
            found,
            removal.as_json() | {"is_erased": not dry_run},
            [] if everywhere else mentioned,
            format,
            to=self.stdout,
        )

    def tell(self, person: Person, removal: dict[str, Any], mentioned: list[Any], format: str, *, to: Any) -> None:
        if format == "json":
            to.write(
                json.dumps(removal | {"becomes": new_name(person), "mentioned_in": [str(one) for one in mentioned]})
            )
            return
        for name, words in WORDS.items():
            to.write(f"{removal[name]:>7} {words}")
        for digest in removal["published"]:
            to.write(f"The frozen bundle {digest} is not rewritten: withdraw it and freeze anew (docs/privacy.md).")
        for dialogue in mentioned:
            to.write(f"The name occurs in dialogue {dialogue} of somebody else: redact it, or use --everywhere.")
        if removal.get("is_erased"):
            to.write(f"Erased: the account is now called {new_name(person)}. Earlier backups still hold it.")
