import json

import pytest

from reading.checking import BadFile
from scoring.task_types import TASK_TYPES

RESPONSES = TASK_TYPES["response-generation"]
OPTIONS = RESPONSES.default_options() | {"missing": "count"}


def lines(name: str, **texts: str) -> bytes:
    return "\n".join(json.dumps({"id": identity, name: text}) for identity, text in texts.items()).encode()


def scored(*, references: bytes, responses: bytes, **options: str):
    given = OPTIONS | options
    gold = RESPONSES.read_gold(references, given)
    return RESPONSES.score(gold, RESPONSES.read_run(responses, gold, given), given)


def test_f1_is_a_mean_over_items_and_a_missing_response_an_empty_one():
    """By hand: 1 for the same text, 0 for the missing one."""
    result = scored(references=lines("reference", a="我要订票", b="好的"), responses=lines("response", a="我要订票"))
    assert (result.figures["f1"], result.figures["rouge_l"]) == (0.5, 0.5)
    assert result.figures["dist1"] == 1.0
    assert result.sums[:, 0].tolist() == [1, 1]


def test_tokens_are_characters_or_words_and_the_result_says_which():
    """By hand: three of four characters are right (2 · 3/4 · 3/4 / (6/4)), no word is."""
    texts = {"references": lines("reference", a="abcd"), "responses": lines("response", a="abce")}
    by_character, by_word = scored(**texts), scored(**texts, tokenizer="whitespace")
    assert (by_character.figures["f1"], by_word.figures["f1"]) == (pytest.approx(0.75), 0.0)
    assert (by_character.notes, by_word.notes) == ({"tokenizer": "characters"}, {"tokenizer": "whitespace"})


def test_an_empty_reference_is_a_problem_and_an_empty_response_none():
    with pytest.raises(BadFile, match="line 1, reference"):
        RESPONSES.read_gold(lines("reference", a=""), OPTIONS)
    assert scored(references=lines("reference", a="好"), responses=lines("response", a="")).figures["f1"] == 0.0
