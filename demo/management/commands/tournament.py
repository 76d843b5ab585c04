"""manage.py tournament: rehearses the demo campaign with scripted testers and prints its leaderboard."""

import asyncio
import json
import os
import subprocess
import sys
import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from campaigns.campaign_file import read_campaign_file
from demo.management.commands.demo import CAMPAIGN_FILE
from demo.sample_bots import SAMPLE_BOTS, free_port, on_free_ports, running, wait_for_port
from demo.tied import start_tied
from demo.tournament import Plan, Workplace, cards_of, play_all, scales_of, with_bot_urls
from participants.adapters import PROTOCOLS


class Command(BaseCommand):
    help = "Plays the whole demo campaign with scripted testers over real sockets and bots, and prints the leaderboard."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--testers", type=int, help="how many of the campaign's testers play (default: all)")

    def handle(self, *, testers: int | None, **options: Any) -> None:
        workplace = Workplace()
        bots = on_free_ports()
        try:
            with running(bots):
                self.rehearse(workplace, bots, testers)
        except (RuntimeError, subprocess.CalledProcessError, ExceptionGroup) as failed:
            raise CommandError(f"The tournament broke off: {failed!r}") from failed
        finally:
            workplace.close()

    def rehearse(self, workplace: Workplace, bots: tuple[Any, ...], n_testers: int | None) -> None:
        file = workplace.path / "campaign.toml"
        file.write_text(with_bot_urls(CAMPAIGN_FILE.read_text(), dict(zip(SAMPLE_BOTS, bots, strict=True))))
        spec = read_campaign_file(file.name, file.read_bytes(), PROTOCOLS)
        environment = os.environ | {
            "DATABASE_URL": workplace.database_url,
            "HUACE_OUTBOUND_ALLOW": ",".join(bot.address for bot in bots),
        }
        manage(environment, "migrate", "-v0")
        passwords = json.loads(manage(environment, "load_campaign", str(file), "--print-passwords"))
        port = free_port()
        server = start_tied([sys.argv[0], "serve", "--port", str(port), "--no-worker"], environment)
        try:
            wait_for_port(port, server, "The server")
            testers = [person.username for person in spec.people if "tester" in person.roles][:n_testers]
            plan = Plan(
                base=f"http://127.0.0.1:{port}",
                accounts={name: passwords[name] for name in testers},
                cards=cards_of(spec),
                scales=scales_of(spec),
                bot_addresses=addresses_by_alias(environment, spec.slug, bots),
            )
            started = time.monotonic()
            played = asyncio.run(play_all(plan, self.report))
            self.report_end(len(played), sum(one.n_turns for one in played), time.monotonic() - started)
        finally:
            server.terminate()
            server.wait()
        self.stdout.write(manage(environment, "leaderboard", spec.slug))

    def report(self, n_done: int, n_all: int) -> None:
        if n_done % 21 == 0 or n_done == n_all:
            self.stderr.write(f"{n_done}/{n_all} dialogues played and scored")

    def report_end(self, n_dialogues: int, n_turns: int, seconds: float) -> None:
        self.stderr.write(f"{n_dialogues} dialogues, {n_turns} turns in {seconds:.1f} s\n")


def manage(environment: dict[str, str], *arguments: str) -> str:
    """Runs one of our own commands on the rehearsal's database; gives what it printed."""
    command = [sys.executable, sys.argv[0], *arguments]
    done = subprocess.run(command, env=environment, check=True, capture_output=True)
    return done.stdout.decode()


def addresses_by_alias(environment: dict[str, str], slug: str, bots: tuple[Any, ...]) -> dict[str, str]:
    """Which bot wears which alias: only the organizer's side knows, and the scripted reviewers ask it."""
    code = (
        "import json; from campaigns.models import Entry; "
        f"print(json.dumps(dict(Entry.objects.filter(campaign__slug={slug!r}).values_list('key', 'alias'))))"
    )
    aliases = json.loads(manage(environment, "shell", "-v0", "-c", code))
    return {aliases[bot.key]: bot.address for bot in bots}
