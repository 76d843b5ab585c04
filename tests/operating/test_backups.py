"""What a backup holds comes back whole in an empty installation of either database, or nothing does."""

import io
import json
import os
import subprocess
import sys
import zipfile
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from asgiref.sync import async_to_sync
from django.conf import settings as django_settings
from django.core.management import CommandError, call_command
from django.db import connection

from audit.models import TrailLine
from dialogues.models import Turn
from dialogues.pictures import file_of, keep_picture
from operating.backup_file import ABOUT, SECRET_KEY, BadBackup, about, copy_out, opened
from operating.backups import back_up, back_up_into, restore
from operating.data_checks import CHECKS
from participants.adapters.pictures import picture_in
from tests.dialogues.test_actions import Talk
from tests.live.databases import IS_POSTGRES, ROOT, URL
from tests.operating.test_data_checks import data
from tests.participants.test_pictures import PNG
from tests.world import waiting_run

__all__ = ["data"]

AT = datetime(2026, 11, 24, 12, tzinfo=UTC)
PHRASE = "correct horse battery staple"
# What the restored installation writes of itself; Django's names of models are stored after a migration, in tests never.
ITS_OWN = {
    f"rows/{table}.jsonl" for table in ("audit_trailhead", "audit_trailline", "auth_permission", "django_content_type")
}

pytestmark = pytest.mark.django_db


def say_nothing(what, share):
    pass


def manage(url, folder, *arguments, code=0, **settings):
    """A command in an installation of its own."""
    environment = os.environ | {"DATABASE_URL": url, "HUACE_SECRET_KEY": django_settings.SECRET_KEY} | settings
    script = "from django.conf import settings; from pathlib import Path; import sys, manage; "
    script += f"settings.VAR_DIR = Path({str(folder)!r}); sys.argv[1:] = {list(arguments)!r}; manage.main()"
    environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


def rows(path, passphrase=""):
    """Each table's rows by the name of its member; JSON columns as values, since PostgreSQL orders their keys anew."""
    with opened(path, passphrase) as archive:
        names = [name for name in archive.namelist() if name.startswith("rows/")]
        return {name: [values(line) for line in archive.read(name).splitlines()] for name in names}


def values(line):
    return [_parsed(one) if isinstance(one, str) else one for one in json.loads(line)]


def _parsed(text):
    try:
        return json.loads(text)
    except ValueError:
        return text


def members(bundle):
    """What a bundle says, beside when and after which line of the trail it was made."""
    with zipfile.ZipFile(bundle) as archive:
        return {name: archive.read(name) for name in archive.namelist() if name != "manifest.json"}


@pytest.fixture
def backup(data, campaign, tmp_path):
    waiting_run(campaign)
    # Its digest is made up.
    campaign.packages.filter(sha256="0" * 64).delete()
    return back_up(tmp_path / "huace.zip", at=AT, report=say_nothing).path


def test_everything_comes_back_in_another_database(backup, tmp_path):
    before, bundle = rows(backup), tmp_path / "bundle.zip"
    call_command("export", "small", what="bundle", out=bundle, stdout=StringIO())
    for number, url in enumerate(
        [f"sqlite:///{tmp_path}/restored.sqlite3", *([another_postgres()] if IS_POSTGRES else [])]
    ):
        folder, again, exported = tmp_path / str(number), tmp_path / f"{number}.zip", tmp_path / f"bundle-{number}.zip"
        folder.mkdir()
        told = manage(url, folder, "restore", str(backup))
        assert told.count("holds") == len(CHECKS)
        manage(url, folder, "export", "small", "--what", "bundle", "--out", str(exported))
        assert members(exported) == members(bundle)
        manage(url, folder, "backup", str(again))
        after = rows(again)
        assert [name for name in before if name not in ITS_OWN and after[name] != before[name]] == []
        trail = "rows/audit_trailline.jsonl"
        assert after[trail][: len(before[trail])] == before[trail]
        assert [
            line
            for line in after[trail][len(before[trail]) :]
            if "installation.restored" in line and backup.name in line
        ]
        backup, before = again, after


