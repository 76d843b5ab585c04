"""Bundles in S3-compatible storage: two machines read the same ones, backups go to it and come back, and its absence is told.

The server is rclone, a whole implementation of the protocol that checks signatures and lengths.
"""

import hashlib
import os
import subprocess
import zipfile
from contextlib import contextmanager
from pathlib import Path

import pytest
import rclone_api
from django.conf import settings as django_settings
from django.utils import translation

from demo.sample_bots import free_port, wait_for_port
from operating import health
from operating.backups import back_up
from publication import bundles
from publication.bundles import digest_stored, discard_bundle, draft, is_intact, is_stored, pieces_of, stored_as
from publication.models import Snapshot
from serving.checks import storage_has_its_libraries, storage_is_there
from serving.models import ProcessBeat
from serving.s3_files import PIECE_BYTES, S3Files
from serving.stored_files import StorageGone, keep, stored_files
from tests.operating.test_backups import AT, manage, say_nothing
from tests.operating.test_data_checks import data

__all__ = ["data"]

pytestmark = [pytest.mark.django_db, pytest.mark.server]
KEY, SECRET = "huace", "a secret with / and +"
CONTENT = os.urandom(3 * PIECE_BYTES) + b"end"
DIGEST = hashlib.sha256(CONTENT).hexdigest()


