"""The fixed cast and the small campaign that most tests share."""

import atexit
import csv
import gc
import itertools
import os
import random
import secrets
import shutil
import string
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings
from django.contrib.contenttypes.management import create_contenttypes
from django.core.cache import caches
from django.db import connection
from django.db.models.signals import post_migrate
from django.middleware import csrf
from django.test import override_settings
from django.utils import timezone, translation
from hypothesis import settings as hypothesis_settings

from accounts.models import Person
from api import rate_limits
from campaigns.actions import load_campaign
from campaigns.campaign_file.reader import CampaignSpec, read_campaign_file
from campaigns.models import Campaign
from dialogues.actions import open_chosen_dialogue
from dialogues.models import Dialogue
from leaderboards import explanations
from participants.adapters import PROTOCOLS
from participants.outbound import places
from tests import suites
from tests.migrated import migrated_file
from tests.stored_rows import built_once

# Until all tests are collected, nothing becomes garbage (`pytest_collection_finish`).
gc.disable()

# How long an example takes says nothing on a busy machine.
hypothesis_settings.register_profile("patient", hypothesis_settings.default, deadline=None)
hypothesis_settings.load_profile("patient")

# Each test has places of its own at its bots, as its bots are its own.
places.lock_file = None

# Plans are drawn with it, and every clone would make one of its own: a test that passes here passes there.
settings.SECRET_KEY = os.environ["HUACE_SECRET_KEY"] = "the key of tests, the same on every machine, of no installation"

# A form's token is drawn by chance; in small letters alone it never holds a system's alias, which pages must not show.
csrf.CSRF_ALLOWED_CHARS = string.ascii_lowercase

# Files of the site, apart from those of a developer.
VAR_DIR = settings.VAR_DIR = Path(tempfile.mkdtemp(prefix="huace-tests-"))
atexit.register(shutil.rmtree, VAR_DIR, ignore_errors=True)

# Figures that papers printed, with their sources.
PUBLISHED = Path(__file__).resolve().parents[1] / "examples" / "published"
REFERENCE = Path(__file__).resolve().parents[2] / "shared" / "reference"

SELF_SCORED = '[reviewing]\nby = "self"\n'
SMALL_CAMPAIGN = """
[campaign]
slug = "small"
name = {zh = "小评测", en = "Small"}
preset = "smp2018"
free_choice = true
reply_deadline_s = 5
open_dialogues_per_tester = 1000

[reviewing]
by = "self"

[[bots]]
key = "a"
team = "Team Alpha"
url = "http://127.0.0.1:9/"

[[scenarios]]
key = "flight-then-hotel"
title = {zh = "机票和酒店", en = "Flight and hotel"}
opening = "帮我订一张从北京到上海的飞机票"
facts = {flight = {from = "北京", to = "上海"}, hotels = [{name = "云栖", price = 300}]}
subtasks = [{kind = "flight", turn_cap = 3}, {kind = "hotel", turn_cap = 2}]

[[people]]
username = "organizer"
roles = ["organizer"]
[[people]]
username = "tester"
roles = ["tester"]
[[people]]
username = "reviewer"
roles = ["reviewer"]
[[people]]
username = "participant"
roles = ["participant"]
team = "Team Alpha"
"""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--with-database", action="store_true", help="only tests that use the database, once each")
    parser.addoption(
        "--share", type=int, default=1, help="every Nth of the tests that the run would hold (make test-long SHARE=N)"
    )
    parser.addoption("--shuffle", type=int, help="the seed of a random order (make test-repeat)")


def pytest_report_header(config: pytest.Config) -> str | None:
    seed = config.getoption("--shuffle")
    return None if seed is None else f"order: --shuffle {seed}"


def shuffle(items: list[Any], seed: int | None) -> None:
    """Files in random order, and the tests of each: those of a file may share what is built once."""
    if seed is None:
        return
    chance, files = random.Random(seed), defaultdict(list)
    for item in items:
        files[item.path].append(item)
    in_order = sorted(files)
    chance.shuffle(in_order)
    for path in in_order:
        chance.shuffle(files[path])
    items[:] = [item for path in in_order for item in files[path]]


