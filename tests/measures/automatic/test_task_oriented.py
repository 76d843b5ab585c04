import math

import pytest

from measures.automatic.task_oriented import (
    DialogueCounts,
    GeneratedTurn,
    GoldDialogue,
    GoldTurn,
    bleu_counts,
    dialogue_counts,
)

KB = {"ent-1": {"name": ["晨星套餐", "这个g套餐"], "type": ["主套餐"], "业务费用": ["三十九元", "八元"]}}
GOAL = {"ent-1": {"type": ["主套餐"], "业务费用": ["?", "八元"]}}


def gold(*turns: GoldTurn, goal=GOAL) -> GoldDialogue:
    return GoldDialogue(turns, KB, goal)


def turn(user_intent="询问(ent-1-业务费用)", service_intent="通知", reply="每月三十九元"):
    return GoldTurn("多少钱，八元吗", user_intent, service_intent, reply)


def counts(generated: GeneratedTurn, compat="", **changes):
    return dialogue_counts(gold(turn(**changes)), [generated], compat)


def test_an_entity_goes_by_any_of_its_names_and_the_two_questions_are_one():
    for intent in ("询问(晨星套餐-业务费用)", "求助-查询(这个G套餐-业务费用)"):
        user = counts(GeneratedTurn(intent, "通知", "")).user
        assert (user.n_hits, user.n_false, user.n_missed) == (1, 0, 0)
    user = counts(GeneratedTurn("询问(ent-1-业务费用)", "通知", "")).user
    assert (user.n_hits, user.n_false, user.n_missed) == (0, 1, 1)


def test_each_gold_act_is_hit_once_by_whichever_of_its_names_comes_first():
    kb = {"ent-1": {"name": ["甲", "乙"]}, "ent-2": {"name": ["乙"]}}
    gold = GoldDialogue((GoldTurn("", "询问(ent-1-费用),询问(ent-2-费用)", "", ""),), kb, {})

    def user(intent):
        counts = dialogue_counts(gold, [GeneratedTurn(intent, "", "")]).user
        return counts.n_hits, counts.n_false, counts.n_missed

    # Both acts can be said as 乙; the first in the gold is hit first.
    assert user("询问(乙-费用),询问(乙-费用)") == (2, 0, 0)
    assert user("询问(甲-费用),询问(乙-费用)") == (2, 0, 0)
    assert user("询问(乙-费用),询问(甲-费用)") == (1, 1, 1)
    assert user("询问(甲-费用),询问(甲-费用)") == (1, 1, 1)


def test_a_bare_act_hits_in_the_organizers_reading_only():
    assert counts(GeneratedTurn("询问", "通知", "")).user.scores.f1 == 0
    lenient = counts(GeneratedTurn("询问", "通知", ""), "seretod2022").user
    assert (lenient.n_hits, lenient.n_false, lenient.n_missed) == (1, 0, 1)


def test_an_empty_service_intent_hits_in_the_organizers_reading_only():
    strict, lenient = (counts(GeneratedTurn("询问", "", ""), compat).service for compat in ("", "seretod2022"))
    assert (strict.n_hits, strict.n_false, strict.n_missed) == (0, 0, 1)
    assert lenient.n_hits == 1


def test_service_acts_are_compared_whole():
    service = counts(GeneratedTurn("询问", "通知,询问", ""), service_intent="通知,客套").service
    assert (service.n_hits, service.n_false, service.n_missed) == (1, 1, 1)


@pytest.mark.parametrize(("reply", "success"), [("每月三十九元", 1), ("每月八元", 0), ("", 0)])
def test_a_request_is_done_by_a_value_that_the_user_had_not_said(reply, success):
    assert counts(GeneratedTurn("", "", reply)).success == success


def test_success_is_undefined_without_an_answerable_request():
    nothing = dialogue_counts(gold(turn(), goal={}), [GeneratedTurn("", "", "")])
    assert nothing.success is None
    assert nothing.combined is None


def test_bleu_of_a_text_with_itself_is_a_hundred():
    assert bleu_counts("今天天气很好", "今天 天气很好").bleu == pytest.approx(100, abs=1e-4)


def test_bleu_by_hand():
    # abcde against abxde: unigrams 4/5, bigrams 2/4 (ab, de), no trigram, no 4-gram; equal lengths.
    expected = 100 * math.exp((math.log(0.8 + 1e-7) + math.log(0.5 + 1e-7) + 2 * math.log(1e-7)) / 4)
    assert bleu_counts("abcde", "abxde").bleu == pytest.approx(expected)
    # abcd against abcdefgh: all precisions 1, penalty exp(1 − 8/4).
    assert bleu_counts("abcdefgh", "abcd").bleu == pytest.approx(100 * math.exp(-1), rel=1e-5)


def test_silence_counts_in_bleu_but_not_in_the_organizers_reading():
    both = gold(turn(), turn())
    generated = [GeneratedTurn("", "", "每月三十九元"), GeneratedTurn("", "", "")]
    assert dialogue_counts(both, generated).bleu.bleu == pytest.approx(100 * math.exp(1 - 2), rel=1e-5)
    assert dialogue_counts(both, generated, "seretod2022").bleu.bleu == pytest.approx(100, abs=1e-4)
    assert DialogueCounts().bleu.bleu == 0


def test_the_combined_score_of_a_perfect_system_is_five():
    perfect = counts(GeneratedTurn("询问(晨星套餐-业务费用)", "通知", "每月三十九元"))
    assert perfect.combined == pytest.approx(5, abs=1e-5)


def test_turns_must_be_as_many_as_the_golds():
    with pytest.raises(ValueError, match="0 turns for 1"):
        dialogue_counts(gold(turn()), [])
