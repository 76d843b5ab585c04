import math

import pytest

from measures.mobilecs import (
    Act,
    AnnotatedTurn,
    Mention,
    Triple,
    local_kb,
    read_acts,
    requests,
    usable_turns,
    user_goal,
)
from measures.task_oriented import DialogueCounts, GeneratedTurn, GoldDialogue, GoldTurn, bleu_counts, dialogue_counts

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


# -- where gold dialogues come from ------------------------------------------------------------------------------


def said(user, service="", user_intent="其他", service_intent="通知", service_first=False, **found):
    return AnnotatedTurn(user, service, user_intent, service_intent, service_first, **found)


def test_arguments_become_acts_of_their_own():
    acts = read_acts("问候,求助-查询（ent-1-流量范围，业务费用）")
    assert acts == [Act("问候"), Act("求助-查询", "ent-1-流量范围"), Act("求助-查询", "ent-1-业务费用")]
    assert read_acts("求助-查询(流量余额)") == [Act("求助-查询", "流量余额")]
    assert read_acts("询问(ent-1-业务费用)(ent-2-业务费用)")[1].entity == "ent-2"


def test_where_the_service_speaks_first_its_next_text_answers():
    turns = usable_turns(
        [
            said("一", "甲", service_first=True),
            said("二", "乙", service_first=True),
            said("三", "丙", service_first=True),
        ]
    )
    assert [(t.user, t.service) for t in turns] == [("一", "乙"), ("二", "丙")]


def test_mixed_speakers_and_missing_intents_are_left_out():
    assert usable_turns([said("一", service_first=True), said("二")]) is None
    assert usable_turns([said("一", user_intent="")]) is None
    assert usable_turns([]) is None


def test_a_bare_question_asks_for_what_the_users_text_gives_a_value_of():
    turns = usable_turns(
        [said("是三十九元吗", user_intent="主动确认", service_triples=(Triple("ent-1", "业务费用", "三十九元", 0),))]
    )
    assert turns[0].user_intent == "主动确认(ent-1-业务费用)"


def test_kb_and_goal_by_hand():
    turns = [
        said(
            "晨星套餐A多少钱", "三十九元", "求助-查询(ent-1-业务费用),取消(主套餐)",
            user_mentions=(Mention("ent-1", "晨星套餐A", "主套餐", 0, 0, 5),),
            service_triples=(Triple("ent-1", "业务费用", "三十九元", 0),),
        ),
        said("话费还有十七块吗", "还有", "求助-查询(账户余额)", user_triples=(Triple("NA", "账户余额", "十七块", 1),)),
    ]  # fmt: skip
    kb, goal = local_kb(turns), user_goal(turns)
    assert kb == {
        "ent-1": {"name": ["晨星套餐a"], "type": ["主套餐"], "业务费用": ["三十九元"]},
        "NA": {"账户余额": ["十七块"]},
    }
    assert goal == {
        "ent-1": {"type": ["主套餐"], "name": ["晨星套餐A"], "业务费用": ["?"], "用户意图": ["求助-查询"]},
        "咨询": {"type": ["主套餐"], "用户意图": ["取消"]},
        "NA": {"账户余额": ["十七块", "?"], "意图": ["求助-查询"]},
    }
    assert requests(goal, kb) == [["三十九元"]]
