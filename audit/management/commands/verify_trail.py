"""manage.py verify_trail: computes every hash of the audit trail anew, and finds what shows that it was emptied or unguarded."""

import json
import re
import sys
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.db.models import Min

from audit.chain import breaks_in
from audit.guards import missing_guards
from audit.models import TrailLine, head_of_trail, line_of_hash, stored_lines, trail_as_it_stands

SHOWN_BREAKS = 20
PRINTED = "printed"
# A large campaign file makes its accounts minutes before the line that ends its transaction.
LINE_FOLLOWS_ACCOUNT_WITHIN = timedelta(hours=1)


class Command(BaseCommand):
    help = (
        "Checks that no line of the audit trail was changed, removed or inserted, that the trail was not begun anew and that"
        " the database still guards it; exits with 1 and says where otherwise."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--format", choices=["text", "json"], default="text")
        parser.add_argument(
            "--head",
            nargs="?",
            const=PRINTED,
            metavar="HASH",
            help="alone: only prints the head's hash, to be stored elsewhere; with such a hash: also checks that a line has it",
        )

    def handle(self, *, format: str, head: str | None, **options: Any) -> None:
        if head == PRINTED:
            self.print_head(format)
            return
        if head is not None and not re.fullmatch("[0-9a-f]{64}", head):
            raise CommandError("A head is 64 characters of 0 to 9 and a to f, as --head prints it.")
        # Looked up before the head: the line of an account is committed with it.
        joined = get_user_model().objects.aggregate(first=Min("date_joined"))["first"]
        # Lines never change, so those to a number can be read while others are added: nobody waits for this.
        stands, last = trail_as_it_stands()
        breaks = list(breaks_in(stored_lines(up_to=last), n_lines=stands.n_lines, head=stands.hash))
        problems = list(filter(None, [begun_anew(joined)]))
        line_of_head = line_of_hash(head, up_to=last) if head else None
        if head and line_of_head is None:
            problems.append(f"No line has the hash {head}: lines to it were removed or written anew.")
        missing = missing_guards(connection)
        if format == "json":
            found: dict[str, Any] = {
                "lines": stands.n_lines,
                "head": stands.hash,
                "breaks": [{"line": one.number, "problem": one.sentence} for one in breaks],
                "problems": problems,
                "missing_triggers": missing,
            }
            self.stdout.write(json.dumps(found | ({"line_of_head": line_of_head} if head else {})))
        else:
            told = [f"line {one.number}: {one.sentence}" for one in breaks[:SHOWN_BREAKS]]
            if len(breaks) > SHOWN_BREAKS:
                told.append(f"… and {len(breaks) - SHOWN_BREAKS} more.")
            told += [*problems, *(f"trigger {name}: It is missing, switched off or changed." for name in missing)]
            if not told:
                told.append(f"The trail holds: {stands.n_lines} lines, head {stands.hash}.")
                if head:
                    told.append(f"The given head is that of line {line_of_head}.")
            self.stdout.write("\n".join(told))
        if breaks or problems or missing:
            sys.exit(1)

    def print_head(self, format: str) -> None:
        head = head_of_trail()
        self.stdout.write(json.dumps({"lines": head.n_lines, "head": head.hash}) if format == "json" else head.hash)


def begun_anew(joined: datetime | None) -> str:
    """What is wrong where the trail begins after the first account was made, at `joined`; empty otherwise."""
    first = TrailLine.objects.in_order().first()
    if joined is None or (first and first.at <= joined + LINE_FOLLOWS_ACCOUNT_WITHIN):
        return ""
    begins = f"The trail begins {first.at:%Y-%m-%d %H:%M} UTC" if first else "The trail has no line"
    return f"{begins}, and the first account was made {joined:%Y-%m-%d %H:%M} UTC: earlier lines were removed."
