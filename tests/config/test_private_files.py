"""Files of ours are closed to others; what is not ours, or no file, is left as it is."""

import os
import stat

from config.private_files import make_database_private, make_private


def mode_of(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_a_database_and_its_companions_are_closed_to_others(tmp_path):
    paths = [tmp_path / f"huace.sqlite3{ending}" for ending in ("", "-wal", "-shm", "-journal", "-turns")]
    for path in paths:
        path.touch()
        path.chmod(0o664)
    make_database_private(str(paths[0]))
    assert [mode_of(path) for path in paths] == [0o600] * 5


def test_what_is_stricter_already_stays_and_what_is_missing_is_not_made(tmp_path):
    read_only = tmp_path / "read-only"
    read_only.touch()
    read_only.chmod(0o400)
    make_private([str(read_only), str(tmp_path / "missing")])
    assert mode_of(read_only) == 0o400
    assert not (tmp_path / "missing").exists()


def test_files_of_another_user_and_folders_stay_as_they_are(tmp_path, monkeypatch):
    folder, file = tmp_path / "folder", tmp_path / "file"
    folder.mkdir()
    folder.chmod(0o755)
    make_private([str(folder)])
    assert mode_of(folder) == 0o755
    file.touch()
    file.chmod(0o644)
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    make_private([str(file)])
    assert mode_of(file) == 0o644


def test_a_database_in_memory_has_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    make_database_private(":memory:")
    assert list(tmp_path.iterdir()) == []
