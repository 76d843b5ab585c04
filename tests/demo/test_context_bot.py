"""The sample bot that talks about its context: what it says to the scenarios of the example campaigns."""

import importlib.util
import tomllib
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def load_bot(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / "bots" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


bot = load_bot("context_bot")


def context_of(campaign: str, scenario: str):
    rows = tomllib.loads((EXAMPLES / "campaigns" / f"{campaign}.toml").read_text())["scenarios"]
    return next(row.get("context", {}) for row in rows if row["key"] == scenario)


def talk(context, *texts):
    """What the bot answers to each text."""
    history, said = [], []
    for turn, text in enumerate(texts, start=1):
        said.append(bot.answer({"turn": turn, "text": text, "history": list(history), "context": context}))
        history += [{"role": "user", "text": text}, {"role": "bot", "text": said[-1]["text"]}]
    return said


def test_it_answers_a_goal_from_the_local_knowledge_base():
    said = talk(
        context_of("seretod2022", "order-data"),
        "我的流量不够用了",
        "周末流量包多少钱，价格和有效期",
        "那就办理吧",
        "再见",
    )
    assert [one["text"] for one in said] == [
        "我可以介绍这些：周末流量包、夜间流量包。",
        "周末流量包的价格是6 元，有效期是当周周六、周日。",
        "好的，已经为你办理周末流量包，还需要别的吗？",
        "不客气，再见！",
    ]
    assert [one.get("end", False) for one in said] == [False, False, False, True]


@pytest.mark.parametrize(
    ("scenario", "text", "reply"),
    [
        ("lighthouse", "望潮灯塔的高度是多少", "我知道望潮灯塔的高度是31 米。"),
        ("potter", "你平时做什么工作", "我是一名陶艺师，住在海边。"),
        ("film", "给我推荐一部吧", "推荐你试试《慢船》，因为节奏舒缓，讲的是一次河上的旅行。"),
        ("rain", "今天又下雨了", "嗯，你接着说。"),
    ],
)
def test_it_has_something_to_say_to_each_skill(scenario, text, reply):
    assert talk(context_of("msde", scenario), text) == [{"text": reply}]


def test_it_speaks_first_where_it_is_asked_to():
    assert bot.answer({"turn": 0, "text": "", "context": {}}) == {"text": "你好，请问有什么可以帮你？"}
