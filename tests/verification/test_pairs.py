"""The pairs of a bundle: recomputed from its votes; whatever is changed in them is found."""

import io
import json

import pytest

from publication.bundle import bundle_pieces
from tests.leaderboards.played import played
from tests.pairs.votes import AT, vote_on_all
from tests.verification.tampering import files_of, with_new_hashes, zipped
from verification.verifying import verify

_kept: dict[bool, bytes] = {}


@pytest.fixture(params=[False, True], ids=["teams", "aliases"])
def files(db, request):
    if request.param not in _kept:
        campaign = played("smp2018")
        vote_on_all(campaign)
        out = io.BytesIO()
        out.writelines(bundle_pieces(campaign, hides_teams=request.param, at=AT))
        _kept[request.param] = out.getvalue()
    return files_of(_kept[request.param])


def report(files, tmp_path, *, draws=False, remade=True):
    path = tmp_path / "bundle.zip"
    path.write_bytes(zipped(with_new_hashes(files) if remade else files))
    return verify(path, draws=draws)


def rows_of(files):
    return [json.loads(line) for line in files["pairs.jsonl"].splitlines()]


def with_rows(files, rows):
    return files | {"pairs.jsonl": "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in rows).encode()}


def test_a_bundle_with_pairs_is_verified_with_its_intervals(files, tmp_path):
    found = report(files, tmp_path, draws=True, remade=False)
    assert [str(one) for one in found.findings] == []
    assert found.manifest["format"].endswith("+pairs")
    assert found.counts["pairs.jsonl"] == len(rows_of(files)) > 10
    assert json.loads(files["pairs.json"])["systems"][0]["strength"] is not None


@pytest.mark.parametrize(
    ("figure", "value"),
    [
        ("verdict", "left"),
        ("left_characters", 1),
        ("left_dialogue", "none"),
        ("scenario", "nowhere"),
        ("origin", "imported"),
    ],
)
def test_a_changed_vote_is_found(files, tmp_path, figure, value):
    rows = rows_of(files)
    place = next(place for place, one in enumerate(rows) if one[figure] != value)
    rows[place][figure] = value
    assert report(with_rows(files, rows), tmp_path).findings


def test_a_vote_given_twice_or_left_out_is_found(files, tmp_path):
    rows = rows_of(files)
    assert report(with_rows(files, [*rows, rows[0]]), tmp_path).findings
    assert report(with_rows(files, rows[1:]), tmp_path).findings


@pytest.mark.parametrize("part", ["strength", "rank", "n_votes"])
def test_a_changed_figure_is_found(files, tmp_path, part):
    board = json.loads(files["pairs.json"])
    board["systems"][0][part] += 1
    changed = files | {"pairs.json": (json.dumps(board, ensure_ascii=False, indent=2) + "\n").encode()}
    assert any(part in str(one) for one in report(changed, tmp_path).findings)


def test_a_changed_interval_is_found_where_it_is_drawn_again(files, tmp_path):
    board = json.loads(files["pairs.json"])
    next(iter(board["uncertainty"]["strengths"].values()))[0] -= 0.01
    changed = files | {"pairs.json": (json.dumps(board, ensure_ascii=False, indent=2) + "\n").encode()}
    assert not report(changed, tmp_path).findings
    assert report(changed, tmp_path, draws=True).findings
