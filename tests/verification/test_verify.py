"""The command that readers run: exit codes, sentences, JSON, and no Django anywhere."""

import hashlib
import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from django.core.management import call_command

from tests.verification.conftest import bundle
from tests.verification.tampering import changed_row, files_of, zipped
from verification import verify
from verification.program import program, program_digest

__all__ = ["bundle"]
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def good(bundle, tmp_path):
    path = tmp_path / "good.zip"
    path.write_bytes(bundle)
    return path


@pytest.fixture
def bad(bundle, tmp_path):
    path = tmp_path / "bad.zip"
    path.write_bytes(zipped(changed_row(files_of(bundle), "records.jsonl", lambda row: row.update(ratings={}))))
    return path


def told(path, **options):
    out = io.StringIO()
    code = verify.run(path, **({"digest": "", "format": "text", "out": out} | options))
    return code, out.getvalue()


def test_the_program_runs_with_nothing_but_python(good, bad):
    """As one file, without an environment, site-packages or a checkout."""
    path = good.parent / "huace-verify.pyz"
    path.write_bytes(program())
    for checked, code in ((good, 0), (bad, 1)):
        done = subprocess.run(
            [sys.executable, "-I", "-S", path, checked], capture_output=True, text=True, env={}, cwd="/"
        )
        assert (done.returncode, done.stderr) == (code, "")
        assert done.stdout == told(checked)[1]


def test_the_program_is_the_same_bytes_each_time_and_holds_rules_alone():
    first, named = program(), program_digest()
    program.cache_clear()
    program_digest.cache_clear()
    assert (program(), program_digest()) == (first, named)
    names = zipfile.ZipFile(io.BytesIO(first)).namelist()
    assert {"__main__.py", "verification/verify.py", "measures/tukey.py"} <= set(names)
    assert not [name for name in names if name.endswith(("models.py", "apps.py", "program.py"))]


