"""Tells a changed bot, or service, from one that only never says the same thing twice. Pure.

Each canary question is asked some times, in dialogues of their own. A bot that gave the same answer each time at its admission has
changed in that question as soon as none of its answers of now is that one. Of a bot that varies, answers are compared by
the pairs of characters that they share: it has changed in a question where answers of now are much less like those of then than
those of then were like each other. Numbers are left out: times, prices and counters change every day. A bot is called changed where that
holds of at least two questions, or of all if they are fewer: one answer may follow the news.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import combinations, product
from types import MappingProxyType

QUESTIONS: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "zh": ("你好", "你能帮我做什么？", "帮我订一张从北京到上海的机票。", "请推荐一家酒店。", "谢谢，再见。"),
        "en": (
            "Hello",
            "What can you do for me?",
            "Book me a flight from Beijing to Shanghai.",
            "Please recommend a hotel.",
            "Thank you, goodbye.",
        ),
    }
)
# What a service labels: none of them stands in a gold file, and a change of a model shows in some of them.
CANARIES: Sequence[str] = (
    "你好，今天过得怎么样？",
    "帮我订一张下周三从武汉到厦门的机票。",
    "查一下后天早上去南昌的高铁还有没有票。",
    "明天西安会下雨吗？",
    "放一首适合睡前听的钢琴曲。",
    "给妈妈打个电话，说我晚点到。",
    "提醒我晚上八点把衣服收进来。",
    "附近有什么好吃的火锅店？",
    "把“早上好”翻译成法语。",
    "三百二十五乘以十八等于多少？",
    "今晚有什么足球比赛？",
    "讲个笑话听听。",
)
SAMPLES = 3
# Answers of now share less than this part of what answers of then shared with each other.
MUCH_LESS = 0.5
ENOUGH = 2
_NUMBERS = re.compile(r"\d+")
_SPACES = re.compile(r"\s+")

Samples = Sequence[str]


def changed_questions(then: Sequence[Samples], now: Sequence[Samples]) -> list[int]:
    """The numbers of the questions, from 0, that are answered otherwise; empty where too few of them are."""
    compared = [number for number, (before, after) in enumerate(zip(then, now, strict=False)) if before and after]
    changed = [number for number in compared if is_changed(then[number], now[number])]
    return changed if len(changed) >= min(ENOUGH, max(len(compared), 1)) else []


def is_other_version(then: str, now: str) -> bool:
    """Whether the server names another version; one that names none, then or now, is compared by its answers alone."""
    return "" not in (then, now) and then != now


def is_changed(then: Samples, now: Samples) -> bool:
    before, after = [plain(text) for text in then], [plain(text) for text in now]
    if len(set(before)) == 1:
        return before[0] not in after
    among = [likeness(one, other) for one, other in combinations(before, 2)]
    across = [likeness(one, other) for one, other in product(before, after)]
    return mean(across) < MUCH_LESS * mean(among)


def plain(text: str) -> str:
    """The text without numbers and without its spaces."""
    return _SPACES.sub("", _NUMBERS.sub("#", text)).casefold()


def likeness(one: str, other: str) -> float:
    """Shared pairs of characters among all of both, in [0, 1]; two empty texts are alike (Jaccard)."""
    mine, yours = pairs(one), pairs(other)
    both = mine | yours
    return len(mine & yours) / len(both) if both else 1.0


def pairs(text: str) -> set[str]:
    return {text[place : place + 2] for place in range(max(len(text) - 1, 1))} if text else set()


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 1.0
