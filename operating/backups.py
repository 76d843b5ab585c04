"""Makes a backup while everything runs, and restores one into an empty installation of either database."""

import io
import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from django.apps import apps
from django.apps.registry import Apps
from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor

from accounts.models import Person
from audit.actions import record
from audit.guards import HEAD
from audit.models import TrailLine
from audit.trail_acts import RESTORED
from campaigns.models import Campaign
from dialogues.actions import recover_interrupted
from dialogues.models import Dialogue
from dialogues.pictures import FILE, content_of, files_of, is_whole
from leaderboards.computations import one_state_of_the_database
from operating.backup_file import (
    ABOUT,
    BUNDLES,
    FORMAT,
    SECRET_KEY,
    BadBackup,
    about,
    copy_in,
    copy_out,
    opened,
    sha256_of,
    written,
)
from operating.rows import Table, count_rows, empty, lines_of, load_rows, number_on, tables_of
from operating.trail_acts import BACKED_UP, BACKUP_FAILED
from publication.bundles import digest_stored, draft, stored_as
from publication.bundles import opened as opened_bundle
from publication.models import Snapshot
from serving.jobs import job
from serving.stored_files import StorageGone, keep, stored_files
from serving.versions import product_version

# What is done now, and which share of the whole is.
Report = Callable[[str, float], None]
ABANDONED_AFTER_S = 86400
_NAME = "huace-%Y%m%dT%H%M%SZ.zip"
_NAMES = "huace-????????T??????Z.zip"


@dataclass(frozen=True, slots=True)
class Made:
    path: Path
    n_rows: int
    n_bytes: int
    sha256: str
    # Bundles that snapshots name and that are missing or changed in the storage; pictures that are changed there.
    missing: tuple[str, ...]
    changed: tuple[str, ...]


def back_up(path: Path, *, at: datetime, passphrase: str = "", report: Report) -> Made:
    """Writes all rows of one moment, and the bundles and pictures that they name, into a new file; nobody waits for it.

    The key that seals secrets is in an encrypted backup alone. Errors: `OSError`; `BadBackup` for a database that is not up to date.
    """
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise BadBackup("The database is not up to date: run `manage.py migrate` first.")
    with job("backup"), written(path, passphrase) as archive:
        with one_state_of_the_database():
            counts = [(table, count_rows(table)) for table in tables_of(apps)]
            named, pictures = _bundles(), sorted(files_of(Dialogue.everything.all()))
            if (named or pictures) and (wrong := stored_files().refusal()):
                # Without its bucket each bundle would be called missing.
                raise StorageGone(f"the storage of bundles {wrong}")
            # One that changed on the disk would be restored as if it were whole.
            bundles = [one for one in named if _is_whole(one)]
            archive.writestr(ABOUT, json.dumps(_about(at, counts, bundles), indent=1))
            n_rows = _write_rows(archive, counts, report)
        for digest in bundles:
            copy_in(archive, f"{BUNDLES}{digest}.zip", opened_bundle(digest))
        changed = tuple(_write_pictures(archive, pictures))
        if passphrase:
            archive.writestr(SECRET_KEY, settings.SECRET_KEY)
    missing = tuple(sorted(set(named) - set(bundles)))
    made = Made(path, n_rows, path.stat().st_size, sha256_of(path), missing, changed)
    with transaction.atomic():
        details = {"rows": made.n_rows, "bytes": made.n_bytes, "sha256": made.sha256, "encrypted": bool(passphrase)}
        record(BACKED_UP, by=None, at=at, about=path.name, details=details)
    return made


def back_up_into(folder: Path, *, keep: int, at: datetime, passphrase: str = "", report: Report) -> Made:
    """The same under a name of the time; of such files the newest `keep` stay, once the new one is whole."""
    folder.mkdir(parents=True, exist_ok=True)
    made = back_up(folder / at.astimezone(UTC).strftime(_NAME), at=at, passphrase=passphrase, report=report)
    for old in sorted(set(folder.glob(_NAMES)) - {made.path}, reverse=True)[keep - 1 :]:
        old.unlink(missing_ok=True)
    for part in folder.glob(".huace-*.part"):
        # Of a backup that was killed; one that runs is younger.
        if part.stat().st_mtime < at.timestamp() - ABANDONED_AFTER_S:
            part.unlink(missing_ok=True)
    return made


def note_failure(where: Path, error: Exception, *, at: datetime) -> None:
    """Leaves a line in the trail, from which the operators are told; without a database there is nobody to tell."""
    with suppress(DatabaseError), transaction.atomic():
        record(BACKUP_FAILED, by=None, at=at, about=where.name, details={"error": type(error).__name__})


def _about(at: datetime, counts: list[tuple[Table, int]], bundles: list[str]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "product": {"name": "huace", "version": product_version()},
        "made_at": at.astimezone(UTC).isoformat(timespec="seconds"),
        "database": connection.vendor,
        "migrations": sorted(MigrationExecutor(connection).loader.graph.leaf_nodes()),
        "tables": {table.name: {"columns": table.columns, "rows": n_rows} for table, n_rows in counts},
        "bundles": bundles,
    }


def _bundles() -> list[str]:
    digests = (
        Snapshot.objects.exclude(bundle_digest="").order_by("bundle_digest").values_list("bundle_digest", flat=True)
    )
    return list(digests.distinct())


def _is_whole(digest: str) -> bool:
    """Errors: `StorageGone`: a backup without any bundle would pass for one."""
    try:
        return digest_stored(digest) == digest
    except FileNotFoundError:
        return False


