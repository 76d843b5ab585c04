"""manage.py tournament: rehearses a campaign with scripted people and prints its leaderboard."""

import asyncio
import json
import os
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from campaigns.campaign_file import CampaignSpec, read_campaign_file
from demo.management.commands.demo import CAMPAIGN_FILE
from demo.rehearsal import Company, rehearse
from demo.sample_bots import CONTEXT_BOT, SAMPLE_BOTS, SampleBot, free_port, on_free_ports, running, wait_for_port
from demo.tied import start_tied
from demo.tournament import Plan, Workplace, cards_of, play_all, scales_of, with_bot_urls
from participants.adapters import PROTOCOLS
from scoring.checking import BadFile

USUAL_BOTS = (*SAMPLE_BOTS, CONTEXT_BOT)
Bots = tuple[SampleBot, ...]


class Command(BaseCommand):
    help = (
        "Plays the whole demo campaign, or another one on the sample bots, with scripted people over real sockets and bots, "
        "and prints the leaderboard."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--testers", type=int, help="how many of the demo campaign's testers play (default: all)")
        parser.add_argument("--campaign", type=Path, metavar="FILE", help="another campaign, as in examples/campaigns/")
        parser.add_argument(
            "--import", dest="imported", type=Path, metavar="FILE", help="finished dialogues (NTCIR) to be reviewed"
        )
        parser.add_argument("--keep", type=Path, metavar="FOLDER", help="a new folder where the database stays")

    def handle(
        self, *, testers: int | None, campaign: Path | None, imported: Path | None, keep: Path | None, **options: Any
    ) -> None:
        workplace = Workplace(keep)
        bots = on_free_ports(USUAL_BOTS)
        rehearsal = Rehearsal(self, workplace, campaign or CAMPAIGN_FILE, bots)
        try:
            with running(bots), rehearsal.server() as base:
                if campaign is None:
                    rehearsal.play_demo(base, testers)
                else:
                    rehearsal.play_any(base, imported)
            self.stdout.write(rehearsal.manage("leaderboard", rehearsal.spec.slug))
        except BadFile as bad:
            raise CommandError(f"{campaign} cannot be rehearsed: {bad}") from bad
        except subprocess.CalledProcessError as failed:
            raise CommandError(f"The tournament broke off: {failed!r}\n{failed.stderr.decode()}") from failed
        except (RuntimeError, ExceptionGroup) as failed:
            raise CommandError(f"The tournament broke off: {failed!r}") from failed
        finally:
            workplace.close()


class Rehearsal:
    """One campaign on a database of its own, its bots on free ports."""

    def __init__(self, command: BaseCommand, workplace: Workplace, file: Path, bots: Bots) -> None:
        self.command, self.bots = command, bots
        self.file = workplace.path / "campaign.toml"
        self.file.write_text(with_bot_urls(file.read_text(), dict(zip(USUAL_BOTS, bots, strict=True))))
        self.environment = os.environ | {
            "DATABASE_URL": workplace.database_url,
            "HUACE_OUTBOUND_ALLOW": ",".join(bot.address for bot in bots),
        }
        self.spec: CampaignSpec = read_campaign_file(self.file.name, self.file.read_bytes(), PROTOCOLS)

    @contextmanager
    def server(self) -> Iterator[str]:
        """The address of a server that runs inside the block."""
        self.manage("migrate", "-v0")
        port = free_port()
        server = start_tied([sys.argv[0], "serve", "--port", str(port), "--no-worker"], self.environment)
        try:
            wait_for_port(port, server, "The server")
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait()

    def play_demo(self, base: str, n_testers: int | None) -> None:
        """The testers log in through the page and follow their goal cards; they score by what the bots really booked."""
        passwords = json.loads(self.manage("load_campaign", str(self.file), "--print-passwords"))
        testers = [person.username for person in self.spec.people if "tester" in person.roles][:n_testers]
        plan = Plan(
            base=base,
            accounts={name: passwords[name] for name in testers},
            cards=cards_of(self.spec),
            scales=scales_of(self.spec),
            bot_addresses=self.addresses_by_alias(),
        )
        started = time.monotonic()
        played = asyncio.run(play_all(plan, self.report))
        seconds, n_turns = time.monotonic() - started, sum(one.n_turns for one in played)
        self.command.stderr.write(f"{len(played)} dialogues, {n_turns} turns in {seconds:.1f} s\n")

    def play_any(self, base: str, imported: Path | None) -> None:
        """Programs with tokens do what the campaign's people would."""
        tokens: Mapping[str, str] = json.loads(self.manage("load_campaign", str(self.file), "--print-tokens"))
        if imported:
            self.manage(
                "import_dialogues", self.spec.slug, str(imported), "--format", "ntcir",
                "--bot", "helpdesk", "--team", "Demo Helpdesk",
            )  # fmt: skip
        asyncio.run(rehearse(Company(base, self.spec, tokens), self.command.stderr.write))

    def report(self, n_done: int, n_all: int) -> None:
        if n_done % 21 == 0 or n_done == n_all:
            self.command.stderr.write(f"{n_done}/{n_all} dialogues played and scored")

    def manage(self, *arguments: str) -> str:
        """Runs one of our own commands on the rehearsal's database; gives what it printed."""
        command = [sys.executable, sys.argv[0], *arguments]
        done = subprocess.run(command, env=self.environment, check=True, capture_output=True)
        return done.stdout.decode()

    def addresses_by_alias(self) -> dict[str, str]:
        """Which bot wears which alias: only the organizer's side knows, and the scripted reviewers ask it."""
        code = (
            "import json; from campaigns.models import Entry; "
            f"print(json.dumps(dict(Entry.objects.filter(campaign__slug={self.spec.slug!r}).values_list('key', 'alias'))))"
        )
        aliases = json.loads(self.manage("shell", "-v0", "-c", code))
        return {aliases[bot.key]: bot.address for bot in self.bots if bot.key in aliases}
