"""Takes the second factor of somebody who lost it away, so that the password alone lets them in again."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import Person
from accounts.second_factor.actions import ReasonNeeded, reset_second_factor


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--because", required=True, help="the reason, for the audit trail")

    def handle(self, *, username: str, because: str, **options: Any) -> None:
        person = Person.objects.filter(username=username).first()
        if person is None:
            raise CommandError(f"There is no account {username!r}.")
        if not person.has_second_factor:
            raise CommandError(f"{username} has no second factor.")
        try:
            reset_second_factor(person=person, by=None, because=because)
        except ReasonNeeded as missing:
            raise CommandError("Say why: --because is empty.") from missing
        self.stdout.write(f"{username} logs in with the password alone now.")
