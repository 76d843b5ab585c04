"""Each leaf of each file of two full bundles is changed, with hashes and manifest made again: what still verifies is what the page says."""

import zipfile
from pathlib import Path

import pytest

from tests.test_house import ROOT
from tests.verification import full_bundles
from tests.verification.mutations import Bundle, swept, tables_of
from tests.verification.tampering import rows_in
from verification.verifying import verify

pytestmark = pytest.mark.django_db
MAKERS = {"going on": full_bundles.going_on, "over": full_bundles.over}
# To play a campaign takes seconds, so each process does it once.
_kept: dict[str, bytes] = {}


def content_of(name):
    if name not in _kept:
        _kept[name] = MAKERS[name]()
    return _kept[name]


@pytest.fixture
def bundles(tmp_path):
    return {name: Bundle(content_of(name), tmp_path) for name in MAKERS}


def values_in(bundles, file, column):
    return {str(row[column]) for one in bundles.values() for row in rows_in(one.files[file])}


def test_the_bundles_hold_every_file_and_every_state(bundles):
    for one in bundles.values():
        assert one.verifies("README.md", one.files["README.md"])
    for file in bundles["going on"].parsed:
        assert any(one.parsed[file] for one in bundles.values()), file
    statuses = {"open", "completed", "unfinished", "void", "abandoned", "returned"}
    assert values_in(bundles, "dialogues.jsonl", "status") == statuses
    assert values_in(bundles, "turns.jsonl", "status") >= {"answered", "failed"}
    assert values_in(bundles, "attempts.jsonl", "outcome") == {"reply", "failure", "resent", "late"}
    assert values_in(bundles, "attempts.jsonl", "fault") == {"", "bot", "platform", "nobody", "tester"}
    assert values_in(bundles, "reviews.jsonl", "part") == {"self", "panel", "adjudication"}
    assert values_in(bundles, "changes.jsonl", "kind") == {"handed_in", "undone"}
    assert values_in(bundles, "assignments.jsonl", "made_by") >= {"hand", "later drawing", "plan"}
    assert {str(row["settled_by"]) for row in bundles["going on"].parsed["disputes.jsonl"]} > {"None"}
    assert bundles["over"].parsed["plan.json"][0]["plan"]["n_drawn"] == 4


def assert_the_page_lists(bundles, *, is_sampled):
    always, sometimes = tables_of([swept(one, is_sampled=is_sampled) for one in bundles.values()])
    page = (ROOT / "docs" / "results-bundle.md").read_text()
    assert always in page, f"docs/results-bundle.md should list\n{always}"
    assert sometimes in page, f"docs/results-bundle.md should list\n{sometimes}"


def test_what_only_the_digest_finds_is_what_the_page_lists(bundles):
    """Of what is the same field the first and the last place, and of states one place of each, with every other state."""
    assert_the_page_lists(bundles, is_sampled=True)


def test_a_check_that_is_left_out_is_seen(bundles, monkeypatch):
    monkeypatch.setattr("verification.talks.Talk.check", lambda *_: None)
    one, row = bundles["over"], 0
    latency = one.with_leaf("turns.jsonl", row, ("latency_ms",), 4711)
    assert one.verifies("turns.jsonl", latency)
    monkeypatch.undo()
    assert not one.verifies("turns.jsonl", latency)


def described(content):
    path = Path(content)
    return [str(one) for one in verify(path).findings]


@pytest.fixture
def stored(tmp_path):
    path = tmp_path / "b.zip"
    path.write_bytes(content_of("over"))
    return path


def test_bytes_before_and_behind_the_zip_and_comments_are_named(stored):
    content = stored.read_bytes()
    assert described(stored) == []
    stored.write_bytes(b"#!/bin/sh\n" + content)
    assert described(stored) == ["zip: has bytes before 'README.md' that belong to no file"]
    stored.write_bytes(content + b"x")
    assert described(stored) == ["zip: has bytes behind its directory"]
    stored.write_bytes(content)
    with zipfile.ZipFile(stored, "a") as archive:
        archive.comment = b"signed: me"
    assert described(stored) == ["zip: has a comment"]


def test_bytes_between_the_files_and_comments_on_them_are_named(stored):
    with zipfile.ZipFile(stored) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(stored, "w") as archive:
        for name, content in files.items():
            archive.fp.write(b"hidden" if name == "campaign.json" else b"")
            archive.start_dir = archive.fp.tell()
            archive.writestr(name, content)
        archive.getinfo("README.md").comment = b"hello"
    assert described(stored) == [
        "zip: has a comment on 'README.md'", "zip: has bytes before 'campaign.json' that belong to no file",
    ]  # fmt: skip


# Five minutes of a processor; `make test-long` walks over the sample above.
@pytest.mark.night
def test_what_only_the_digest_finds_is_what_the_page_lists_wherever_it_stands(bundles):
    assert_the_page_lists(bundles, is_sampled=False)
