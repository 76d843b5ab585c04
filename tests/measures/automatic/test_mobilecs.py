from measures.automatic.mobilecs import (
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


def test_an_act_knows_its_entity_and_property():
    assert (Act("询问", "ent-12-流量范围").entity, Act("询问", "ent-12-流量范围").property) == ("ent-12", "流量范围")
    assert (Act("询问", "流量范围").entity, Act("询问", "流量范围").property) == ("", "流量范围")
    assert (Act("询问", "ent-1").property, str(Act("询问", "ent-1")), str(Act("问候"))) == ("", "询问(ent-1)", "问候")


def test_values_stand_once_in_the_order_of_their_first_mention():
    triples = tuple(Triple("ent-1", "费用", value, 0) for value in ("八元", "十元", "八元", "一元"))
    assert local_kb([said("", user_triples=triples)]) == {"ent-1": {"费用": ["八元", "十元", "一元"]}}


def test_what_the_user_said_already_answers_no_request():
    assert requests({"ent-1": {"费用": ["?", "八元"]}}, {"ent-1": {"费用": ["八元", "十元"]}}) == [["十元"]]
    assert requests({"ent-1": {"费用": ["?", "八元"]}}, {"ent-1": {"费用": ["八元"]}}) == []
    assert requests({"ent-1": {"费用": ["八元"]}}, {"ent-1": {"费用": ["十元"]}}) == []
