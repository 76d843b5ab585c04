"""A board as a paper prints it: LaTeX, Markdown and CSV."""

import shutil
import subprocess
from dataclasses import replace

import pytest
from django.utils.translation import override

from leaderboards.board import Key, Row, Words, ranked
from leaderboards.paper.paper_tables import csv_text, latex, markdown, paper_table

C = Key("c", Words("完成率", "Completion"), "higher", 3, "C")
T = Key("t", Words("轮数", "Turns"), "lower", 2, "T")
ROWS = [
    Row("a", "bot_a", {"c": 0.5, "t": 4.0}, team="A & B", n=20, intervals={"c": (0.25, 0.75)}, rank_interval=(1, 2)),
    Row("b", "b|b", {"c": 0.25, "t": 3.0}, team="Q", n=20, rank_interval=(1, 2)),
    Row("e", "c", {"c": 0.125}, team="丙队", n=4),
]
BOARD = ranked(keys=(C, T), rule=(C,), rows=ROWS)


def made(board=BOARD):
    with override("en"):
        return paper_table(board, caption="50% of it_all")


def test_the_table_in_latex_has_the_best_in_bold_and_intervals_below():
    text = latex(made(), label="tab:small-1")
    assert r"\caption{50\% of it\_all}" in text
    assert r"\begin{tabular}{rllrrr}" in text
    assert r"    Rank & Team & System & C $\uparrow$ & T $\downarrow$ & n \\" in text
    assert r"    1 & A \& B & bot\_a & \textbf{0.500} & 4.00 & 20 \\" in text
    assert r"     &  &  & {\footnotesize [0.250, 0.750]} &  &  \\" in text
    assert r"    2 & Q & b\textbar{}b & 0.250 & \textbf{3.00} & 20 \\" in text
    assert r"    3 & 丙队 & c & 0.125 & -- & 4 \\" in text


def test_the_table_in_markdown_cannot_be_broken_by_a_name():
    lines = markdown(made()).splitlines()
    assert lines[0] == r"50% of it\_all"
    assert lines[3] == "| --: | --- | --- | --: | --: | --: |"
    assert lines[4] == r"| 1 | A & B | bot\_a | **0.500** \[0.250, 0.750\] | 4.00 | 20 |"
    assert lines[5] == r"| 2 | Q | b\|b | 0.250 | **3.00** | 20 |"


def test_aliases_and_teams_that_are_their_systems_have_one_column():
    aliases = replace(BOARD, rows=tuple(replace(row, team="") for row in BOARD.rows))
    assert made(aliases).heads[:2] == ("Rank", "System")
    same = replace(BOARD, rows=tuple(replace(row, team=row.name) for row in BOARD.rows))
    assert made(same).heads[:3] == ("Rank", "Team", "C ↑")


def test_a_csv_has_plain_numbers_and_intervals_beside_them():
    lines = csv_text(made()).removeprefix("\ufeff").splitlines()
    assert lines[0] == "Rank,Team,System,C ↑,C ↑ 95%,T ↓,n"
    assert lines[1] == '1,A & B,bot_a,0.5,"0.250, 0.750",4.0,20'
    assert lines[3] == "3,丙队,c,0.125,,–,4"


def test_where_a_table_comes_from_stands_beside_it():
    assert latex(made(), label="tab:x", source="Cited\nas this").startswith("% Cited as this\n\\begin{table}")
    assert markdown(made(), source="a_b").endswith("\n\na\\_b\n")


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX is installed")
def test_latex_sets_it(tmp_path):
    latin = replace(BOARD, rows=BOARD.rows[:2])
    document = "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n%s\\end{document}\n"
    (tmp_path / "paper.tex").write_text(document % latex(made(latin), label="tab:small-1"))
    command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "paper.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:]
