"""A stored campaign is rehearsed against its registered systems; nothing of it is in the campaign's own database but one line."""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from demo.management.commands.demo import CAMPAIGN_FILE
from demo.management.commands.tournament import USUAL_BOTS, with_moved_bots
from demo.sample_bots import SAMPLE_BOTS, on_free_ports, running
from tests.live.databases import ROOT
from tests.migrated import migrated_file

pytestmark = pytest.mark.server


class Site:
    """A database with the demo campaign, whose bots stand on free ports."""

    def __init__(self, folder):
        self.path = folder / "site.sqlite3"
        self.bots = on_free_ports(USUAL_BOTS)
        self.environment = os.environ | {
            "DATABASE_URL": f"sqlite:///{self.path}",
            "HUACE_OUTBOUND_ALLOW": ",".join(bot.address for bot in self.bots),
        }
        file = folder / "campaign.toml"
        file.write_bytes(with_moved_bots(CAMPAIGN_FILE, self.bots).content)
        shutil.copy(migrated_file(), self.path)
        assert self.manage("load_campaign", str(file)).returncode == 0

    def manage(self, *arguments):
        command = [sys.executable, "manage.py", *arguments]
        return subprocess.run(command, env=self.environment, cwd=ROOT, capture_output=True, text=True, timeout=300)

    def rows(self, query, *values):
        with closing(sqlite3.connect(self.path)) as database:
            return database.execute(query, values).fetchall()


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return Site(tmp_path_factory.mktemp("site"))


def test_each_system_meets_a_scenario_and_nothing_of_it_is_stored_here(site):
    with running(site.bots[: len(SAMPLE_BOTS)]):
        done = site.manage("rehearse", "smp2018-demo", "--scenarios", "1")
    assert done.returncode == 0, done.stderr
    told = done.stdout.splitlines()
    assert len(told) == 3
    assert all("1 dialogues" in line and "no failure" in line for line in told)
    assert site.rows("SELECT count(*) FROM dialogues_dialogue") == [(0,)]
    assert site.rows("SELECT count(*) FROM reviews_review") == [(0,)]
    assert site.rows("SELECT about FROM audit_trailline WHERE act = ?", "campaign.rehearsed") == [("smp2018-demo",)]


def test_a_system_that_does_not_answer_is_named_and_the_command_fails(site):
    done = site.manage("rehearse", "smp2018-demo", "--scenarios", "1")
    assert done.returncode == 1
    assert "connect × " in done.stdout
    assert "Not every system answered every turn." in done.stderr
