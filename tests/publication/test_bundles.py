"""Bundles lie on the disk under their digest, whole or not at all."""

import hashlib
import stat

import pytest
from django.utils import timezone

from publication import bundles as module
from publication.bundles import BYTES_AT_ONCE, discard_bundle, path_of, pieces_of, store_bundle

CONTENT = b"PK" + b"x" * BYTES_AT_ONCE


def writes(content, error=None):
    def write_bundle(campaign, *, hides_teams, to, at, statistics_of, combined, report_progress):
        to.write(content)
        if error is not None:
            raise error

    return write_bundle


def test_a_bundle_lies_under_its_digest_and_is_read_in_pieces(bundles, monkeypatch):
    monkeypatch.setattr(module, "write_bundle", writes(CONTENT))
    stored = store_bundle(None, hides_teams=True, at=timezone.now())
    assert stored.digest == hashlib.sha256(CONTENT).hexdigest()
    assert stored.n_bytes == len(CONTENT)
    assert [path.name for path in bundles.iterdir()] == [f"{stored.digest}.zip"]
    assert list(map(len, pieces_of(stored.digest))) == [BYTES_AT_ONCE, 2]
    discard_bundle(stored.digest)
    discard_bundle(stored.digest)
    assert not path_of(stored.digest).exists()


def test_half_a_bundle_is_left_nowhere(bundles, monkeypatch):
    monkeypatch.setattr(module, "write_bundle", writes(CONTENT, OSError(28, "No space left on device")))
    with pytest.raises(OSError, match="No space"):
        store_bundle(None, hides_teams=True, at=timezone.now())
    assert list(bundles.iterdir()) == []


def test_a_bundle_is_for_the_server_alone_to_read(bundles, monkeypatch):
    monkeypatch.setattr(module, "write_bundle", writes(CONTENT))
    stored = store_bundle(None, hides_teams=False, at=timezone.now())
    assert stat.S_IMODE(path_of(stored.digest).stat().st_mode) == 0o600
