"""manage.py draw SLUG: draws who talks to which bot about what by the campaign's plan, or says what that would change."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError, no_translations

from campaigns.actions import PreviewIsOld, draw_assignments, preview_drawing
from campaigns.calendar import NotNow
from campaigns.management.campaign_named import campaign_named
from campaigns.planning.plan_sizes import PlanTooLarge
from campaigns.planning.redrawing import Changes, Tally, tallies
from dialogues.queries import void_assignments


class Command(BaseCommand):
    help = "Draws a campaign's assignments by its plan. What has begun stays; drawing twice changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--dry-run", action="store_true", help="say what drawing would change, and change nothing")
        parser.add_argument("--format", choices=("text", "json"), default="text")

    @no_translations
    def handle(self, *, slug: str, dry_run: bool, format: str, **options: Any) -> None:
        campaign = campaign_named(slug)
        draw = preview_drawing if dry_run else draw_assignments
        try:
            changes = draw(campaign=campaign, void=void_assignments(campaign))
        except NotNow as over:
            raise CommandError(over.in_english) from over
        except PlanTooLarge as large:
            raise CommandError(large.finding.in_english) from large
        except PreviewIsOld as old:
            raise CommandError("The campaign changed while its plan was drawn: draw it again.") from old
        said = said_of(changes, is_drawn=not dry_run)
        if format == "json":
            self.stdout.write(json.dumps(said, ensure_ascii=False, indent=2))
            return
        for line in lines_of(said, campaign.free_choice):
            self.stdout.write(line)


def said_of(changes: Changes, *, is_drawn: bool) -> dict[str, Any]:
    return {
        "drawn": is_drawn,
        "added": len(changes.add),
        "taken_away": len(changes.take_away),
        "left": len(changes.leave),
        "bots": _by_name(tallies(changes, lambda row: row.bot)),
        "testers": _by_name(tallies(changes, lambda row: row.tester)),
        "short": [asdict(short) for short in changes.short],
    }


def _by_name(counted: list[Tally]) -> dict[str, dict[str, int]]:
    return {one.name: {"added": one.n_added, "taken_away": one.n_taken, "left": one.n_left} for one in counted}


def lines_of(said: dict[str, Any], is_free: bool) -> list[str]:
    if is_free:
        return ["testers choose freely in this campaign: nothing is drawn"]
    counts = "{added} added, {taken_away} taken away, {left} left as they were"
    head = counts.format(**said)
    lines = [head if said["drawn"] else f"drawing would change: {head}"]
    for what in ("bots", "testers"):
        lines += [f"  {what[:-1]} {name}: {counts.format(**counted)}" for name, counted in said[what].items()]
    for short in said["short"]:
        about = short["scenario"] or f"any scenario of skill {short['skill']}"
        lines.append(f"  nobody can be drawn for {short['n']} dialogues of bot {short['bot']} about {about}")
    return lines
