"""An empty SQLite database with all migrations, made once for as long as no migration changes; every run has a copy."""

import atexit
import fcntl
import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "var" / "migrated"
# What decides the tables and triggers: migrations, the statements that they import, and the libraries.
READ = ("*/migrations/*.py", "audit/guards.py", "requirements.txt")


@cache
def migrated_file() -> Path:
    """This process's own copy: a run beside it, after another migration, takes the stored one away."""
    folder = Path(tempfile.mkdtemp(prefix="huace-migrated-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    FOLDER.mkdir(parents=True, exist_ok=True)
    stored = FOLDER / f"{_digest()}.sqlite3"
    with (FOLDER / "lock").open("w") as lock:
        # Two workers begin at the same moment; the second one waits for what the first one makes.
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not stored.exists():
            _make(stored)
        return Path(shutil.copy(stored, folder / "empty.sqlite3"))


def _make(path: Path) -> None:
    for older in [*FOLDER.glob("*.sqlite3"), *FOLDER.glob("*.unfinished*")]:
        older.unlink()
    # Named for this process: what a killed run left at work writes into no other's file.
    unfinished = FOLDER / f"{os.getpid()}.unfinished"
    environment = os.environ | {"DATABASE_URL": f"sqlite:///{unfinished}"}
    subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=environment, check=True)
    # Django's own permissions, which nobody here uses; tests that empty all tables lack them, too.
    with closing(sqlite3.connect(unfinished)) as database:
        database.executescript("DELETE FROM auth_permission; DELETE FROM django_content_type; VACUUM")
    unfinished.rename(path)


def _digest() -> str:
    digest = hashlib.sha256()
    for file in sorted(file for pattern in READ for file in ROOT.glob(pattern)):
        digest.update(str(file.relative_to(ROOT)).encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]
