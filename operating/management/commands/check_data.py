"""manage.py check_data: says what of the stored data does not hold, and since when."""

import json
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from leaderboards.computations import one_state_of_the_database
from operating.data_checks import CHECKS, Wrong

SHOWN = 20


class Command(BaseCommand):
    help = "Checks turns, ledger, reviews, leaderboards, the audit trail and every digest, beside whatever runs; exits with 1 if something does not hold."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--format", choices=["text", "json"], default="text")

    def handle(self, *, format: str, **options: Any) -> None:
        found: dict[str, list[Wrong]] = {}
        with one_state_of_the_database():
            at = timezone.now()
            for name, check in CHECKS.items():
                self.stderr.write(f"{name} …")
                found[name] = list(check(at))
        if format == "json":
            told = {name: [_as_json(one) for one in wrong] for name, wrong in found.items()}
            self.stdout.write(json.dumps({"at": at.isoformat(), "checks": told}))
        else:
            for name, wrong in found.items():
                self.stdout.write(f"{name}: {len(wrong)} found" if wrong else f"{name}: holds")
                for one in wrong[:SHOWN]:
                    since = f" (since {one.since:%Y-%m-%d %H:%M} UTC)" if one.since else ""
                    self.stdout.write(f"  {one.where}: {one.sentence}{since}")
                if len(wrong) > SHOWN:
                    self.stdout.write(f"  … and {len(wrong) - SHOWN} more")
        if any(found.values()):
            sys.exit(1)


def _as_json(one: Wrong) -> dict[str, str | None]:
    return {"where": one.where, "problem": one.sentence, "since": one.since.isoformat() if one.since else None}