def _write_pictures(archive: ZipFile, files: Iterable[str]) -> Iterator[str]:
    """Gives those that are left out: a changed one would keep the whole backup from being restored."""
    for file in files:
        # A line that only looks like a picture's names none.
        with suppress(FileNotFoundError):
            content = content_of(file)
            if is_whole(file, content):
                archive.writestr(file, content)
            else:
                yield file


def _write_rows(archive: ZipFile, counts: list[tuple[Table, int]], report: Report) -> int:
    n_all, n_written = max(1, sum(n_rows for _, n_rows in counts)), 0
    for table, _ in counts:
        with archive.open(_rows_of(table), "w", force_zip64=True) as member:
            for line in lines_of(table):
                member.write(line.encode() + b"\n")
                n_written += 1
                if n_written % 1000 == 0:
                    report(table.name, n_written / n_all)
    return n_written


def _rows_of(table: Table) -> str:
    return f"rows/{table.name}.jsonl"


@dataclass(frozen=True, slots=True)
class Restored:
    n_rows: int
    # The secret key of the backup, where it was stored; this process still has another.
    key: str = field(repr=False)


def restore(path: Path, *, at: datetime, passphrase: str = "", report: Report) -> Restored:
    """Loads the backup into an empty installation. The whole file is read and every row loaded, or nothing changes.

    An older backup is loaded as the version that made it stored it, and then migrated. Turns that were in flight are
    settled as interrupted. Errors: `BadBackup`, `OSError`.
    """
    with opened(path, passphrase) as archive:
        said = about(archive)
        told = MigrationExecutor(connection)
        targets = [(app, name) for app, name in said["migrations"]]
        _refuse_unless_empty(told, targets)
        told.migrate([*targets, *_unknown_to(told, targets)])
        former = told.loader.project_state(targets).apps
        with transaction.atomic():
            n_rows = _load(archive, said, former, report)
            for digest in said["bundles"]:
                with draft() as file:
                    copy_out(archive, f"{BUNDLES}{digest}.zip", file, digest)
                    stored_as(digest, file)
            _store_pictures(archive)
        key = archive.read(SECRET_KEY).decode() if SECRET_KEY in archive.namelist() else ""
    try:
        key = _stored_key(key)
        call_command("migrate", verbosity=0)
        with transaction.atomic():
            recover_interrupted(at=at, is_lost=lambda turn: True)
            record(RESTORED, by=None, at=at, about=path.name, details={"made_at": said["made_at"], "rows": n_rows})
    except (OSError, DatabaseError) as failed:
        sentence = f"All rows are restored, and then this failed: {failed}. Run `manage.py migrate`, then `check_data`."
        raise BadBackup(sentence) from failed
    return Restored(n_rows, key)


def _refuse_unless_empty(executor: MigrationExecutor, targets: list[tuple[str, str]]) -> None:
    newer = [f"{app}.{name}" for app, name in targets if (app, name) not in executor.loader.graph.nodes]
    if newer:
        raise BadBackup(f"A newer Huace made this backup (it knows {newer[0]}): restore it with that version.")
    applied = executor.loader.applied_migrations
    wanted = {key for target in targets for key in executor.loader.graph.forwards_plan(target)}
    if not set(applied) <= wanted:
        raise BadBackup("The database is of a newer version than the backup: restore into one without tables.")
    tables = set(connection.introspection.table_names())
    for model, what in (Person, "people"), (Campaign, "campaigns"), (TrailLine, "lines of the audit trail"):
        if model._meta.db_table in tables and model._default_manager.exists():
            raise BadBackup(
                f"The database holds {what} already: restore into an empty one"
                " (another DATABASE_URL, or SQLite's files moved away)."
            )


def _unknown_to(executor: MigrationExecutor, targets: list[tuple[str, str]]) -> list[tuple[str, None]]:
    """Apps that the version of the backup did not have, as what is not migrated."""
    known = {app for app, _ in targets}
    return [(app, None) for app in executor.loader.migrated_apps - known]


def _load(archive: ZipFile, said: dict[str, Any], former: Apps, report: Report) -> int:
    tables = tables_of(former)
    # The trail's head is only stored behind the lines that it counts.
    tables.sort(key=lambda table: table.name == HEAD)
    stored = {name: tuple(one["columns"]) for name, one in said["tables"].items()}
    if stored != {table.name: table.columns for table in tables}:
        raise BadBackup("The backup's tables are not those of its migrations: it was made by a changed Huace.")
    n_all, n_loaded = max(1, sum(told["rows"] for told in said["tables"].values())), 0
    for table in tables:
        empty(table)
    for table in tables:
        report(table.name, n_loaded / n_all)
        with archive.open(_rows_of(table)) as lines:
            n_rows = load_rows(table, _lines(lines))
        if n_rows != said["tables"][table.name]["rows"]:
            raise BadBackup(f"{table.name} has {n_rows} rows, and the backup says otherwise. Take another one.")
        n_loaded += n_rows
    number_on(former.get_models(include_auto_created=True))
    connection.check_constraints()
    return n_loaded


def _lines(file: Any) -> Iterator[bytes]:
    # The member reads byte by byte otherwise.
    return io.BufferedReader(file, 1 << 20)


def _store_pictures(archive: ZipFile) -> None:
    for name in filter(FILE.fullmatch, archive.namelist()):
        content = archive.read(name)
        if not is_whole(name, content):
            raise BadBackup(f"{name} in the backup is not what its name says. Take another one.")
        keep(name, content)


def _stored_key(key: str) -> str:
    """The key goes where the embedded size keeps its own; empty where there is none, or the environment names the one that counts."""
    if not key or os.environ.get("HUACE_SECRET_KEY"):
        return ""
    stored = Path(settings.VAR_DIR) / "secret_key"
    stored.touch(mode=0o600)
    stored.write_text(key)
    return key
