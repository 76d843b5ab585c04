"""manage.py load_campaign FILE: creates or updates a campaign from its file."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, TypedDict

from django.core.management.base import BaseCommand, CommandError, no_translations
from django.urls import reverse
from django.utils import timezone

from accounts.link_addresses import site_address
from campaigns.actions import Loaded, issue_password_links, issue_passwords, issue_tokens, load_file, preview_load
from campaigns.campaign_file.reader import CampaignSpec, read_campaign_file
from campaigns.models import Campaign
from campaigns.readiness import what_is_missing
from dialogues.queries import void_assignments
from participants.adapters import PROTOCOLS
from reading.checking import BadFile


class Asked(TypedDict):
    prunes: bool
    takes_over: bool


class Command(BaseCommand):
    help = "Creates or updates a campaign from its file (TOML or JSON). Loading the same file again changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--dry-run", action="store_true", help="say what would change; store nothing")
        parser.add_argument(
            "--prune",
            action="store_true",
            help="remove what came from a campaign file and is no longer in this one",
        )
        parser.add_argument(
            "--take-over",
            action="store_true",
            help="change what was made in the browser, too, where the file names it; it is the file's from then on",
        )
        parser.add_argument(
            "--print-tokens", action="store_true", help="print one JSON object: a new API token per person"
        )
        parser.add_argument(
            "--print-links",
            action="store_true",
            help="print one JSON object: a link that sets a password, once, for each person who has none yet",
        )
        parser.add_argument(
            "--print-passwords",
            action="store_true",
            help="the same with passwords, for rehearsals: links keep them out of every file",
        )

    @no_translations
    def handle(
        self,
        *,
        file: Path,
        dry_run: bool,
        prune: bool,
        take_over: bool,
        print_tokens: bool,
        print_links: bool,
        print_passwords: bool,
        **options: Any,
    ) -> None:
        if dry_run and (print_tokens or print_links or print_passwords):
            raise CommandError("--dry-run stores nothing, so there are no tokens, links and passwords to print.")
        asked: Asked = {"prunes": prune, "takes_over": take_over}
        try:
            spec = read_campaign_file(file.name, content_of(file), PROTOCOLS)
            if dry_run:
                self.say_what_would_change(spec, asked)
                return
            loaded = load_file(spec=spec, void=void_now(spec.slug), **asked)
        except BadFile as bad:
            listed = "\n".join(f"  {problem}" for problem in bad.problems)
            raise CommandError(f"{file} was not loaded; nothing was changed:\n{listed}") from bad
        self.say(loaded)
        for lack in what_is_missing(loaded.campaign):
            self.stderr.write(f"missing: {lack}")
        if print_tokens:
            self.stdout.write(json.dumps(issue_tokens(campaign=loaded.campaign), indent=2))
        if print_links:
            self.stdout.write(json.dumps(links_of(loaded.campaign), indent=2))
        if print_passwords:
            self.stdout.write(json.dumps(issue_passwords(campaign=loaded.campaign), indent=2))

    def say(self, loaded: Loaded) -> None:
        for left in loaded.report.left_alone:
            self.stderr.write(left.in_english)
        for change in loaded.report.changes or ["nothing to change"]:
            self.stderr.write(change)

    def say_what_would_change(self, spec: CampaignSpec, asked: Asked) -> None:
        loaded = preview_load(spec=spec, void=void_now(spec.slug), **asked)
        self.stderr.write("Nothing is stored. This would change:")
        self.say(loaded)


def links_of(campaign: Campaign) -> dict[str, str]:
    """A link that sets a password for each person of the campaign who has none, by user name."""
    tokens = issue_password_links(campaign=campaign, at=timezone.now())
    return {name: site_address(reverse("set-password", args=[token])) for name, token in tokens.items()}


def content_of(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as unreadable:
        raise CommandError(f"{file} cannot be read: {unreadable.strerror}.") from unreadable


def void_now(slug: str) -> set[int]:
    """Work to redo in the stored campaign: the share of people who left is drawn for others."""
    stored = Campaign.objects.filter(slug=slug).first()
    return set() if stored is None else void_assignments(stored)
