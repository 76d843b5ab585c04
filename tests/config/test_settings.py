"""What the settings do to the process: whatever it writes is for its own user only."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WRITE_AND_LOOK = """
import os, stat
from pathlib import Path
from django.db import connection, transaction
with transaction.atomic():
    connection.cursor().execute("CREATE TABLE t (x)")
for path in Path(os.environ["FOLDER"]).iterdir():
    print(path.name, oct(stat.S_IMODE(path.stat().st_mode)))
"""


@pytest.fixture
def usual_umask():
    before = os.umask(0o022)
    yield
    os.umask(before)


def test_the_database_and_its_companions_are_for_their_owner_only(tmp_path, usual_umask):
    environment = os.environ | {"DATABASE_URL": f"sqlite:///{tmp_path}/huace.sqlite3", "FOLDER": str(tmp_path)}
    command = [sys.executable, "manage.py", "shell", "-v0", "-c", WRITE_AND_LOOK]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    modes = dict(line.split() for line in done.stdout.splitlines())
    assert set(modes) >= {"huace.sqlite3", "huace.sqlite3-wal", "huace.sqlite3-shm"}
    assert set(modes.values()) == {"0o600"}


def test_an_older_database_is_closed_to_others_at_the_start(tmp_path, usual_umask):
    for ending in ("", "-wal", "-shm", "-turns"):
        (tmp_path / f"huace.sqlite3{ending}").touch(mode=0o644)
    (tmp_path / "huace.sqlite3-notes").touch(mode=0o644)
    environment = os.environ | {"DATABASE_URL": f"sqlite:///{tmp_path}/huace.sqlite3", "FOLDER": str(tmp_path)}
    command = [sys.executable, "manage.py", "shell", "-v0", "-c", WRITE_AND_LOOK]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    modes = dict(line.split() for line in done.stdout.splitlines())
    assert modes.pop("huace.sqlite3-notes") == "0o644"
    assert len(modes) == 4
    assert set(modes.values()) == {"0o600"}


PRINT_PROXY_HEADER = "from django.conf import settings; print(settings.SECURE_PROXY_SSL_HEADER)"


@pytest.mark.parametrize(("n_proxies", "header"), [("0", "None"), ("1", "('HTTP_X_FORWARDED_PROTO', 'https')")])
def test_only_a_site_behind_a_proxy_believes_that_a_request_came_by_https(tmp_path, n_proxies, header):
    environment = os.environ | {
        "DATABASE_URL": f"sqlite:///{tmp_path}/huace.sqlite3",
        "HUACE_HOSTS": "huace.example.org",
        "HUACE_PROXIES": n_proxies,
    }
    command = [sys.executable, "manage.py", "shell", "-v0", "-c", PRINT_PROXY_HEADER]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == header


PRINT_ORIGINS = (
    "from django.conf import settings as s; print(s.ALLOWED_HOSTS, s.CSRF_TRUSTED_ORIGINS, s.SESSION_COOKIE_SECURE)"
)


@pytest.mark.parametrize(
    ("site", "printed"),
    [
        ("https://huace.example.org", "['127.0.0.1', 'huace.example.org'] ['https://huace.example.org'] True"),
        ("http://lab.example.org:8080", "['127.0.0.1', 'lab.example.org'] ['http://lab.example.org:8080'] False"),
        ("https://[2001:db8::1]:8443", "['127.0.0.1', '[2001:db8::1]'] ['https://[2001:db8::1]:8443'] True"),
        ("", "['127.0.0.1'] [] False"),
    ],
)
def test_the_configured_site_is_a_host_and_an_origin_of_its_own(tmp_path, site, printed):
    environment = os.environ | {
        "DATABASE_URL": f"sqlite:///{tmp_path}/huace.sqlite3",
        "HUACE_HOSTS": "127.0.0.1",
        "HUACE_SITE_URL": site,
    }
    command = [sys.executable, "manage.py", "shell", "-v0", "-c", PRINT_ORIGINS]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == printed


PRINT_INSTALLATION = """
from django.conf import settings
print(settings.INSTALLATION, settings.CACHES["default"]["KEY_PREFIX"], settings.CHANNEL_LAYERS["default"]["CONFIG"]["prefix"])
"""


def installation_of(**changed):
    environment = os.environ | {
        "HUACE_SECRET_KEY": "a" * 50, "DATABASE_URL": "postgres://one.example.org/huace",
        "REDIS_URL": "redis://127.0.0.1:1/0",
    } | changed  # fmt: skip
    command = [sys.executable, "-c", f"import django; django.setup(){PRINT_INSTALLATION}"]
    environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    (name,) = set(done.stdout.split())
    return name


def test_installations_that_share_a_redis_are_told_apart_by_database_and_secret_key():
    ours = installation_of()
    assert installation_of(DATABASE_URL="postgres://another.example.org/huace") == ours
    others = {installation_of(HUACE_SECRET_KEY="b" * 50), installation_of(DATABASE_URL="postgres://o.example.org/two")}
    assert len({ours, *others}) == 3