def test_make_verifier_writes_it_and_prints_its_digest(tmp_path):
    command = [
        sys.executable,
        "-I",
        "-S",
        "-c",
        f"import sys, runpy; sys.path.insert(0, {str(ROOT)!r}); runpy.run_module('verification.program', run_name='__main__')",
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout == f"{program_digest()}  huace-verify.pyz\n"
    assert (tmp_path / "huace-verify.pyz").read_bytes() == program()


def test_a_good_bundle_says_what_was_checked_and_its_digest(good):
    code, text = told(good)
    lines = text.splitlines()
    assert code == 0
    assert lines[0].startswith(
        "good.zip: results of example-smp2018, made 2026-05-01T08:00:00+00:00, format huace-bundle/4"
    )
    assert "  checked: 19 files have the names" in text
    assert "18 dialogues, 24 turns" in text
    assert "  checked: 18 assignments: every dialogue has its own\n" in text
    assert "  not checked: how the plan was drawn: the bundle tells no seed\n" in text
    assert "  not checked: intervals and tests: --statistics draws them again, with numpy and scipy\n" in text
    assert "  not checked: whether it is the published file: " in text
    assert "  not checked: fields that nothing else in the bundle gives, " in text
    assert "  checked: 4 fingerprints of bots fit their digests (" in text
    assert "VERIFIED: the leaderboard follows from the raw data." in lines
    assert f"SHA-256 of the bundle: {verify.verify(good).digest}" in lines


def test_a_bad_bundle_names_the_file_and_the_figure(bad):
    code, text = told(bad)
    assert code == 1
    assert "  differs: records.jsonl: its digest is " in text
    assert "  differs: records.jsonl, line 1: the record of person-" in text
    assert "NOT VERIFIED: " in text
    assert "\nVERIFIED" not in text


def test_the_published_digest_is_compared(good):
    digest = verify.verify(good).digest
    assert told(good, digest=f" {digest.upper()}\n")[0] == 0
    code, text = told(good, digest="0" * 64)
    assert code == 1
    assert f"The digest of the bundle is {digest}, not the published {'0' * 64}" in text
    assert "NOT VERIFIED: 1 difference." in text


def test_what_was_not_checked_is_told_to_programs_by_its_name(good):
    left = json.loads(told(good, format="json")[1])["not_checked"]
    assert list(left) == ["statistics", "plan", "imported", "digest", "fields"]
    assert left["imported"] == "what imported records were made of: they are as they came"
    digest = verify.verify(good).digest
    left = json.loads(told(good, format="json", digest=digest, draws=True)[1])["not_checked"]
    assert list(left) == ["statistics", "plan", "imported", "fields"]
    assert left["statistics"] == "intervals and tests: the bundle holds no statistics"


def canonical_json(path, **named):
    text = json.dumps({"campaign": "x", "number": 1, "bundle": named}, sort_keys=True, separators=(",", ":"))
    path.write_text(text)
    return hashlib.sha256(text.encode()).hexdigest()


def test_the_digest_of_the_json_is_recognized_where_it_lies_beside_the_bundle(good, tmp_path):
    published = canonical_json(tmp_path / "x-1-leaderboard.json", sha256=verify.verify(good).digest)
    code, text = told(good, digest=published)
    assert code == 0
    assert (
        "The published digest is that of x-1-leaderboard.json, which names this very bundle. Cite the bundle's." in text
    )
    (tmp_path / "x-1-leaderboard.json").unlink()
    code, text = told(good, digest=published)
    assert code == 1
    assert (
        f"it is another file, or {published[:12]} is that of the leaderboard's JSON. Then put leaderboard.json beside the bundle"
        in text
    )


def test_the_json_of_another_bundle_does_not_make_this_one_the_published(good, tmp_path):
    published = canonical_json(tmp_path / "leaderboard.json", sha256="0" * 64)
    code, text = told(good, digest=published)
    assert code == 1
    assert f"which is that of leaderboard.json: this names the bundle {'0' * 64}, so it is another file." in text


def test_what_is_called_like_the_json_and_is_no_file_is_passed_over(good, tmp_path):
    (tmp_path / "a-leaderboard.json").mkdir()
    (tmp_path / "b-leaderboard.json").symlink_to(tmp_path / "gone")
    published = canonical_json(tmp_path / "leaderboard.json", sha256=verify.verify(good).digest)
    assert told(good, digest=published)[0] == 0


def test_the_head_of_the_platforms_trail_is_printed(good):
    manifest = json.loads(files_of(good.read_bytes())["manifest.json"])
    told_head = manifest["trail"]
    assert (
        f"The platform's trail had {told_head['n_lines']} lines then; its head is {told_head['head']} ("
        in told(good)[1]
    )
    assert json.loads(told(good, format="json")[1])["manifest"]["trail"] == told_head


def test_programs_get_json(good, bad, tmp_path):
    code, text = told(good, format="json")
    report = json.loads(text)
    assert (code, report["is_verified"], report["differences"], report["checked"]["turns.jsonl"]) == (0, True, [], 24)
    code, text = told(bad, format="json")
    report = json.loads(text)
    assert (code, report["is_verified"]) == (1, False)
    assert {one["file"] for one in report["differences"]} == {"records.jsonl"}
    assert report["n_differences"] == len(report["differences"])
    (tmp_path / "no.zip").write_bytes(b"no")
    code, text = told(tmp_path / "no.zip", format="json")
    assert (code, json.loads(text)["is_verified"]) == (1, False)
    assert json.loads(text)["problem"].startswith("no.zip is no zip")


def test_what_cannot_be_read_is_told_in_a_sentence(tmp_path):
    assert told(tmp_path / "b.zip") == (
        1,
        f"{tmp_path / 'b.zip'} cannot be read: No such file or directory.\nNot verified.\n",
    )


def test_manage_py_says_the_same(good, bad):
    out = io.StringIO()
    call_command("verify", str(good), stdout=out)
    assert out.getvalue() == told(good)[1]
    with pytest.raises(SystemExit) as ended:
        call_command("verify", str(bad), stdout=(out := io.StringIO()))
    assert ended.value.code == 1
    assert out.getvalue() == told(bad)[1]


def test_the_options_are_those_of_the_module(good, capsys):
    assert verify.main([str(good), "--digest", "f" * 64]) == 1
    assert "not the published" in capsys.readouterr().out
    assert verify.main([str(good), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["is_verified"]


def test_records_from_elsewhere_are_not_called_recomputed():
    counts = {"records.jsonl": 630, "imported.jsonl": 630}
    assert verify._records(counts) == ["630 records came from elsewhere, and are as they were imported"]
    assert verify._records(counts | {"imported.jsonl": 0}) == [
        "630 records were recomputed: byte for byte as in the bundle"
    ]
    assert len(verify._records(counts | {"imported.jsonl": 30})) == 2
