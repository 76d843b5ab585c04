"""Reading a bundle: what comes out, and what a hostile one is told."""

import json
import subprocess
import sys
import zipfile

import pandas as pd
import pytest

from analysis import Unreadable, frames
from analysis.columns import FRAMES
from analysis.figures import LARGEST_TABLE, agreement
from reviews import agreement as platform
from tests.analysis.conftest import PLAYED
from tests.verification.tampering import as_rows, rows_in


def test_each_row_of_the_bundle_is_a_row_of_its_frame(files):
    made = frames(PLAYED)
    for name in ("bots", "scenarios", "dialogues", "turns", "attempts", "ratings", "assignments", "records"):
        assert len(getattr(made, name)) == len(rows_in(files[FRAMES[name].file])) > 0, name
    assert len(made.subtasks) == sum(len(row["subtasks"]) for row in rows_in(files["dialogues.jsonl"]))


def test_columns_have_the_types_of_the_codebook():
    turns = frames(PLAYED).turns
    assert isinstance(turns["bot"].dtype, pd.CategoricalDtype)
    assert list(turns["status"].cat.categories) == ["waiting", "answered", "failed"]
    assert str(turns["asked_at"].dtype) == "datetime64[us, UTC]"
    assert (str(turns["latency_ms"].dtype), str(turns["text"].dtype)) == ("Int64", "str")


def test_a_folder_is_read_as_the_zip_is(tmp_path, files):
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "notes.txt").write_text("mine")
    made, zipped = frames(tmp_path).tables(), frames(PLAYED).tables()
    for name, frame in zipped.items():
        pd.testing.assert_frame_equal(made[name], frame)


def test_a_folder_without_a_bundle_is_refused(tmp_path):
    with pytest.raises(Unreadable, match="holds no bundle"):
        frames(tmp_path)


def test_what_the_bundle_unpacks_to_is_counted_before_it_is_read(tmp_path, files):
    with pytest.raises(Unreadable, match="more than 1,000"):
        frames(PLAYED, most_bytes=1_000)
    (tmp_path / "manifest.json").write_bytes(files["manifest.json"])
    with pytest.raises(Unreadable, match="more than 1,000"):
        frames(tmp_path, most_bytes=1_000)


def test_a_bomb_is_refused_by_what_its_directory_says(tmp_path, files):
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content if name != "turns.jsonl" else b" " * (64 << 20))
    with pytest.raises(Unreadable, match=r"turns\.jsonl would unpack to 67,108,864 bytes"):
        frames(path)


@pytest.mark.parametrize(
    ("file", "change", "told"),
    [
        ("ratings.jsonl", {"score": "2"}, "score cannot be 2"),
        ("ratings.jsonl", {"score": 1.5}, "score cannot be 1.5"),
        ("ratings.jsonl", {"score": True}, "score cannot be True"),
        ("ratings.jsonl", {"score": 10**30}, "score cannot be 10000"),
        ("ratings.jsonl", {"score": None}, "score cannot be None"),
        ("ratings.jsonl", {"bot": "nobody's"}, "bot cannot be nobody's"),
        ("ratings.jsonl", {"part": "own"}, "part cannot be own"),
        ("turns.jsonl", {"text": {"a": []}}, "text cannot be {'a'"),
        ("turns.jsonl", {"text": "\ud800"}, "text cannot be "),
        ("turns.jsonl", {"reply": [1]}, "reply cannot be"),
        ("turns.jsonl", {"asked_at": "yesterday"}, "asked_at cannot be yesterday"),
        ("turns.jsonl", {"asked_at": "99999-01-01T00:00:00+00:00"}, "asked_at cannot be"),
        ("dialogues.jsonl", {"subtasks": [{}]}, "does not fit"),
        ("assignments.jsonl", {"dialogues": 3}, "does not fit"),
        ("scenarios.jsonl", {"title": None}, "does not fit"),
        ("records.jsonl", {"dialogue": "another"}, "does not fit"),
        ("records.jsonl", {"subtasks": [{"completed": True, "turns": "x", "cap": 1}]}, "does not fit"),
        ("records.jsonl", {"subtasks": [{"completed": True, "turns": 10**30, "cap": 1}]}, "charged_turns cannot be"),
        ("records.jsonl", {"reviewer": 7}, "reviewer cannot be 7"),
    ],
)
def test_a_value_that_its_column_cannot_have_is_told_with_its_line(files, bundle_of, file, change, told):
    first, *others = rows_in(files[file])
    # Escaped, since half of a character has no bytes.
    changed = json.dumps(first | change).encode() + b"\n" + as_rows(others)
    with pytest.raises(Unreadable, match=rf"^{file}, line 1: .*{told}"):
        frames(bundle_of(files | {file: changed}))


def test_a_line_that_is_no_row_and_a_row_that_comes_twice_are_told(files, bundle_of):
    broken = files | {"turns.jsonl": files["turns.jsonl"] + b"[]\n"}
    with pytest.raises(Unreadable, match=r"turns\.jsonl, line \d+: does not have the columns"):
        frames(bundle_of(broken))
    first, *_ = rows = rows_in(files["ratings.jsonl"])
    with pytest.raises(Unreadable, match=r"ratings\.jsonl has the row .* twice"):
        frames(bundle_of(files | {"ratings.jsonl": as_rows([*rows, first])}))


@pytest.mark.parametrize(
    "campaign", [b"[]", b"{}", b'{"rubric": {"criteria": [{}]}}', b'{"a": 1, "a": 2}', b"[" * 100_000]
)
def test_rules_that_are_none_are_told(files, bundle_of, campaign):
    with pytest.raises(Unreadable, match=r"campaign\.json"):
        frames(bundle_of(files | {"campaign.json": campaign}))


def test_scales_are_as_few_as_rubrics_have_and_no_column_of_every_record(files, bundle_of):
    def with_scales(*keys):
        campaign = json.loads(files["campaign.json"])
        campaign["rubric"]["criteria"] = [{**campaign["rubric"]["criteria"][0], "key": key} for key in keys]
        return bundle_of(files | {"campaign.json": json.dumps(campaign).encode()})

    with pytest.raises(Unreadable, match="101 scales, more than 100"):
        frames(with_scales(*map(str, range(101))))
    with pytest.raises(Unreadable, match="the scale weight, which is a column"):
        frames(with_scales("weight"))


def test_a_criterion_with_too_many_reviewers_and_things_is_counted_alone(monkeypatch):
    assert LARGEST_TABLE == platform.LARGEST_TABLE
    made = frames(PLAYED)
    monkeypatch.setattr("analysis.figures.LARGEST_TABLE", 3)
    told = agreement(made)
    assert (told["n_ratings"] > 0).all()
    assert told[["n_shared", "alpha", "kappa", "raw"]].isna().all(axis=None)


def run(code, path):
    done = subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": str(path)}, capture_output=True, text=True)
    return done.stdout.strip() or done.stderr.strip().splitlines()[-1]


def test_the_wheel_has_it_by_its_own_name_and_no_settings_are_asked_for(tmp_path):
    (tmp_path / "huace").mkdir()
    (tmp_path / "huace" / "site").symlink_to(PLAYED.parents[2])
    code = f"from huace.site.analysis import board, frames; print(len(board(frames({str(PLAYED)!r}))))"
    assert run(code, tmp_path) == "4"


def test_without_pandas_the_extra_is_named():
    code = "import sys; sys.modules['pandas'] = None; from analysis import frames"
    told = "ImportError: This needs pandas, of the extra `analysis`: pip install 'huace[analysis]'."
    assert run(code, PLAYED.parents[2]) == told