LEFT_OUT = {
    "server": "servers and browsers: make test-long",
    "long": "longer files, the matrix of routes and statements: make test-long",
    "chaos": "kills and standstills: make chaos",
    "lint": "code and templates as they are written: make lint",
}


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Says what the marks of this run leave out, and which programs the rest would miss."""
    left_out = [what for mark, what in LEFT_OUT.items() if f"not {mark}" in config.option.markexpr]
    if len(left_out) < len(LEFT_OUT):
        return
    programs = {"Chromium": ("chromium", "chromium-browser"), "Firefox": ("firefox-esr",), "Redis": ("redis-server",)}
    absent = [name for name, commands in programs.items() if not any(map(shutil.which, commands))]
    absent += [] if any(Path("/usr/lib/postgresql").glob("*/bin/initdb")) else ["PostgreSQL"]
    terminalreporter.section("left out")
    for line in [*left_out, "PostgreSQL as the database: make test-postgres"]:
        terminalreporter.line(line)
    if absent:
        terminalreporter.line(f"Not installed here, so that their tests would be skipped there: {', '.join(absent)}")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[Any]) -> Iterator[None]:
    """Marks what is long or static, before pytest chooses by marks, and takes a share of what it chose."""
    suites.mark(items)
    yield
    if config.getoption("--with-database"):
        # On another database there is nothing to see in tests that use none.
        n_seen: Counter[str] = Counter()
        keep(config, items, lambda item: _uses_database(item) and _is_first(item, n_seen))
    number, share = itertools.count(1), config.getoption("--share")
    keep(config, items, lambda _: next(number) % share == 0)
    shuffle(items, config.getoption("--shuffle"))


def keep(config: pytest.Config, items: list[Any], wanted: Callable[[Any], bool]) -> None:
    chosen = [(item, wanted(item)) for item in items]
    config.hook.pytest_deselected(items=[item for item, is_kept in chosen if not is_kept])
    items[:] = [item for item, is_kept in chosen if is_kept]


def pytest_collection_finish() -> None:
    """Modules and tests stay until the end: the collector would walk through all of them again and again."""
    gc.collect()
    gc.freeze()
    gc.enable()
    # A request leaves few cycles, and looking for them after every 700 objects took an eighth of a run.
    gc.set_threshold(200_000, 20, 100)


def _uses_database(item: Any) -> bool:
    return bool(item.get_closest_marker("django_db") or {"db", "transactional_db"} & set(item.fixturenames))


def _is_first(item: Any, n_seen: Counter[str]) -> bool:
    test = item.nodeid.partition("[")[0]
    n_seen[test] += 1
    # Parameters differ in the rule, seldom in statements. Texts with NUL are tried on every route: PostgreSQL alone refuses them.
    return n_seen[test] == 1 or "text_that_cannot_be_stored" in test


def reference(*parts: str) -> Path:
    """A file of the reference data, which only stands beside a developer's checkout."""
    path = REFERENCE.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"the reference data {'/'.join(parts)} is not here")
    return path


