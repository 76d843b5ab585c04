"""The panel's scores beside the rubric, worked out by hand."""

from reviews.review_page import PanelMark, RowPoint, RubricRow, judged_rows, labels_of

SCALE = [RowPoint(str(score), score, str(score), "", column) for column, score in enumerate((1, 0, -1), start=1)]
ROW = RubricRow("Sa", "Satisfaction", SCALE, 3, rating="satisfaction")
VERDICT = RubricRow("C", "1 Flight", SCALE[:2], 3, verdict=1)
CONTENTS = [
    {"ratings": {"satisfaction": 1, "nugget@1.bot": "HNUG"}, "verdicts": {"1": True}},
    {"ratings": {"satisfaction": -1}, "verdicts": {"1": True}},
    {"ratings": {"satisfaction": 1, "nugget@1.bot": "HNaN"}, "verdicts": {}},
]


def test_each_mark_stands_in_the_column_of_its_value():
    verdict, row = judged_rows([VERDICT, ROW], CONTENTS, ["satisfaction"])
    assert verdict.marks == [PanelMark(1, [1, 2], "1")]
    assert row.marks == [PanelMark(1, [1, 3], "1"), PanelMark(3, [2], "-1")]
    assert (verdict.is_disputed, row.is_disputed) == (False, True)


def test_a_dispute_marks_the_row_of_its_part_alone():
    first, second = (RubricRow("Sa", "Satisfaction", SCALE, 3, rating=f"satisfaction#{n}") for n in (1, 2))
    judged = judged_rows([VERDICT, first, second], [], ["satisfaction#1"])
    assert [row.is_disputed for row in judged] == [False, True, False]


def test_labels_name_who_gave_them():
    assert labels_of(CONTENTS, ["nugget@1.bot", "nugget@2.bot"]) == {
        "nugget@1.bot": [(1, "HNUG"), (3, "HNaN")],
        "nugget@2.bot": [],
    }
