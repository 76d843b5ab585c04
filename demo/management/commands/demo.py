"""manage.py demo: loads the demo campaign, starts the sample bots and the server, and prints who can do what."""

import os
import signal
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from campaigns.actions import issue_passwords, load_campaign
from campaigns.campaign_file.reader import read_campaign_file
from campaigns.models import Campaign
from demo.people import DEMO_PEOPLE, MODELS, PUBLISHED
from demo.published import (
    BLIND_REVIEW_FILE,
    hand_in_sample_runs,
    import_finished_dialogues,
    load_demo_tasks,
    load_published,
)
from demo.sample_bots import (
    BRIDGED_BOT,
    DIALLED_BOT,
    SAMPLE_BOTS,
    SAMPLE_SERVICE,
    SCRIPTED_MODEL,
    dial_environment,
    holder_of,
    is_free,
    running,
    wait_for_port,
)
from demo.tied import start_tied
from participants.adapters import PROTOCOLS
from reading.checking import BadFile
from registration.actions import make_dial_key
from serving.processes import has_process
from serving.refused import Refused

LOOK_S = 0.3
SAMPLES = (*SAMPLE_BOTS, SAMPLE_SERVICE, SCRIPTED_MODEL, BRIDGED_BOT, DIALLED_BOT)
CAMPAIGN_FILE = Path(__file__).resolve().parents[2] / "campaign.toml"
# The same bots behind every kind of protocol.
PROTOCOLS_FILE = CAMPAIGN_FILE.with_name("protocols.toml")
GUIDED_FILE = CAMPAIGN_FILE.with_name("guided.toml")
# People and a model with the same bots, and the model as a judge.
MODELS_FILE = CAMPAIGN_FILE.with_name("models.toml")
ONE_CLICK = {person.username for person in DEMO_PEOPLE}
PAGES = {
    "organizer": "/campaigns/{slug}/organize/",
    "tester-1": "/campaigns/{slug}/testing/",
    "tester-2": "/campaigns/{slug}/testing/",
    "tester-3": "/campaigns/{slug}/testing/",
    "reviewer": "/campaigns/blind-review-demo/review/",
    "participant": "/campaigns/{slug}/tasks/",
}


