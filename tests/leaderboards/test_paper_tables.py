"""A board as a paper prints it: LaTeX, Markdown, and the picture of ranks as a file."""

import shutil
import subprocess
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from django.utils.translation import override

from leaderboards.board import Key, Row, Words, ranked
from leaderboards.board_page import rank_picture
from leaderboards.paper_tables import latex, markdown, paper_table, ranks_svg

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


def test_the_picture_of_ranks_is_a_file_of_its_own():
    whole = replace(BOARD, rows=BOARD.rows[:2])
    drawn = ElementTree.fromstring(ranks_svg(rank_picture(whole), title="A & B"))
    assert drawn.attrib["width"] == "3.3in"
    texts = [one.text for one in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == ["1", "2", "A & B", "Q"]


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX is installed")
def test_latex_sets_it(tmp_path):
    latin = replace(BOARD, rows=BOARD.rows[:2])
    document = "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n%s\\end{document}\n"
    (tmp_path / "paper.tex").write_text(document % latex(made(latin), label="tab:small-1"))
    command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "paper.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:]
