"""manage.py correlate: MSDE's files as they stand, and what it says of files it cannot use."""

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tests.conftest import PUBLISHED, published_rows

MSDE = PUBLISHED / "msde" / "automatic.csv", PUBLISHED / "msde" / "human.csv"


def correlate(*arguments, **streams) -> str:
    out = StringIO()
    call_command("correlate", *arguments, stdout=out, **streams)
    return out.getvalue()


@pytest.fixture
def files(tmp_path):
    automatic, human = tmp_path / "automatic.csv", tmp_path / "human.csv"
    automatic.write_text("model,F1,flat\nA,1,3\nB,2,3\nC,3,3\nD,4,3\nE,5,3\nF,6,3\n")
    human.write_text("model,criterion,score\nA,Info,2\nB,Info,1\nC,Info,4\nD,Info,3\nE,Info,5\nG,Info,5\n")
    return automatic, human


def test_the_files_of_msde_give_its_tables_11_to_13():
    out = correlate(*MSDE, "--format", "json")
    found = {tuple(row[key] for key in ("competition", "task", "metric", "criterion")): row for row in json.loads(out)}
    wanted = published_rows("msde/correlations.csv")
    assert len(wanted) == 2 * len(found) == 608
    for row in wanted:
        ours = found[row["competition"], row["task"], row["metric"], row["criterion"]]
        assert ours["n"] == 14
        name = row["coefficient"]
        assert ours[name] == pytest.approx(float(row["recomputed"]), abs=1e-9), row
        if row["agrees"] == "yes":
            assert ours[name] == pytest.approx(float(row["published"]), abs=0.01 + 1e-9), row
        low, high = ours[f"{name}_interval"]
        assert low < ours[name] < high
        assert 0 <= ours[f"{name}_p"] <= 1
        assert -1 <= ours["kendall"] <= 1


def test_json_holds_flat_rows_with_intervals_and_p_and_null_where_undefined(files):
    said = StringIO()
    one, flat = json.loads(correlate(*files, "--format", "json", stderr=said))
    assert list(one)[:6] == ["metric", "criterion", "n", "pearson", "spearman", "kendall"]
    assert (one["metric"], one["criterion"], one["n"]) == ("F1", "Info", 5)
    assert (one["pearson"], one["kendall"]) == (pytest.approx(0.8), pytest.approx(0.6))
    assert one["pearson_interval"] == pytest.approx([-0.2797, 0.9862], abs=0.0001)
    assert one["kendall_p"] == pytest.approx(28 / 120)
    undefined = {f"{name}{part}" for name in ("pearson", "spearman", "kendall") for part in ("", "_interval", "_p")}
    assert flat == {"metric": "flat", "criterion": "Info", "n": 5} | dict.fromkeys(undefined)
    assert "F is in one of the files only" in said.getvalue()
    assert "G is in one of the files only" in said.getvalue()


def test_text_is_a_table_with_intervals(files):
    lines = correlate(*files, stderr=StringIO()).splitlines()
    assert lines[0].split() == ["metric", "criterion", "n", "pearson", "spearman", "kendall"]
    assert "0.80 [−0.28, 0.99] p = 0.104" in lines[2]
    assert lines[3].split() == ["flat", "Info", "5", "–", "–", "–"]


def test_the_seed_changes_kendalls_interval_alone(files):
    rows = [json.loads(correlate(*files, "--format", "json", "--seed", seed, stderr=StringIO()))[0] for seed in "01"]
    assert {key for key in rows[0] if rows[0][key] != rows[1][key]} <= {"kendall_interval"}


def test_a_file_that_cannot_be_used_is_named_with_every_problem(files):
    automatic, human = files
    human.write_text("model,criterion,score\nA,Info,x\nB,Info,y\n")
    with pytest.raises(CommandError) as refused:
        correlate(*files)
    assert str(human) in str(refused.value)
    assert "line 2, score" in str(refused.value)
    assert "line 3, score" in str(refused.value)
    with pytest.raises(CommandError, match="cannot be read"):
        correlate(automatic, human.parent / "missing.csv")
    with pytest.raises(CommandError, match="--seed must be 0 or more"):
        correlate(*files, "--seed", "-1")


def test_files_about_other_systems_are_refused(files):
    files[1].write_text("model,criterion,score\nX,Info,1\n")
    with pytest.raises(CommandError, match="No system has both"):
        correlate(*files, stderr=StringIO())


def test_a_key_called_like_a_column_of_the_result_is_refused_before_it_is_lost(files):
    for path, line in ((files[0], "model,n,F1\nA,1,2\n"), (files[1], "model,n,criterion,score\nA,1,Info,2\n")):
        path.write_text(line)
    with pytest.raises(CommandError, match="Rename the key column n "):
        correlate(*files)
