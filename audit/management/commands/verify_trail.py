"""manage.py verify_trail: computes every hash of the audit trail anew."""

import json
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from audit.chain import breaks_in
from audit.models import stored_lines, trail_as_it_stands

SHOWN_BREAKS = 20


class Command(BaseCommand):
    help = "Checks that no line of the audit trail was changed, removed or inserted; exits with 1 and says where otherwise."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--format", choices=["text", "json"], default="text")

    def handle(self, *, format: str, **options: Any) -> None:
        # Lines never change, so those to a number can be read while others are added: nobody waits for this.
        head, last = trail_as_it_stands()
        breaks = list(breaks_in(stored_lines(up_to=last), n_lines=head.n_lines, head=head.hash))
        if format == "json":
            found = [{"line": one.number, "problem": one.sentence} for one in breaks]
            self.stdout.write(json.dumps({"lines": head.n_lines, "head": head.hash, "breaks": found}))
        elif breaks:
            for one in breaks[:SHOWN_BREAKS]:
                self.stdout.write(f"line {one.number}: {one.sentence}")
            if len(breaks) > SHOWN_BREAKS:
                self.stdout.write(f"… and {len(breaks) - SHOWN_BREAKS} more.")
        else:
            self.stdout.write(f"The trail holds: {head.n_lines} lines, head {head.hash}.")
        if breaks:
            sys.exit(1)
