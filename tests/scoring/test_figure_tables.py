"""A correlation as a flat row."""

import pytest

from measures.correlation import Coefficient, Correlations, OverSystems
from reading.checking import BadFile
from scoring.figure_tables import OWN_COLUMNS, BadTable, read_figure_tables, read_metrics, row_of

WIDE = "task,model,F1,BLEU\nchat,A,0.5,1e-3\nchat,B,,0.25\n"
LONG = "model,task,criterion,score\nA,chat,Info,1.2\nB,chat,Info,0\n"


def read(wide=WIDE, long=LONG, system="model"):
    return read_figure_tables(wide.encode(), long.encode(), system=system)


def test_rows_are_joined_on_the_columns_that_both_share():
    found = read()
    assert found.group_columns == ("task",)
    assert found.automatic == {(("chat",), "A"): {"F1": 0.5, "BLEU": 0.001}, (("chat",), "B"): {"BLEU": 0.25}}
    assert found.human == {(("chat",), "A"): {"Info": 1.2}, (("chat",), "B"): {"Info": 0.0}}
    assert found.unmatched == []


def test_several_scores_of_one_thing_are_their_mean_and_empty_ones_are_missing():
    long = "rater,model,criterion,score\nx,A,Info,1\ny,A,Info,2\nz,A,Info,\nx,A,Coh,0\n"
    assert read("model,F1\nA,1\n", long).human == {((), "A"): {"Info": 1.5, "Coh": 0.0}}


def test_what_only_one_file_has_is_told():
    found = read("model,F1\nA,1\nB,1\n", "model,criterion,score\nB,Info,1\nC,Info,1\n")
    assert found.unmatched == [((), "A"), ((), "C")]


def test_a_metric_named_score_is_no_key():
    found = read("model,score\nA,0.5\n", "model,criterion,score\nA,Info,1\n")
    assert found.automatic == {((), "A"): {"score": 0.5}}


def test_byte_order_mark_spaces_quotes_and_blank_lines_are_no_matter():
    assert read('\ufeff model ,F1\n"A", 1 \n\n', "model,criterion,score\nA,Info,1\n").automatic == {
        ((), "A"): {"F1": 1.0}
    }


def test_another_column_may_name_the_system():
    found = read("model,skill,F1\nA,chat,1\n", "model,skill,criterion,score\nA,chat,Info,1\n", system="skill")
    assert found.automatic == {(("A",), "chat"): {"F1": 1.0}}


@pytest.mark.parametrize(
    ("wide", "long", "which", "said"),
    [
        ("name,F1\nA,1\n", LONG, "automatic", "line 1: has no column “model”"),
        (WIDE, "model,score\nA,1\n", "human", "line 1: has no column “criterion”"),
        (WIDE, "", "human", "line 1: has no column “model”"),
        ("task,model\nchat,A\n", LONG, "automatic", "line 1: has no column beside the keys that both files share"),
        (WIDE, LONG + "A,chat,Info,good\n", "human", "line 4, score: must be a number, not “good”"),
        (WIDE, LONG + "A,chat,,1\n", "human", "line 4, criterion: is missing"),
        (WIDE, LONG + ",chat,Info,1\n", "human", "line 4, model: is missing"),
        (WIDE + "chat,C,nan,1\n", LONG, "automatic", "line 4, F1: must be a number, not “nan”"),
        (WIDE + "chat,C,1e999,1\n", LONG, "automatic", "line 4, F1: must be a number, not “1e999”"),
        (WIDE + "chat,C,٣,1\n", LONG, "automatic", "line 4, F1: must be a number, not “٣”"),
        (WIDE + "chat,A,1,1\n", LONG, "automatic", "line 4: has the same keys as an earlier line"),
        (WIDE + "chat,C,1\n", LONG, "automatic", "line 4: has 3 cells, not 4"),
        ("model,F1,F1\nA,1,1\n", LONG, "automatic", "line 1: has column “F1” twice"),
        ('model,F1\n"A"x,1\n', LONG, "automatic", "line 2: is not CSV"),
    ],
)
def test_a_table_that_cannot_be_used_says_which_and_where(wide, long, which, said):
    with pytest.raises(BadTable) as bad:
        read(wide, long)
    assert bad.value.which == which
    assert said in str(bad.value)


def test_bytes_that_are_no_text_are_named():
    with pytest.raises(BadTable, match="byte 6: is not UTF-8"):
        read_figure_tables(b"model,\xff", LONG.encode(), system="model")


def metrics(text: str):
    return read_metrics(text.encode(), systems=("system", "model"), group="skill")


def test_metrics_alone_are_read_by_skill_and_system():
    assert metrics("system,F1,BLEU\nA,0.5,\nB,1,2\n") == {("", "A"): {"F1": 0.5}, ("", "B"): {"F1": 1, "BLEU": 2}}
    assert metrics("skill,model,F1\nchat,A,1\npersona,A,2\n") == {("chat", "A"): {"F1": 1}, ("persona", "A"): {"F1": 2}}
    assert metrics("model,system,F1\n1,A,3\n") == {("", "A"): {"model": 1, "F1": 3}}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("name,F1\nA,1\n", "line 1: has no column “system”"),
        ("system\nA\n", "line 1: has no column beside the keys"),
        ("system,F1\nA,good\n", "line 2, F1: must be a number"),
        ("system,F1\nA,1\nA,2\n", "line 3: has the same keys as an earlier line"),
        ("system,F1\n,1\n", "line 2, system: is missing"),
        ("system,F1,\nA,1,2\n", "line 1: holds a name that is empty"),
        ("system,F\x001\nA,1\n", "line 1: holds a name"),
        (f"system,F1\n{'A' * 201},1\n", "line 2: holds a name"),
        (f"system,{','.join(f'm{n}' for n in range(61))}\n", "line 1: has 61 metrics, more than 60"),
    ],
)
def test_metrics_that_cannot_be_used_are_named_line_by_line(text, problem):
    with pytest.raises(BadFile, match=problem):
        metrics(text)


def test_a_row_names_its_group_and_what_is_undefined_is_none():
    said = Correlations(3, Coefficient(0.5, None, 0.25), Coefficient(0.75, (0.5, 1.0), 0.125), None)
    row = row_of(OverSystems(("Lic", "chat"), "F1", "Info", said), ["competition", "task"])
    assert row == {
        "competition": "Lic", "task": "chat", "metric": "F1", "criterion": "Info", "n": 3,
        "pearson": 0.5, "spearman": 0.75, "kendall": None,
        "pearson_interval": None, "spearman_interval": [0.5, 1.0], "kendall_interval": None,
        "pearson_p": 0.25, "spearman_p": 0.125, "kendall_p": None,
    }  # fmt: skip
    assert list(row) == ["competition", "task", *OWN_COLUMNS]
