"""What the benchmark of backups says of its parts, and of an installation in which nothing can be restored."""

import pytest

from bench.backup import Done, Part, added_by_backups, manage
from bench.servers import ROOT


def part(added_ms, *, is_quiet=True):
    return Part([1 + added_ms / 1000] * 20, None if is_quiet else Done(1.0, 100.0, 0))


def test_a_backup_is_compared_with_the_quiet_parts_around_it():
    parts = [part(10), part(50, is_quiet=False), part(30), part(25, is_quiet=False), part(20)]
    assert added_by_backups(parts) == pytest.approx([30, 0])


def test_a_part_without_a_turn_is_beyond_every_limit():
    (added,) = added_by_backups([part(10), Part([], Done(1.0, 100.0, 0)), part(10)])
    assert not added <= 60


def test_a_command_that_fails_is_told_with_its_memory(tmp_path, monkeypatch):
    (tmp_path / "manage.py").write_text("import sys; held = b'x' * (64 << 20); sys.exit('why')")
    monkeypatch.setattr("bench.servers.ROOT", tmp_path)
    done = manage({"PATH": str(ROOT)}, "backup")
    assert done.code == 1
    assert done.memory_mib >= 64
