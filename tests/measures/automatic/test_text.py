import math

import numpy as np
import pytest

from measures.automatic import text
from measures.automatic.local_models import NoModel, bert_scores, bleurt_scores, sentence_similarities

ABCD, ABD = list("abcd"), list("abd")


def test_characters_leave_blanks_out():
    assert text.characters("你好 吗\n") == ["你", "好", "吗"]
    assert text.words("你好 吗") == ["你好", "吗"]
    assert text.jieba_words("我来到北京清华大学") == ["我", "来到", "北京", "清华大学"]


def test_token_f1_by_hand():
    assert text.token_f1(ABCD, ABD) == pytest.approx(6 / 7)
    assert text.token_f1(list("aab"), list("abb")) == pytest.approx(2 / 3)
    assert text.token_f1([], []) == 0


def test_bleu_by_hand():
    penalty = math.exp(1 - 4 / 3)
    assert text.bleu([ABCD], [ABD], 1) == pytest.approx(penalty)
    assert text.bleu([ABCD], [ABD], 2) == pytest.approx(penalty * math.sqrt(1 / 2))
    # A corpus: 3 + 1 of 3 + 2 unigrams match; 5 tokens against 6.
    assert text.bleu([ABCD, list("xy")], [ABD, list("xz")], 1) == pytest.approx(math.exp(1 - 6 / 5) * 4 / 5)


def test_bleu_clips_repeated_tokens():
    assert text.bleu([list("ab")], [list("aaaa")], 1) == pytest.approx(1 / 4)


def test_bleu_of_silence_is_zero():
    assert text.bleu([ABCD], [[]], 2) == 0


def test_chinese_punctuation_and_blanks_do_not_split_tokens_again():
    reference = text.characters("我爱北京，真的。")
    assert text.bleu([reference], [reference], 2) == pytest.approx(1)


def test_distinct_by_hand():
    assert text.distinct([list("aab"), list("ab")], 1) == pytest.approx(2 / 5)
    assert text.distinct([list("aab"), list("ab")], 2) == pytest.approx(2 / 3)
    assert text.distinct([[]], 2) == 0


def test_meteor_by_hand():
    assert text.meteor(ABCD, ABCD) == pytest.approx(1 - 0.5 / 4**3)
    # abd in abcd: three matches in two chunks; P 1, R 3/4.
    f_mean = 10 * 0.75 / (0.75 + 9)
    assert text.meteor(ABCD, ABD) == pytest.approx(f_mean * (1 - 0.5 * (2 / 3) ** 3))
    assert text.meteor(ABCD, list("xyz")) == 0
    assert text.meteor([], []) == 0


def test_meteor_takes_the_longer_run():
    # "ab" could begin with the first a, but goes on as "abc" from the second.
    assert text._runs(list("axabc"), list("abc")) == (3, 1)


def test_rouge_l_by_hand():
    precision, recall = 1.0, 3 / 4
    expected = (1 + 1.44) * recall * precision / (recall + 1.44 * precision)
    assert text.rouge_l(ABCD, ABD) == pytest.approx(expected)
    assert text.rouge_l(list("abcd"), list("dcba")) == pytest.approx(1 / 4)
    assert text.rouge_l([], []) == 0
    assert text.rouge_l(list("ab"), []) == 0
    # The classic pair: the longest common subsequence of abcabba and cbabac has four letters (baba).
    recall, precision = 4 / 7, 4 / 6
    assert text.rouge_l(list("abcabba"), list("cbabac")) == pytest.approx(
        2.44 * recall * precision / (recall + 1.44 * precision)
    )
    assert text.rouge_l(list("a" * 200), list("ba" * 100)) == pytest.approx(0.5)


