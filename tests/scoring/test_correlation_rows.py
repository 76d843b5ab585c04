"""A correlation as a flat row."""

from measures.correlation import Coefficient, Correlations, OverSystems
from scoring.figure_tables import OWN_COLUMNS, row_of


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
