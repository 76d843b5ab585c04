"""The operator's screen: what waits since when, the last backup, and an exit code for watchers."""

import json
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import ProgrammingError, transaction
from django.utils import timezone, translation

from audit.actions import record
from automatic_tasks.runs.queue import report_presence
from dialogues.models import Turn
from operating.state import state
from operating.trail_acts import BACKED_UP
from tests.dialogues.test_actions import Talk

pytestmark = pytest.mark.django_db


def printed(*options):
    out = StringIO()
    try:
        call_command("status", *options, stdout=out)
    except SystemExit as left:
        return left.code, out.getvalue()
    return 0, out.getvalue()


def backed_up(at):
    with transaction.atomic():
        record(BACKED_UP, by=None, at=at, about="huace.zip", details={"rows": 1, "bytes": 3 << 20, "sha256": "x"})


def test_a_sound_installation_prints_one_screen(dialogue, admission):
    report_presence(worker="here:1", at=timezone.now())
    backed_up(timezone.now())
    Talk(dialogue, admission).send("k")
    code, text = printed()
    assert code == 0
    since = Turn.objects.get().asked_at
    assert f"waiting    1 turns since {since:%Y-%m-%d %H:%M} UTC, 0 runs, 0 checks, 0 publications" in text
    assert "workers    here:1" in text
    assert "dialogues  1 open" in text
    assert "3.0 MiB" in text
    assert "WRONG" not in text


def test_a_database_that_lacks_tables_is_wrong_and_no_crash(monkeypatch):
    def lacking(at):
        raise ProgrammingError('relation "operating_processreport" does not exist')

    monkeypatch.setattr("operating.state.facts_of", lacking)
    code, text = printed()
    assert code == 1
    assert "WRONG      database: lacks tables: run `manage.py migrate`" in text


def test_what_is_wrong_is_told_to_people_and_programs(db):
    code, text = printed()
    assert code == 1
    assert "WRONG      backup: none was made yet" in text
    backed_up(timezone.now() - timedelta(hours=25))
    with translation.override("zh-hans"):
        assert state(timezone.now())["wrong"]["backup"].startswith("最近一次是 ")
    code, text = printed("--format", "json")
    told = json.loads(text)
    assert (code, told["backup"]["file"], told["wrong"].keys()) == (1, "huace.zip", {"worker", "backup"})
