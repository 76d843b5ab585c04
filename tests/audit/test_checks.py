"""A trail that lost its microseconds on the way to another database is told at the next start."""

import shutil
from datetime import UTC, datetime
from io import StringIO

import pytest
from django.core.management import call_command

from accounts.trail_acts import LOGGED_OUT
from audit.actions import record
from audit.checks import trail_verifies
from tests.migrated import migrated_file
from tests.operating.test_backups import manage

pytestmark = pytest.mark.django_db


def test_a_sound_trail_is_told_nothing_of_wherever_the_look_begins(campaign, monkeypatch):
    assert trail_verifies(databases=["default"]) == []
    monkeypatch.setattr("audit.checks.LINES_LOOKED_AT", 1)
    assert trail_verifies(databases=["default"]) == []


def test_a_load_that_cut_the_times_is_told_at_the_next_start(campaign, tmp_path):
    url, dump = f"sqlite:///{tmp_path}/loaded.sqlite3", tmp_path / "dump.json"
    # One recorded time in a thousand has whole milliseconds, and nothing of it is cut.
    record(LOGGED_OUT, by=None, at=datetime(2026, 5, 1, 12, 0, 0, 123456, UTC))
    call_command("dumpdata", "accounts.person", "audit", output=str(dump), stdout=StringIO())
    shutil.copy(migrated_file(), tmp_path / "loaded.sqlite3")
    manage(url, tmp_path, "loaddata", str(dump))
    told = manage(url, tmp_path, "check", "--database", "default")
    assert "audit.W001" in told
    assert "Its content is not what was recorded." in told
    assert "manage.py restore" in told
