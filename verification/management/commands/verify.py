"""manage.py verify BUNDLE.zip: the same as `python3 huace-verify.pyz`; it uses no database."""

import argparse
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from verification import verify


class Command(BaseCommand):
    help = "Checks a results bundle and computes its leaderboard anew from the raw data; exits with 1 where anything differs."
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        verify.add_arguments(parser)

    def handle(self, *, bundle: Path, digest: str, format: str, statistics: bool, **options: Any) -> None:
        if code := verify.run(bundle, digest=digest, format=format, draws=statistics, out=self.stdout):
            sys.exit(code)