def test_cider_by_hand():
    same = text.cider([ABCD, list("wxyz")], [ABCD, list("abcd")])
    assert same == [pytest.approx(10), pytest.approx(0)]
    # "ab" against "ac": unigrams a, b, c with equal idf give cosine 1/2; no bigram is shared; no longer ones exist.
    assert text.cider([list("ab"), list("xy")], [list("ac"), list("xy")])[0] == pytest.approx(_cider_of_ac())
    assert text.cider([ABCD], [ABCD]) == [0]


def _cider_of_ac():
    # idf(a) = idf(b) = log 2; c stands in no reference: idf = log(2/1) as well.
    return 10 * (1 / 2) / 4


VECTORS = {"a": np.array([1.0, 0.0]), "b": np.array([0.0, 1.0]), "c": np.array([-2.0, 1.0])}


def test_embedding_average_by_hand():
    assert text.embedding_average(["a"], ["a", "b"], VECTORS) == pytest.approx(1 / math.sqrt(2))
    assert text.embedding_average(["a"], ["unknown"], VECTORS) == 0


def test_vector_extrema_takes_the_value_farthest_from_zero():
    # a and c: −2 beats 1 in the first dimension, 1 beats 0 in the second.
    assert text.vector_extrema(["c"], ["a", "c"], VECTORS) == pytest.approx(1)
    assert text.vector_extrema(["a"], ["b"], VECTORS) == 0


def test_greedy_matching_by_hand():
    # a → a: 1. Back: a → a 1, b → a 0, mean 1/2. Both directions: 3/4.
    assert text.greedy_matching(["a"], ["a", "b"], VECTORS) == pytest.approx(3 / 4)


def test_bert_score_by_hand():
    one, two = np.array([[1.0, 0.0]]), np.array([[1.0, 0.0], [0.0, 2.0]])
    assert text.bert_score(one, two) == (pytest.approx(1 / 2), pytest.approx(1), pytest.approx(2 / 3))
    assert text.bert_score(one, np.empty((0, 2))) == (0, 0, 0)


def test_vectors_are_read_with_or_without_a_head():
    assert list(text.read_vectors(["2 2", "你 1 0", "好 0.5 -1"])) == ["你", "好"]
    assert list(text.read_vectors(["你 1 0", "好 0.5 -1"], {"好"})) == ["好"]


@pytest.mark.parametrize("bad", ["好 1", "好 1 x", "好 1 nan", ""])
def test_a_bad_line_of_vectors_is_named(bad):
    with pytest.raises(ValueError, match="line 2"):
        text.read_vectors(["你 1 0", bad])


@pytest.mark.parametrize("measure", [bert_scores, bleurt_scores, sentence_similarities])
def test_a_folder_without_a_model_or_missing_libraries_are_said_in_words(measure, tmp_path):
    with pytest.raises(NoModel, match=r"holds no config\.json|need the extra"):
        measure(["你好"], ["你好"], str(tmp_path))


@pytest.fixture
def tiny_model(tmp_path):
    """An untrained encoder of our own making: its figures mean nothing, but equal texts must be equal."""
    pytest.importorskip("torch", reason="needs the extra `models`")
    transformers = pytest.importorskip("transformers", reason="needs the extra `models`")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"今天气真好坏你我他们吗"]
    (tmp_path / "vocab.txt").write_text("\n".join(words))
    transformers.BertTokenizer(str(tmp_path / "vocab.txt")).save_pretrained(tmp_path)
    config = transformers.BertConfig(
        vocab_size=len(words), hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
        num_labels=1,
    )  # fmt: skip
    transformers.BertForSequenceClassification(config).save_pretrained(tmp_path)
    return str(tmp_path)


def test_local_models_give_one_figure_an_item(tiny_model):
    references, responses = ["今天真好", "你好吗"], ["今天真好", ""]
    same, silent = bert_scores(references, responses, tiny_model)
    assert same == (pytest.approx(1), pytest.approx(1), pytest.approx(1))
    assert silent == (0, 0, 0)
    assert sentence_similarities(references, responses, tiny_model) == [pytest.approx(1), 0]
    assert len(bleurt_scores(references, responses, tiny_model)) == 2
