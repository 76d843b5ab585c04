"""manage.py status: how the installation stands, on one screen."""

import json
import sys
from collections import Counter
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone
from django.utils.translation import override

from operating.state import state

# Of errors and slow pages; `--format json` has more.
SHOWN = 5


class Command(BaseCommand):
    help = "Prints versions, sizes, what waits and the last backup; exits with 1 where something is wrong."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--format", choices=["text", "json"], default="text")

    def handle(self, *, format: str, **options: Any) -> None:
        with override("en"):
            found = state(timezone.now())
        if format == "json":
            self.stdout.write(json.dumps(found, default=datetime.isoformat))
        else:
            self.stdout.write("\n".join(_lines(found)))
        if found["wrong"]:
            sys.exit(1)


def _lines(found: dict[str, Any]) -> list[str]:
    versions = found["versions"]
    return [
        f"Huace {versions['huace']}, Python {versions['python']}, Django {versions['django']}",
        # Without a database nothing else is known.
        *(_facts(found) if "database" in found else ()),
        *(f"WRONG      {name}: {sentence}" for name, sentence in found["wrong"].items()),
    ]


def _facts(found: dict[str, Any]) -> list[str]:
    disk, backup = found["disk"], found["backup"]
    waiting = [
        f"{one['n']} {name}" + (f" since {one['since']:%Y-%m-%d %H:%M} UTC" if one["since"] else "")
        for name, one in found["waiting"].items()
    ]
    made = f"{backup['file']}, {backup['at']:%Y-%m-%d %H:%M} UTC, {_mib(backup['bytes'])}" if backup else "none"
    return [
        f"database   {found['database']['kind']}, {_mib(found['database']['bytes'])}; Redis: {'yes' if found['redis'] else 'no'}",
        *(
            f"machine    {one['host']}: {one['processes']} server processes, {one['version']}"
            for one in found["machines"]
        ),
        f"disk       {_mib(disk['free_bytes'])} of {_mib(disk['bytes'])} free",
        f"workers    {', '.join(one['name'] for one in found['workers']) or 'none'}",
        f"processes  {_processes(found['processes'])}",
        f"dialogues  {found['dialogues']['open']} open",
        f"waiting    {', '.join(waiting)}",
        f"boards     {found['boards']['outdated']} outdated",
        f"backup     {made}",
        *(f"error      {_error(one)}" for one in found["errors"][:SHOWN]),
        *(
            f"slow       {one['route']}: {one['mean_ms']} ms on average, {one['worst_ms']} ms at worst, {one['n']} requests"
            for one in found["pages"][:SHOWN]
        ),
    ]


def _processes(there: list[dict[str, Any]]) -> str:
    if not there:
        return "none reported within half a minute"
    of_each = Counter((one["kind"], one["version"]) for one in there)
    told = ", ".join(f"{n} {kind} {version}" for (kind, version), n in of_each.items())
    return f"{told}; {_mib(sum(one['memory_bytes'] for one in there))} in all"


def _error(one: dict[str, Any]) -> str:
    return f"{one['n']} × {one['kind']} in {one['part']} at {one['place']}, last {one['last_at']:%Y-%m-%d %H:%M} UTC"


def _mib(n_bytes: int) -> str:
    return f"{n_bytes / (1 << 20):,.1f} MiB"