def published_rows(name: str) -> list[dict[str, str]]:
    """The rows of a table in `examples/published`, as it is printed."""
    with (PUBLISHED / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def spec_of(text: str) -> CampaignSpec:
    return read_campaign_file("campaign.toml", text.encode(), PROTOCOLS)


@pytest.fixture
def few_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Contests that are small enough to be worked out by hand say how sure they are, too."""
    monkeypatch.setattr(explanations, "FEWEST", 1)


@pytest.fixture(autouse=True)
def passwords_are_hashed_quickly(request: pytest.FixtureRequest) -> Iterator[None]:
    """Hashing is slow on purpose, a third of a second each time. A server of its own hashes as always, and so do its tests."""
    if any(request.node.get_closest_marker(mark) for mark in ("server", "e2e", "chaos", "real_bots")):
        yield
        return
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """A copy of a migrated file stands in its place already."""
    return connection.vendor == "sqlite"


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """On SQLite each process has a file of its own, so that two runs in one checkout do not meet."""
    if connection.vendor == "sqlite":
        connection.settings_dict["TEST"]["NAME"] = str(shutil.copy(migrated_file(), VAR_DIR / "test.sqlite3"))


@pytest.fixture(autouse=True, scope="session")
def the_trail_is_emptied_between_tests() -> None:
    """Tests with transactions of their own empty all tables, by DELETE or TRUNCATE, which the trail refuses."""
    operations: Any = type(connection.ops)
    flush, around = operations.sql_flush, guards_off if connection.vendor == "postgresql" else guard_off

    def flushed(self: Any, style: Any, tables: Any, **options: Any) -> list[str]:
        statements = flush(self, style, tables, **options)
        return around(statements) if "audit_trailline" in tables else statements

    operations.sql_flush = flushed


def guard_off(statements: list[str]) -> list[str]:
    """On SQLite no trigger can be switched off: they are made anew."""
    refuse = "BEGIN SELECT RAISE(ABORT, 'the trail never changes'); END"
    guards = {f"{table}_never_delete": table for table in ("audit_trailline", "audit_trailhead")}
    off = [f"DROP TRIGGER {name}" for name in guards]
    on = [f"CREATE TRIGGER {name} BEFORE DELETE ON {table} FOR EACH ROW {refuse}" for name, table in guards.items()]
    return [*off, *statements, *on]


def guards_off(statements: list[str]) -> list[str]:
    """Django flushes in one transaction: a flush that fails leaves the guards on."""
    switches = [(table, f"{table}_never_truncate") for table in ("audit_trailline", "audit_trailhead")]
    off = [f"ALTER TABLE {table} DISABLE TRIGGER {name};" for table, name in switches]
    return [*off, *statements, *(line.replace("DISABLE", "ENABLE") for line in off)]


@pytest.fixture(autouse=True, scope="session")
def nothing_is_written_after_migrations() -> None:
    """Django's own permissions, which nobody here uses, would be written anew after each test with transactions of its own."""
    post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")
    post_migrate.disconnect(create_contenttypes)


@pytest.fixture(autouse=True)
def nothing_stays_from_before() -> None:
    """The counted limits of the API, a thread's language and clocks, and bundles outlive a test's transaction."""
    for cache in caches.all(initialized_only=True):
        cache.clear()
    translation.deactivate()
    timezone.deactivate()
    shutil.rmtree(VAR_DIR / "bundles", ignore_errors=True)


@pytest.fixture(autouse=True)
def windows_of_limits_do_not_end_within_a_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests are counted in windows of five minutes by the clock; two requests of a test may stand on both sides of an end."""
    monkeypatch.setattr(rate_limits, "time", SimpleNamespace(time=lambda: 1000.0))


@pytest.fixture(autouse=True)
def seeds_are_the_same_in_every_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who meets which bot is drawn with a seed of chance; a test that passes today passes tomorrow."""
    monkeypatch.setattr(secrets, "randbits", random.Random(0).getrandbits)


@pytest.fixture
def campaign(db: None) -> Campaign:
    """The small campaign, which thousands of tests need."""
    built_once("small", lambda: load_campaign(spec=spec_of(SMALL_CAMPAIGN)))
    return Campaign.objects.get(slug="small")


def _person(username: str) -> Callable[[Campaign], Person]:
    @pytest.fixture(name=username)
    def person(campaign: Campaign) -> Person:
        return Person.objects.get(username=username)

    return person


tester, reviewer, participant, organizer = map(_person, ("tester", "reviewer", "participant", "organizer"))


@pytest.fixture
def outsider(db: None) -> Person:
    return Person.objects.create_user("outsider")


class Admitted:
    """An admission that holds until it is taken back."""

    def __init__(self, person: Person) -> None:
        self.person_id = person.pk
        self.holds = True

    def proof(self, assignment_id: int) -> bool:
        return self.holds


@pytest.fixture
def dialogue(campaign: Campaign, tester: Person) -> Dialogue:
    return open_chosen_dialogue(
        campaign=campaign,
        tester=tester,
        entry=campaign.entries.get(),
        scenario=campaign.scenarios.get(),
        at=timezone.now(),
    )


@pytest.fixture
def admission(tester: Person) -> Admitted:
    return Admitted(tester)
