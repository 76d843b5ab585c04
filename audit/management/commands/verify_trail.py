"""manage.py verify_trail: computes every hash of the audit trail anew."""

import json
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import transaction

from audit.chain import breaks_in
from audit.models import TrailHead, stored_lines

SHOWN_BREAKS = 20


class Command(BaseCommand):
    help = "Checks that no line of the audit trail was changed, removed or inserted; exits with 1 and says where otherwise."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--format", choices=["text", "json"], default="text")

    def handle(self, *, format: str, **options: Any) -> None:
        # One state of both: a line that is added meanwhile is no break.
        with transaction.atomic():
            head = TrailHead.objects.select_for_update().filter(pk=TrailHead.ONLY).first() or TrailHead()
            breaks = list(breaks_in(stored_lines(), n_lines=head.n_lines, head=head.hash))
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
