"""Each released version's database is read by this one, and none of its migrations was changed since."""

import json
import shutil
import subprocess
from zipfile import ZipFile

import pytest

from deploy import release
from tests.live.databases import ROOT

RELEASED = sorted(file.parent for file in (ROOT / release.STORED).glob(f"*/{release.BACKUP}"))


@pytest.mark.parametrize(
    "folder", RELEASED or [pytest.param(None, id="none yet", marks=pytest.mark.skip("nothing is released yet"))]
)
def test_a_released_version_s_database_is_read_and_holds(folder, tmp_path):
    release.reads_version(folder, tmp_path)


def test_no_released_migration_was_changed():
    assert release.changed_migrations() == []


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """What a release of this very version would store."""
    folder = tmp_path_factory.mktemp("stored") / "9.9.9"
    release.store_version(folder)
    return folder


def test_what_a_release_stores_is_read_again(stored, tmp_path):
    release.reads_version(stored, tmp_path)
    counting = "from dialogues.models import Dialogue; print(Dialogue.objects.count())"
    n_imported = len((ROOT / "demo/finished_dialogues.jsonl").read_text().splitlines())
    assert int(release.manage(tmp_path, "shell", "-v0", "-c", counting)) == n_imported > 0


def test_a_stored_version_that_was_damaged_is_told(stored, tmp_path):
    damaged = tmp_path / "damaged"
    shutil.copytree(stored, damaged)
    with ZipFile(damaged / release.BACKUP) as backup:
        turns = backup.getinfo("rows/dialogues_turn.jsonl")
    content = bytearray((damaged / release.BACKUP).read_bytes())
    content[turns.header_offset + turns.compress_size // 2] ^= 1
    (damaged / release.BACKUP).write_bytes(content)
    with pytest.raises(release.CannotRelease, match="restore"):
        release.reads_version(damaged, tmp_path / "home")


@pytest.fixture
def clone(tmp_path):
    """A project of two files in a repository of its own."""
    root = tmp_path / "clone"
    (root / "talks" / "migrations").mkdir(parents=True)
    (root / "talks" / "migrations" / "0001_initial.py").write_text("first = 1\n")
    (root / "pyproject.toml").write_text('[project]\nversion = "0.2.0"\n')
    (root / "CHANGELOG.md").write_text("# Changelog\n\n## 0.2.0\nNew.\n\n## 0.1.0\nThe first.\n")
    for words in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "all"]):
        subprocess.run(["git", *words], cwd=root, check=True)
    return root


def test_notes_are_those_of_the_version_and_must_be_there(clone):
    assert release.notes_of(release.version_of(clone), clone) == "New.\n"
    with pytest.raises(release.CannotRelease, match=r"## 0\.3\.0"):
        release.notes_of("0.3.0", clone)


def test_what_is_not_committed_is_not_released(clone):
    release.refuse_unclean(clone)
    (clone / "talks" / "new.py").write_text("")
    with pytest.raises(release.CannotRelease, match=r"talks/new\.py"):
        release.refuse_unclean(clone)


def test_migrations_are_added_to_and_never_changed_once_they_are_released(clone):
    folder = clone / release.STORED / "0.1.0"
    folder.mkdir(parents=True)
    (folder / release.MIGRATIONS).write_text(json.dumps(release.digests_of_migrations(clone)))
    (clone / "talks" / "migrations" / "0002_more.py").write_text("second = 2\n")
    assert release.changed_migrations(clone) == []
    (clone / "talks" / "migrations" / "0001_initial.py").write_text("first = 2\n")
    assert release.changed_migrations(clone) == ["talks/migrations/0001_initial.py"]
    (clone / "talks" / "migrations" / "0001_initial.py").unlink()
    assert release.changed_migrations(clone) == ["talks/migrations/0001_initial.py"]
