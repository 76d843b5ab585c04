"""manage.py mobilecs_scenarios FILE: writes scenarios of a live campaign, made from MobileCS dialogues."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, no_translations

from reading.checking import BadFile
from reading.toml_text import toml_of
from scoring.live_scenarios import scenarios_of
from scoring.management.commands.score import content_of


class Command(BaseCommand):
    help = (
        "Writes [[scenarios]] tables for a campaign file from annotated MobileCS dialogues: the user's goal as the tester's "
        "card, the local KB as the bot's context. With --slug the result is a whole campaign file for load_campaign."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--slug", help="of a campaign; bots and people are added to the file by hand")
        parser.add_argument("--turn-cap", type=int, default=20, help="turns a dialogue may take (with --slug)")
        parser.add_argument("--output", type=Path, help="a file to write instead of standard output")

    @no_translations
    def handle(self, *, file: Path, slug: str | None, turn_cap: int, output: Path | None, **options: Any) -> None:
        try:
            scenarios = scenarios_of(content_of(file))
        except BadFile as bad:
            listed = "\n".join(f"  {problem}" for problem in bad.problems[:200])
            raise CommandError(f"{file} cannot be used:\n{listed}") from bad
        if not scenarios:
            raise CommandError(f"{file} holds no dialogue with a goal.")
        head = {"slug": slug, "name": slug, "cap_per": "dialogue", "turn_cap": turn_cap, "free_choice": True}
        text = toml_of(({"campaign": head} if slug else {}) | {"scenarios": scenarios})
        if output is None:
            self.stdout.write(text, ending="")
        else:
            output.write_text(text, encoding="utf-8")
        self.stderr.write(f"{len(scenarios)} scenarios.")
