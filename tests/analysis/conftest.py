"""Bundles that were written by real campaigns, as files."""

from pathlib import Path

import pytest

from tests.verification.tampering import files_of, zipped

# A played campaign with panels and disputes (tests/verification/test_verifying.py).
PLAYED = Path(__file__).parents[1] / "verification" / "format_3.zip"


@pytest.fixture(scope="session")
def files():
    """The files of a bundle by their names."""
    return files_of(PLAYED.read_bytes())


@pytest.fixture
def bundle_of(tmp_path):
    """A zip of those files."""

    def made(files):
        path = tmp_path / "changed.zip"
        path.write_bytes(zipped(files))
        return path

    return made