class Command(BaseCommand):
    help = "Runs the demo campaign, one of protocols, one of blind review and one of models, with sample bots and six automatic tasks. Ctrl-C ends everything; what people did stays stored."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--end-with", type=int, metavar="PID", help="end when this process has ended (set by make)")

    def handle(self, *, port: int, end_with: int | None, **options: Any) -> None:
        refuse_taken_ports([port, *(one for sample in SAMPLES for one in sample.ports)])
        call_command("migrate", verbosity=0)
        # Lists show the newest campaign first: the one that people are to see first is loaded last.
        models, reviewed, _, protocols, campaign = map(
            self.load_campaign, (MODELS_FILE, BLIND_REVIEW_FILE, GUIDED_FILE, PROTOCOLS_FILE, CAMPAIGN_FILE)
        )
        import_finished_dialogues(reviewed, timezone.now())
        forget_passwords(settings.VAR_DIR / "demo-accounts.json")
        accounts = issue_passwords(campaign=campaign) | issue_passwords(campaign=reviewed)
        hand_in_sample_runs(load_demo_tasks(), timezone.now())
        load_published(timezone.now())
        try:
            with running(SAMPLES, dial_environment(port, key_of_dialled_bot(protocols))):
                server = start_server(port)
                try:
                    wait_for_port(port, server, "The server")
                    self.print_pages(campaign.slug, port, accounts)
                    wait_for_end(server, end_with, meanwhile=partial(self.fill, models))
                finally:
                    server.terminate()
                    server.wait()
        except RuntimeError as failed:
            raise CommandError(str(failed)) from failed

    def load_campaign(self, file: Path = CAMPAIGN_FILE) -> Campaign:
        """Where somebody changed in the browser what the file says otherwise, the campaign stays as it is."""
        spec = read_campaign_file(file.name, file.read_bytes(), PROTOCOLS)
        try:
            return load_campaign(spec=spec)[0]
        except BadFile as bad:
            stored = Campaign.objects.filter(slug=spec.slug).first()
            if stored is None:
                raise
            self.stderr.write(f"The campaign {spec.slug} stays as it was changed; its file was not loaded:")
            for problem in bad.problems:
                self.stderr.write(f"  {problem.in_english}")
            return stored

    def fill(self, models: Campaign) -> None:
        """Takes seconds at the first start, while everything else can be looked at already."""
        from demo.simulated import simulate_and_judge

        try:
            simulate_and_judge(models, timezone.now(), rest=partial(time.sleep, LOOK_S))
        except Exception as broken:
            # The demo goes on without it, whatever was changed in the campaign.
            self.stderr.write(f"The campaign {models.slug} stays as it is: {type(broken).__name__}: {broken}")

    def print_pages(self, slug: str, port: int, accounts: dict[str, str]) -> None:
        base = f"http://127.0.0.1:{port}"
        self.stdout.write(f"\nHuace 话测 is up: {base}/\n\n")
        for username, page in PAGES.items():
            password = accounts.get(username, "(one click)" if username in ONE_CLICK else "(as before)")
            self.stdout.write(f"  {username:<12} {password:<14} {base}{page.format(slug=slug)}")
        self.stdout.write(f"  {'leaderboard':<12} {'organizer':<14} {base}/campaigns/{slug}/leaderboard/")
        self.stdout.write(f"  {'models':<12} {'organizer':<14} {base}/campaigns/{MODELS}/programs/")
        self.stdout.write(f"  {'tasks':<12} {'organizer':<14} {base}/campaigns/{slug}/tasks/")
        self.stdout.write(f"  {'Table A2':<12} {'anybody':<14} {base}/campaigns/{PUBLISHED}/leaderboard/")
        if accounts:
            self.stdout.write("\nThe passwords are shown this once; the front page signs you in with one click.")
        self.stdout.write("\nCtrl-C ends the server and the sample bots; `make demo-reset` starts over.")
        self.stdout.flush()


def refuse_taken_ports(ports: list[int]) -> None:
    for port in ports:
        if is_free(port):
            continue
        holder = holder_of(port)
        who = f" by {holder}. End it with `kill {holder.pid}`" if holder else ". Is another demo running?"
        raise CommandError(
            f"Port {port} is in use{who}. The server takes another port by `make demo PORT=…`; "
            f"the samples need {', '.join(str(one) for sample in SAMPLES for one in sample.ports)}."
        )


def forget_passwords(path: Path) -> None:
    """Removes the file in which older versions kept the passwords: they are printed once, and no file holds them."""
    path.unlink(missing_ok=True)


def key_of_dialled_bot(campaign: Campaign) -> str:
    """A new key at each start: the one before is stored nowhere. Empty where the bot was changed in the browser."""
    entry = campaign.entries.filter(key=DIALLED_BOT.key).first()
    try:
        return make_dial_key(entry=entry, by=None, at=timezone.now()) if entry is not None else ""
    except Refused:
        return ""


def start_server(port: int) -> "subprocess.Popen[bytes]":
    allowed = ",".join(sample.address for sample in SAMPLES if sample.path)
    environment = os.environ | {"HUACE_OUTBOUND_ALLOW": allowed, "HUACE_DEMO": "1"}
    return start_tied([sys.argv[0], "serve", "--port", str(port), "--drain", "5"], environment)


def wait_for_end(
    server: "subprocess.Popen[bytes]", end_with: int | None, meanwhile: Callable[[], object] = lambda: None
) -> None:
    """Returns on Ctrl-C, SIGTERM, a closed terminal, when the server or `end_with` (a process) has ended."""

    def end(*_: object) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGHUP, end)
    try:
        meanwhile()
        while server.poll() is None and (end_with is None or has_process(end_with)):
            time.sleep(LOOK_S)
    except KeyboardInterrupt:
        sys.stdout.write("\nEnding …\n")
