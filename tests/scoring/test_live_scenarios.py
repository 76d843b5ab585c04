from io import StringIO

import pytest
from django.core.management import call_command

from campaigns.actions import load_campaign
from campaigns.campaign_file.reader import read_campaign_file
from measures.automatic.task_oriented import GoldDialogue, GoldTurn
from participants.adapters import PROTOCOLS
from scoring.live_scenarios import goal_card, scenario
from tests.scoring.conftest import EXAMPLES


def test_a_scenario_opens_with_the_users_first_text_under_a_key_that_a_campaign_takes():
    dialogue = GoldDialogue(
        (GoldTurn("你好", "", "", "您好"),), {"ent-1": {"name": ["甲"]}}, {"NA": {"账户余额": ["?"]}}
    )
    made = scenario("对话/a b.1", dialogue)
    assert (made["key"], made["opening"]) == ("mobilecs----a-b-1", "你好")
    assert made["facts"] == {"我": {"账户余额": "？"}}
    assert made["context"] == {"kb": {"ent-1": {"name": ["甲"]}}}


@pytest.mark.django_db
def test_one_command_makes_a_campaign_of_mobilecs_dialogues(tmp_path):
    file = tmp_path / "campaign.toml"
    source = EXAMPLES / "task-oriented-dialogue" / "gold.json"
    call_command("mobilecs_scenarios", source, slug="mobile", output=file, turn_cap=12, stderr=StringIO())
    campaign, _ = load_campaign(spec=read_campaign_file(file.name, file.read_bytes(), PROTOCOLS))
    assert (campaign.cap_per, campaign.turn_cap) == ("dialogue", 12)
    scenario = campaign.scenarios.get(key="mobilecs-demo-1")
    assert scenario.opening == "你好，我想问一下晨星套餐一个月多少钱"
    assert scenario.facts == {"晨星套餐": {"想要": "求助-查询，询问", "业务费用": "？", "流量总量": "？"}}
    assert scenario.context["kb"]["ent-1"]["业务费用"] == ["三十九元"]


def test_the_card_keeps_what_was_said_beside_what_is_asked():
    goal = {"ent-1": {"type": ["套餐"], "name": ["流量包", "那个包"], "业务费用": ["?", "六十"], "用户意图": ["询问"]}}
    assert goal_card(goal) == {"流量包": {"想要": "询问", "业务费用": "？，六十", "又称": "流量包，那个包"}}


def test_two_entities_of_one_name_are_both_on_the_card():
    goal = {"ent-1": {"name": ["套餐"], "业务费用": ["八元"]}, "ent-2": {"name": ["套餐"], "业务费用": ["?"]}}
    assert goal_card(goal) == {"套餐": {"业务费用": "八元"}, "套餐（ent-2）": {"业务费用": "？"}}
