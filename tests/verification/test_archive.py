"""A zip that somebody made to do harm is refused in words, in bounded time and memory."""

import io
import json
import struct
import tracemalloc
import zipfile
from contextlib import suppress

import pytest

from tests.verification.tampering import files_of, zipped
from verification import archive
from verification.findings import Unreadable
from verification.verifying import verify


@pytest.fixture
def verified(tmp_path):
    def report(content):
        path = tmp_path / "b.zip"
        path.write_bytes(content)
        return verify(path)

    return report


def refused(verified, content):
    with pytest.raises(Unreadable) as bad:
        verified(content)
    return str(bad.value)


@pytest.mark.parametrize("content", [b"", b"PK", b"no zip at all"])
def test_what_is_no_zip_is_refused_in_words(verified, content):
    assert "b.zip is no zip, or it is cut off" in refused(verified, content)


def test_an_empty_zip_has_none_of_the_files(verified):
    report = verified(b"PK\x05\x06" + bytes(18))
    assert "manifest.json: is missing" in map(str, report.findings)


def test_a_file_that_does_not_exist_is_refused_in_words(tmp_path):
    with pytest.raises(Unreadable, match=r"nowhere\.zip cannot be read: No such file"):
        verify(tmp_path / "nowhere.zip")
    with pytest.raises(Unreadable, match="cannot be read: Is a directory"):
        verify(tmp_path)


def test_a_bundle_cut_off_anywhere_is_refused(verified, bundle):
    for length in (len(bundle) - 1, len(bundle) - 30, len(bundle) // 2, 100):
        assert "cut off" in refused(verified, bundle[:length])


def test_flipped_bytes_are_refused_or_named_unless_they_change_no_file(verified, bundle):
    for at in range(40, len(bundle), len(bundle) // 60):
        broken = bytearray(bundle)
        broken[at] ^= 0xFF
        with suppress(Unreadable):
            assert not verified(bytes(broken)).is_verified or files_of(bytes(broken)) == files_of(bundle)


def test_a_bomb_is_refused_before_it_is_unpacked(verified, files):
    content = zipped(files | {"turns.jsonl": bytes(64 << 20)})
    tracemalloc.start()
    assert "turns.jsonl would unpack to 67,108,864 bytes" in refused(verified, content)
    assert tracemalloc.get_traced_memory()[1] < 8 << 20
    tracemalloc.stop()


def test_a_size_that_lies_unpacks_no_more_than_it_says(verified, files):
    content = bytearray(zipped(files | {"turns.jsonl": bytes(64 << 20)}))
    # The size in the central directory, which is what is believed.
    entry = content.rindex(b"turns.jsonl") - 46
    struct.pack_into("<I", content, entry + 24, 1000)
    assert refused(verified, bytes(content)).startswith("turns.jsonl cannot be read")


def test_a_line_without_end_is_refused(verified, files, monkeypatch):
    monkeypatch.setattr(archive, "LINE_LIMIT_BYTES", 3 << 20)
    line = "".join(f"{n:x}" for n in range(1_000_000)).encode()
    assert "turns.jsonl has a line of more than 3 MiB" in refused(verified, zipped(files | {"turns.jsonl": line}))


def test_a_document_that_is_too_large_is_refused(verified, files, monkeypatch):
    monkeypatch.setattr(archive, "DOCUMENT_LIMIT_BYTES", 1000)
    assert refused(verified, zipped(files)).endswith(".json is larger than 0 MiB.")


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", "turns.jsonl/../x", "C:\\x", "\x1b[31mred\n"])
def test_names_that_lead_elsewhere_are_named_and_never_opened(verified, files, name, tmp_path):
    before = sorted(tmp_path.rglob("*"))
    found = [str(one) for one in verified(zipped(files | {name: b"x"})).findings]
    (one,) = [one for one in found if "does not belong" in one]
    assert "\x1b" not in one
    assert "\n" not in one
    assert sorted(tmp_path.rglob("*")) == sorted([*before, tmp_path / "b.zip"])


def test_a_name_twice_is_named(verified, files):
    out = io.BytesIO(zipped(files))
    with zipfile.ZipFile(out, "a") as again, pytest.warns(UserWarning, match="Duplicate"):
        again.writestr("turns.jsonl", files["turns.jsonl"])
    assert "turns.jsonl: is in the zip 2 times" in map(str, verified(out.getvalue()).findings)


def test_another_packing_and_encryption_are_refused(verified, files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_LZMA) as packed:
        for name, content in files.items():
            packed.writestr(name, content)
    assert "is packed in a way that bundles do not use" in refused(verified, out.getvalue())
    content = bytearray(zipped(files))
    struct.pack_into("<H", content, content.rindex(b"turns.jsonl") - 46 + 8, 1)
    assert refused(verified, bytes(content)) == "turns.jsonl is encrypted."


@pytest.mark.parametrize(
    "content",
    [
        b"[" * 100_000,
        b'{"a": NaN}',
        b"9" * 10_000,
        b"\xff\xfe",
        b"null",
        b"[]",
        b'{"format": []}',
        b"{}",
        b'{"files": 3}',
    ],
)
def test_nonsense_in_any_document_is_named(verified, files, content):
    for name in (
        "manifest.json",
        "campaign.json",
        "leaderboard.json",
        "records.jsonl",
        "turns.jsonl",
        "entries.jsonl",
        "imported.jsonl",
    ):
        report = verified(zipped(files | {name: content}))
        assert any(one.file in (name, "manifest.json", "leaderboard.json") for one in report.findings), name


def test_a_value_of_any_kind_in_any_column_is_named(verified, files):
    for name in (name for name in files if name.endswith(".jsonl")):
        (first, *rest) = files[name].decode().splitlines() or [""]
        for column in json.loads(first or "{}"):
            for value in (None, {}, [], "x", -1, 1e308, True):
                row = json.loads(first) | {column: value}
                changed = "\n".join([json.dumps(row, ensure_ascii=False), *rest, ""]).encode()
                report = verified(zipped(files | {name: changed}))
                assert report.is_verified == (changed == files[name]), (name, column, value)


def test_another_format_is_named(verified, files):
    manifest = json.loads(files["manifest.json"]) | {"format": "huace-bundle/9"}
    (found,) = verified(zipped(files | {"manifest.json": json.dumps(manifest).encode()})).findings
    assert (
        str(found)
        == "manifest.json: is of the format huace-bundle/9; this program knows huace-bundle/4 and huace-bundle/3"
    )


def test_files_of_a_bundle_are_read_by_their_names(bundle):
    assert list(files_of(bundle))[-1] == "manifest.json"
