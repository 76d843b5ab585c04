import numpy as np
import pytest

from measures.automatic.extraction import ExtractionCounts, assignment, document_counts, extraction_counts
from measures.automatic.hit_counts import HitCounts, macro_scores
from measures.automatic.mobilecs import Document, Mention, Triple


def mention(entity="ent-1", name="晨星套餐", type="主套餐", turn=0, start=3):
    return Mention(entity, name, type, turn, start, start + len(name))


def triple(entity="ent-1", property="业务费用", value="三十九元", turn=1):
    return Triple(entity, property, value, turn)


GOLD = Document(
    (mention(), mention("ent-2", "夜猫包", "流量包", 2)), (triple(), triple("ent-2", "流量总量", "两个G", 2))
)


def test_ids_mean_nothing_by_themselves():
    renamed = Document(
        (mention("x"), mention("y", "夜猫包", "流量包", 2)), (triple("x"), triple("y", "流量总量", "两个G", 2))
    )
    counts = document_counts(GOLD, renamed)
    assert counts.entities == HitCounts(2, 2, 2)
    assert counts.triples == HitCounts(2, 2, 2)
    assert counts.score == 1


def test_swapped_entities_are_assigned_by_their_values():
    swapped = Document(
        (mention("ent-2"), mention("ent-1", "夜猫包", "流量包", 2)),
        (triple("ent-2"), triple("ent-1", "流量总量", "两个G", 2)),
    )
    assert assignment(GOLD, swapped) == {"ent-2": "ent-1", "ent-1": "ent-2", "NA": "NA"}
    assert document_counts(GOLD, swapped).triples.n_hits == 2


def test_one_wrong_property_costs_one_triple_but_not_the_assignment():
    counts = document_counts(GOLD, Document(GOLD.mentions, (triple(property="业务规则"), GOLD.triples[1])))
    assert counts.triples == HitCounts(1, 2, 2)
    assert counts.triples.f1 == 0.5


def test_each_gold_item_is_hit_once():
    counts = document_counts(GOLD, Document(GOLD.mentions * 2, GOLD.triples * 3))
    assert counts.entities == HitCounts(2, 4, 2)
    assert counts.triples == HitCounts(2, 6, 2)


def test_blanks_and_underscores_vanish_and_the_start_moves_by_the_leading_ones():
    gold = Document((Mention("ent-1", "_半年_包", "流量包", 0, 4, 9),))
    predicted = Document((Mention("ent-9", "半年包", "流量包", 0, 5, 8),))
    assert document_counts(gold, predicted).entities.n_hits == 1
    assert document_counts(gold, Document((mention(name="半年包", type="流量包", start=4),))).entities.n_hits == 0


def test_product_words_are_always_data_services():
    gold, predicted = (
        Document((mention(name="手机报", type="附加套餐"),)),
        Document((mention(name="手机报", type="业务"),)),
    )
    assert document_counts(gold, predicted).entities.n_hits == 1
    assert document_counts(gold, predicted, products=()).entities.n_hits == 0


def test_facts_of_the_user_need_no_entity():
    gold = Document((), (triple("NA", "用户状态", "上不了网"),))
    assert document_counts(gold, gold).triples == HitCounts(1, 1, 1)
    assert document_counts(gold, Document((), (triple("ent-1", "用户状态", "上不了网"),))).triples.n_hits == 0


def test_entities_that_are_left_over_never_match():
    one = Document((mention(),), (triple(),))
    two = Document((mention("a"), mention("b")), (triple("a"), triple("b")))
    assert document_counts(one, two).triples == HitCounts(1, 2, 1)


def test_a_missing_document_costs_recall_and_an_unknown_one_nothing():
    counts = sum(extraction_counts({"d1": GOLD, "d2": GOLD}, {"d1": GOLD, "other": GOLD}).values(), ExtractionCounts())
    assert counts.entities == HitCounts(2, 2, 4)
    assert counts.entities.recall == 0.5


def test_nothing_found_has_zero_not_an_error():
    assert document_counts(GOLD, Document()).score == 0


def test_precision_recall_and_f1_by_hand():
    counts = HitCounts(n_hits=2, n_predicted=4, n_gold=5)
    assert (counts.precision, counts.recall, counts.f1) == pytest.approx((1 / 2, 2 / 5, 4 / 9))


def test_nothing_at_all_scores_nothing():
    assert (HitCounts().precision, HitCounts().recall, HitCounts().f1) == (0, 0, 0)
    assert (HitCounts(0, 3, 0).precision, HitCounts(0, 0, 3).recall) == (0, 0)


def test_counts_of_documents_add_up():
    assert HitCounts(1, 2, 3) + HitCounts(4, 5, 6) == HitCounts(5, 7, 9)


@pytest.mark.parametrize(
    ("right", "answered", "wanted", "scores"),
    [
        # Gold a a a b b c, predicted a a b b c c: P = (1 + 1/2 + 1/2)/3, R = (2/3 + 1/2 + 1)/3.
        ([2, 1, 1], [2, 2, 2], [3, 2, 1], (2 / 3, 13 / 18, 52 / 75)),
        # Two of four declared classes never occur, and count in both means.
        ([1, 1, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0], (1 / 2, 1 / 2, 1 / 2)),
        # Gold a a b, predicted a b b: F1 is that of the means, not the mean of F1, which is 2/3.
        ([1, 1], [1, 2], [2, 1], (3 / 4, 3 / 4, 3 / 4)),
        # Gold a a a b b c c, answered a a b b c c and nothing known; d is declared: P = (1 + ½ + ½ + 0)/4.
        ([2, 1, 1, 0], [2, 2, 2, 0], [3, 2, 2, 0], (1 / 2, 5 / 12, 5 / 11)),
        # Precision 1/2 and, for the class that nothing was answered with, 0; recall 1/4 and 0, for the class without gold too.
        ([1, 0], [2, 0], [4, 0], (1 / 4, 1 / 8, 1 / 6)),
        ([0, 0], [0, 1], [1, 0], (0, 0, 0)),
    ],
)
def test_macro_scores_by_hand(right, answered, wanted, scores):
    assert macro_scores(*map(np.array, (right, answered, wanted))) == pytest.approx(scores)
