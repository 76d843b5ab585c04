import pytest

from leaderboards.board import Board, Key, Words, formula

SUC, BLEU, TOTAL = (
    Key(name, Words(words, words), "higher", 3, letter)
    for name, words, letter in (("success", "Success", "Suc"), ("bleu", "BLEU", ""), ("total", "Combined", ""))
)
COLUMNS = [{"key": "success", "weight": 1.0}, {"key": "bleu", "weight": 0.02}]


@pytest.mark.parametrize(
    ("by", "of", "written"),
    [
        ("sum", ["success", "bleu"], "Combined = Suc + 0.02 × BLEU"),
        ("sum", ["bleu"], "Combined = 0.02 × BLEU"),
        ("mean", ["success", "bleu"], "Combined = (Suc + 0.02 × BLEU) / 1.02"),
    ],
)
def test_a_total_is_written_with_its_weights(by, of, written):
    board = Board(keys=(SUC, BLEU, TOTAL), rule=(TOTAL,), rows=(), unranked=())
    assert formula(board, COLUMNS, {"by": by, "of": of}) == written
