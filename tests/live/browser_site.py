"""The demo campaign on a free port with its sample bots, and its people in a browser; one for all browser tests of a run."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path

from playwright.sync_api import expect

from demo.sample_bots import SAMPLE_BOTS, on_free_ports, running
from tests.live.browser import People, connected
from tests.live.databases import folder_of_this_run
from tests.live.server import ROOT, served
from tests.migrated import migrated_file

LIST = "/campaigns/smp2018-demo/testing/"


class Site(People):
    """The demo campaign on a free port, its accounts, and a browser."""

    def __init__(self, browser, base, passwords, manage, bots):
        super().__init__(browser, base, passwords.__getitem__)
        self.passwords, self.manage, self.bots = passwords, manage, bots
        self.aliases = {}

    def open_scenario(self, page, scenario: str, bot: str = "booking"):
        """Opens the assignment of one scenario with one bot from the tester's list."""
        page.goto(self.base + LIST)
        alias = self.alias(bot)
        row = page.locator(f".assignment[data-system='{alias}']").filter(
            has=page.locator(".name", has_text=re.compile(rf"^\s*{re.escape(scenario)}\s*$"))
        )
        row.first.click()
        connected(page)

    def alias(self, bot: str) -> str:
        if not self.aliases:
            code = "import json; from campaigns.models import Entry; print(json.dumps(dict(Entry.objects.values_list('key', 'alias'))))"
            self.aliases = json.loads(self.manage("shell", "-v0", "-c", code))
        return self.aliases[bot]


@cache
def prepared_demo() -> tuple[Path, dict[str, str]]:
    """A database with the demo campaign, made once per run, and the passwords of its people."""
    folder = folder_of_this_run()
    database, file = folder / "demo.sqlite3", folder / "demo.toml"
    shutil.copy(migrated_file(), database)
    toml = (ROOT / "demo" / "campaign.toml").read_text()
    file.write_text(toml.replace("open_dialogues_per_tester = 3", "open_dialogues_per_tester = 100"))
    command = [sys.executable, "manage.py", "load_campaign", str(file), "--print-passwords"]
    environment = os.environ | demo_environment(database, SAMPLE_BOTS)
    loaded = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
    return database, json.loads(loaded.stdout)


def demo_environment(database: Path, bots) -> dict[str, str]:
    return {"DATABASE_URL": f"sqlite:///{database}", "HUACE_OUTBOUND_ALLOW": ",".join(bot.address for bot in bots)}


@contextmanager
def demo_server(folder: Path):
    """The address of the demo, the passwords of its people, what runs a command of manage.py on its database, its bots' URLs."""
    prepared, passwords = prepared_demo()
    database = folder / "site.sqlite3"
    shutil.copy(prepared, database)
    bots = on_free_ports()
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.executemany("UPDATE campaigns_entry SET url = ? WHERE key = ?", [(bot.url, bot.key) for bot in bots])
    environment = os.environ | demo_environment(database, bots)

    def manage(*arguments):
        command = [sys.executable, "manage.py", *arguments]
        return subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True).stdout

    with running(bots), served(environment) as base:
        yield base, passwords, manage, {bot.key: bot.url for bot in bots}


def answered(page):
    """The finished replies, one per turn."""
    return page.locator(".turn:has(.from-bot:not(.is-waiting, .is-streaming))")


def scores_are_open(page):
    """Waits until the form shows what is stored, and answers."""
    expect(page.locator("#rubric:not([inert])")).to_be_visible()


def say(page, text):
    """Types, sends, and waits until the bot's answer stands."""
    n_replies = answered(page).count()
    page.fill("#text", text)
    page.press("#text", "Enter")
    expect(answered(page)).to_have_count(n_replies + 1)