def test_a_turn_in_flight_comes_back_as_interrupted(dialogue, admission, tmp_path):
    Talk(dialogue, admission).send("k")
    Turn.objects.update(asked_at=AT - timedelta(days=1))
    path, url = tmp_path / "huace.zip", f"sqlite:///{tmp_path}/restored.sqlite3"
    back_up(path, at=AT, report=say_nothing)
    assert manage(url, tmp_path, "restore", str(path)).count("holds") == len(CHECKS)


def another_postgres():
    """An empty database of the same cluster."""
    import psycopg

    name = f"restored_{os.getpid()}"
    with psycopg.connect(URL, autocommit=True) as cluster:
        cluster.execute(f"DROP DATABASE IF EXISTS {name}")
        cluster.execute(f"CREATE DATABASE {name}")
    return URL.rsplit("/", 1)[0] + f"/{name}"


def test_nothing_is_restored_over_anything_or_from_half_a_file(backup, tmp_path):
    url, cut = f"sqlite:///{tmp_path}/restored.sqlite3", tmp_path / "cut.zip"
    cut.write_bytes(backup.read_bytes()[: backup.stat().st_size // 2])
    assert "it was cut off or changed" in manage(url, tmp_path, "restore", str(cut), code=1)
    with zipfile.ZipFile(backup) as archive:
        largest = max(archive.infolist(), key=lambda member: member.compress_size)
    changed = bytearray(backup.read_bytes())
    changed[largest.header_offset + largest.compress_size // 2] ^= 1
    cut.write_bytes(changed)
    assert "Take another one." in manage(url, tmp_path, "restore", str(cut), code=1)
    with pytest.raises(CommandError, match="The database holds people already"):
        call_command("restore", str(backup), stderr=StringIO())


def rewritten(backup, to, **changed):
    """The same archive, with other words of itself."""
    with zipfile.ZipFile(backup) as former, zipfile.ZipFile(to, "w") as made:
        for name in former.namelist():
            content = former.read(name)
            made.writestr(name, json.dumps(json.loads(content) | changed) if name == ABOUT else content)
    return to


def test_a_backup_names_no_file_outside(backup, tmp_path):
    forged = rewritten(backup, tmp_path / "forged.zip", bundles=["../up"])
    with pytest.raises(BadBackup, match="no backup of the format"), opened(forged, "") as archive:
        about(archive)


def test_a_bundle_that_changed_is_neither_backed_up_nor_restored(backup, tmp_path, data):
    bundle = next((tmp_path / "bundles").iterdir())
    with opened(backup, "") as archive, pytest.raises(BadBackup, match="not what its digest says"):
        copy_out(archive, f"bundles/{bundle.name}", io.BytesIO(), "0" * 64)
    bundle.write_bytes(b"y")
    made = back_up(tmp_path / "again.zip", at=AT, report=say_nothing)
    assert made.missing == (bundle.stem,)


def test_an_installation_that_only_has_a_trail_is_not_empty(db, tmp_path):
    made = back_up(tmp_path / "empty.zip", at=AT, report=say_nothing)
    with pytest.raises(BadBackup, match="lines of the audit trail already"):
        restore(made.path, at=AT, report=say_nothing)


def test_an_encrypted_backup_opens_with_its_passphrase_alone(data, tmp_path):
    path = tmp_path / "sealed.zip"
    back_up(path, at=AT, passphrase=PHRASE, report=say_nothing)
    assert path.stat().st_mode & 0o077 == 0
    assert zipfile.ZipFile(path).namelist() == ["key.age", "backup.zip.age"]
    with opened(path, PHRASE) as archive:
        assert archive.read(SECRET_KEY).decode() == django_settings.SECRET_KEY
    for passphrase, said in ("", "is encrypted"), ("wrong", "does not open"):
        with pytest.raises(BadBackup, match=said), opened(path, passphrase):
            pass
    whole = path.read_bytes()
    inside = whole.index(b"backup.zip.age") + len(whole) // 3
    path.write_bytes(whole[:inside] + bytes([whole[inside] ^ 1]) + whole[inside + 1 :])
    with pytest.raises(BadBackup, match="changed"), opened(path, PHRASE):
        pass


def test_a_restored_key_opens_what_it_sealed_before_the_restore_ends(data, tmp_path):
    path, phrase, there = tmp_path / "sealed.zip", tmp_path / "phrase", tmp_path / "there"
    back_up(path, at=AT, passphrase=PHRASE, report=say_nothing)
    phrase.write_text(PHRASE)
    there.mkdir()
    own = {"HUACE_SECRET_KEY": "", "HUACE_HOME": str(there)}
    said = "restore", str(path), "--passphrase-file", str(phrase)
    told = manage(f"sqlite:///{there}/restored.sqlite3", there, *said, **own)
    assert told.count("holds") - told.count("it holds from the next start") == len(CHECKS)
    assert (there / "secret_key").read_text() == django_settings.SECRET_KEY


def test_a_picture_that_changed_is_named_and_keeps_no_backup_from_being_restored(
    dialogue, admission, settings, tmp_path
):
    settings.VAR_DIR = tmp_path
    whole, changed = picture_in(PNG), picture_in(PNG + b"\n")
    talk, there = Talk(dialogue, admission), tmp_path / "there"
    for picture in whole, changed:
        talk.answer(talk.send(picture.name).asked, text=picture.line)
        async_to_sync(keep_picture)(dialogue.pk, picture.name, PNG)
    (wrong,) = CHECKS["digests"](AT)
    assert (wrong.where, wrong.sentence) == (
        f"picture {file_of(dialogue.pk, changed.name)}",
        "is changed in the storage",
    )
    out, err = StringIO(), StringIO()
    with pytest.raises(SystemExit):
        call_command("backup", str(tmp_path / "huace.zip"), "--format", "json", stdout=out, stderr=err)
    assert json.loads(out.getvalue())["changed_pictures"] == [file_of(dialogue.pk, changed.name)]
    there.mkdir()
    told = manage(f"sqlite:///{there}/restored.sqlite3", there, "restore", str(tmp_path / "huace.zip"))
    assert told.count("holds") == len(CHECKS)
    assert (there / file_of(dialogue.pk, whole.name)).read_bytes() == PNG
    assert not (there / file_of(dialogue.pk, changed.name)).exists()


def test_a_backup_that_fails_leaves_no_file(data, tmp_path, monkeypatch):
    def full(what, share):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("operating.backups._write_rows", lambda *arguments: full("", 0))
    for passphrase in "", PHRASE:
        with pytest.raises(OSError, match="No space"):
            back_up(tmp_path / "huace.zip", at=AT, passphrase=passphrase, report=say_nothing)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == []


def test_a_failed_backup_leaves_a_line_that_names_no_folder(data, tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    with pytest.raises(CommandError, match="No backup was made"):
        call_command("backup", "--into", str(tmp_path / "file"), stdout=StringIO(), stderr=StringIO())
    line = TrailLine.objects.latest_first().first()
    assert (line.act, line.about) == ("installation.backup_failed", "file")
    assert line.details == {"error": "FileExistsError"}


def test_a_timer_keeps_the_newest(data, tmp_path):
    folder = tmp_path / "kept"
    for day in range(4):
        back_up_into(folder, keep=2, at=AT + timedelta(days=day), report=say_nothing)
    (folder / "notes.txt").touch()
    names = sorted(path.name for path in folder.glob("*.zip"))
    assert names == ["huace-20261126T120000Z.zip", "huace-20261127T120000Z.zip"]


def test_a_backup_leaves_a_line_in_the_trail_and_says_what_it_lacks(data, tmp_path):
    bundle = next((tmp_path / "bundles").iterdir())
    bundle.unlink()
    out, err = StringIO(), StringIO()
    with pytest.raises(SystemExit):
        call_command("backup", str(tmp_path / "huace.zip"), "--format", "json", stdout=out, stderr=err)
    told = json.loads(out.getvalue())
    assert told["missing_bundles"] == [bundle.stem]
    line = TrailLine.objects.latest_first().first()
    assert (line.act, line.about) == ("installation.backed_up", "huace.zip")
    assert line.details == {"rows": told["rows"], "bytes": told["bytes"], "sha256": told["sha256"], "encrypted": False}
    with pytest.raises(CommandError, match="is there already"):
        call_command("backup", str(tmp_path / "huace.zip"))
    with opened(tmp_path / "huace.zip", "") as archive:
        assert about(archive)["database"] == connection.vendor
