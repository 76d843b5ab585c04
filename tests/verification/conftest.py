import io
import json
from datetime import UTC, datetime

import pytest
from django.core.management import call_command

from publication.bundle import bundle_pieces
from tests.conftest import PUBLISHED
from tests.leaderboards.played import played
from tests.verification.tampering import files_of, with_new_hashes, zipped
from verification.verifying import verify

AT = datetime(2026, 5, 1, 8, tzinfo=UTC)
# To play the campaign takes seconds, so each process does it once.
_kept: dict[str, bytes] = {}


@pytest.fixture
def bundle(db, tmp_path) -> bytes:
    """The bundle of a played campaign with panels, disputes, changed scores, imported records and fingerprints."""
    if "played" not in _kept:
        campaign = played("smp2018")
        lines = (PUBLISHED / "smp2018" / "records.jsonl").read_text().splitlines()[:30]
        path = tmp_path / "records.jsonl"
        path.write_text("".join(f"{json.dumps(json.loads(line), ensure_ascii=False)}\n" for line in lines))
        call_command("import_records", str(path), "--campaign", campaign.slug, stderr=io.StringIO())
        for entry in campaign.entries.all():
            entry.fingerprints.create(
                taken_at=AT, protocol=entry.protocol, url=entry.url, answers=[["您好"] * 3], is_reference=True
            )
        out = io.BytesIO()
        out.writelines(bundle_pieces(campaign, hides_teams=False, at=AT))
        _kept["played"] = out.getvalue()
    return _kept["played"]


@pytest.fixture
def files(bundle):
    return files_of(bundle)


@pytest.fixture
def culprits(tmp_path):
    """What a verification of those files says; with new hashes where the tamperer made them."""

    def found(files, *, remade=False):
        path = tmp_path / "tampered.zip"
        path.write_bytes(zipped(with_new_hashes(files) if remade else files))
        return [str(one) for one in verify(path).findings]

    return found