@contextmanager
def server(folder, port, *options):
    (folder / "contest").mkdir(parents=True, exist_ok=True)
    program = Path(rclone_api.__file__).parent / "bin" / "rclone"
    command = [program, "serve", "s3", folder, "--addr", f"127.0.0.1:{port}", "--auth-key", f"{KEY},{SECRET}"]
    running = subprocess.Popen(
        [*command, "--vfs-cache-mode", "off", "--config", os.devnull, *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for_port(port, running, "rclone", limit_s=60)
        yield
    finally:
        running.terminate()
        running.wait()


@pytest.fixture
def port():
    return free_port()


@pytest.fixture
def stored_on(port):
    def options(**changed):
        return {
            "endpoint_url": f"http://127.0.0.1:{port}", "access_key": KEY, "secret_key": SECRET,
            "bucket_name": "contest", "location": "huace", "region_name": "us-east-1",
        } | changed  # fmt: skip

    def storages(**changed):
        return django_settings.STORAGES | {
            "default": {"BACKEND": "serving.s3_files.S3Files", "OPTIONS": options(**changed)}
        }

    return storages


def put(content=CONTENT, digest=DIGEST):
    with draft() as file:
        file.write(content)
        stored_as(digest, file)


def test_a_bundle_is_stored_read_and_told_changed_or_gone(settings, tmp_path, port, stored_on):
    settings.VAR_DIR, settings.STORAGES = tmp_path, stored_on()
    bundles._digest_at.cache_clear()
    with server(tmp_path / "s3", port):
        put()
        put()
        assert isinstance(stored_files(), S3Files)
        assert [path.name for path in tmp_path.iterdir()] == ["s3"], "a draft stayed behind"
        there = tmp_path / "s3" / "contest" / "huace" / "bundles" / f"{DIGEST}.zip"
        assert there.read_bytes() == CONTENT
        assert b"".join(pieces_of(DIGEST)) == CONTENT
        assert max(map(len, pieces_of(DIGEST))) <= PIECE_BYTES
        assert is_intact(DIGEST, len(CONTENT))
        there.write_bytes(b"y" * len(CONTENT))
        os.utime(there, (1, 1))
        assert not is_intact(DIGEST, len(CONTENT))
        keep("pictures/a/1.png", b"1")
        keep("pictures/ab/1.png", b"1")
        for _ in range(2):
            stored_files().remove_folder("pictures/a")
        assert [path.name for path in there.parent.parent.joinpath("pictures").iterdir()] == ["ab"]
        discard_bundle(DIGEST)
        discard_bundle(DIGEST)
        assert not is_stored(DIGEST)
        with pytest.raises(FileNotFoundError):
            pieces_of(DIGEST)
    assert stored_files().refusal() == "does not answer"
    assert is_intact(DIGEST, len(CONTENT)), "what cannot be looked at is not called changed"
    with pytest.raises(StorageGone):
        digest_stored(DIGEST)
    with pytest.raises(StorageGone):
        put()
    assert [path.name for path in tmp_path.iterdir()] == ["s3"], "a draft stayed behind"


def test_a_storage_that_is_away_is_asked_once_by_many_looks(settings, stored_on, monkeypatch):
    settings.STORAGES = stored_on()
    asked = []
    looking = stored_files()._looking
    monkeypatch.setattr(looking, "head_object", lambda head=looking.head_object, **of: asked.append(of) or head(**of))
    monkeypatch.setattr("serving.s3_files.SILENCE_KEPT_S", 600)
    assert all(is_intact(DIGEST, 1) for _ in range(5))
    with pytest.raises(StorageGone):
        pieces_of(DIGEST)
    assert len(asked) == 1


def test_a_download_that_finds_no_storage_spares_later_looks(settings, stored_on, monkeypatch):
    settings.STORAGES = stored_on()
    monkeypatch.setattr("serving.s3_files.SILENCE_KEPT_S", 600)
    with pytest.raises(StorageGone):
        pieces_of(DIGEST)
    asked = []
    monkeypatch.setattr(stored_files()._looking, "head_object", lambda **of: asked.append(of))
    assert is_intact(DIGEST, 1)
    assert asked == []


def test_what_ails_the_storage_is_told_in_the_readers_language(settings, stored_on):
    settings.STORAGES = stored_on()
    with translation.override("zh-hans"):
        assert health.storage() == "没有响应"


def test_a_site_whose_storage_is_away_or_refuses_is_not_ready(settings, client, tmp_path, port, stored_on, monkeypatch):
    monkeypatch.setattr(health, "KEPT_S", 0)

    def told():
        answer = client.get("/readyz")
        return answer.status_code, answer.json()["wrong"].get("storage")

    settings.STORAGES = stored_on()
    assert told() == (503, "does not answer")
    with server(tmp_path / "s3", port):
        assert told() == (200, None)
        settings.STORAGES = stored_on(secret_key="another")
        assert told() == (503, "refuses the key")
        settings.STORAGES = stored_on(bucket_name="nowhere")
        assert told() == (503, "has no such bucket")
    assert "another" not in str(told())


def test_a_backup_without_its_bucket_says_so_instead_of_calling_bundles_missing(
    data, settings, tmp_path, port, stored_on
):
    settings.STORAGES = stored_on(bucket_name="nowhere")
    with server(tmp_path / "s3", port), pytest.raises(StorageGone, match="has no such bucket"):
        back_up(tmp_path / "b.zip", at=AT, report=say_nothing)
    assert not (tmp_path / "b.zip").exists()


def test_drafts_of_killed_processes_are_removed_and_those_being_written_stay(settings, tmp_path):
    settings.VAR_DIR = tmp_path
    with draft() as first:
        Path(first.name).with_name("draft-killed.part").touch()
        os.utime(Path(first.name).with_name("draft-killed.part"), (1, 1))
        with draft():
            assert len(list((tmp_path / "bundles").iterdir())) == 2
    assert list((tmp_path / "bundles").iterdir()) == []


def test_a_board_stays_readable_while_its_bundle_cannot_be_reached(data, settings, client, organizer, stored_on):
    snapshot = Snapshot.objects.exclude(bundle_digest="").first()
    settings.STORAGES = stored_on()
    client.force_login(organizer)
    board = f"/campaigns/{snapshot.campaign.slug}/leaderboard/{snapshot.number}/"
    assert client.get(board).status_code == 200
    assert client.get(f"{board}bundle.zip").status_code == 503


def test_the_check_before_a_deployment_names_what_is_missing(settings, tmp_path, port, stored_on, monkeypatch):
    settings.VAR_DIR = tmp_path
    assert ids() == []
    other = ProcessBeat(name="other-1:1", place="other-1")
    monkeypatch.setattr("serving.checks.others_there", lambda: [other])
    (warning,) = storage_is_there()
    assert (warning.id, "other serves them" in warning.msg) == ("huace.W010", True)
    settings.STORAGES = stored_on()
    assert ids() == ["huace.E011"]
    with server(tmp_path / "s3", port):
        assert ids() == []
        assert [path.name for path in (tmp_path / "s3" / "contest").rglob("*") if path.is_file()] == []
    with server(tmp_path / "s3", port, "--read-only"):
        assert ids() == ["huace.E012"]
    assert not list(tmp_path.rglob("*.part"))
    settings.STORAGES = settings.STORAGES | {"default": {"BACKEND": "no_such_library.S3Files"}}
    assert [one.id for one in storage_has_its_libraries()] == ["huace.E010"]


def ids():
    return [one.id for one in storage_is_there()]


def s3_url(port):
    return f"s3+http://{KEY}:a%20secret%20with%20%2F%20and%20%2B@127.0.0.1:{port}/contest/huace"


def test_a_backup_goes_from_the_disk_to_s3_and_back_with_equal_bytes(data, tmp_path, port, monkeypatch):
    bundle = next((tmp_path / "bundles").iterdir())
    content = bundle.read_bytes()
    first = back_up(tmp_path / "disk.zip", at=AT, report=say_nothing).path
    second, there, back = tmp_path / "s3.zip", tmp_path / "there", tmp_path / "back"
    there.mkdir(), back.mkdir()
    with server(tmp_path / "s3", port):
        monkeypatch.setenv("HUACE_STORAGE_URL", s3_url(port))
        url = f"sqlite:///{there}/huace.sqlite3"
        assert "digests: holds" in manage(url, there, "restore", str(first))
        assert not (there / "bundles").exists()
        object_there = tmp_path / "s3" / "contest" / "huace" / "bundles" / bundle.name
        assert object_there.read_bytes() == content
        manage(url, there, "backup", str(second))
        object_there.write_bytes(b"z" * len(content))
        assert "is changed in the storage" in manage(url, there, "check_data", code=1)
    assert "No backup was made" in manage(url, there, "backup", str(tmp_path / "none.zip"), code=1)
    assert not (tmp_path / "none.zip").exists()
    monkeypatch.delenv("HUACE_STORAGE_URL")
    assert "digests: holds" in manage(f"sqlite:///{back}/huace.sqlite3", back, "restore", str(second))
    assert (back / "bundles" / bundle.name).read_bytes() == content
    with zipfile.ZipFile(second) as archive:
        assert archive.read(f"bundles/{bundle.name}") == content
