"""How a scripted tester follows the goal card. Pure: what the bot said in, what the tester does next out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any

KIND_NAMES = {"flight": "机票", "train": "火车票", "hotel": "酒店"}

# What a question of a bot is about, by the words in it; the first that fits and that the card answers.
ASKED = (
    ("from", ("哪个城市出发", "出发城市", "从哪")),
    ("to", ("去哪个城市", "飞往", "到达城市", "目的地")),
    ("date", ("哪天", "哪一天", "日期")),
    ("time", ("上午、下午", "时间段", "什么时间")),
    ("class", ("舱",)),
    ("seat", ("座",)),
    ("budget", ("预算",)),
    ("nights", ("几晚",)),
    ("place", ("位置", "附近")),
    ("city", ("哪个城市",)),
)
BOOKED = ("预订成功",)
CONFIRM = ("确认预订吗", "是否预订", "要确认吗")
CANNOT = ("无法办理", "只能订机票", "没有找到", "抱歉，没有")
PATIENCE = 3


@dataclass(frozen=True, slots=True)
class Say:
    text: str


@dataclass(frozen=True, slots=True)
class Close:
    """The tester is through with the current subtask."""

    is_finished: bool


@dataclass
class CardReader:
    """One tester's way through one scenario, subtask by subtask."""

    opening: str
    kinds: Sequence[str]
    facts: Mapping[str, Any]
    index: int = 0
    n_useless: int = 0
    has_spoken: bool = False
    is_fresh: bool = field(default=True)

    def next(self, heard: str) -> Say | Close:
        """What to do after the bot said `heard` (empty at the start, and after a failed turn)."""
        kind = self.kinds[self.index]
        if not self.has_spoken:
            self.has_spoken, self.is_fresh = True, False
            return Say(self.opening)
        if self.is_fresh:
            self.is_fresh = False
            question = self.answer(kind, heard)
            return Say(question or f"我还要订{KIND_NAMES[kind]}")
        if any(words in heard for words in BOOKED):
            return Close(True)
        if any(words in heard for words in CANNOT):
            self.n_useless += 1
            return Close(False) if self.n_useless >= PATIENCE else Say(f"请帮我订{KIND_NAMES[kind]}")
        if any(words in heard for words in CONFIRM):
            return Say("好的，确认")
        answer = self.answer(kind, heard)
        if answer is None:
            self.n_useless += 1
            return Close(False) if self.n_useless > PATIENCE else Say(f"我要订{KIND_NAMES[kind]}")
        return Say(answer)

    def move_to(self, index: int) -> None:
        """The server says that another subtask (0-based) is current now."""
        self.index, self.n_useless, self.is_fresh = index, 0, True

    def answer(self, kind: str, heard: str) -> str | None:
        facts = self.facts[kind]
        for slot, words in ASKED:
            if slot in facts and any(word in heard for word in words):
                return {"budget": f"不超过 {facts[slot]} 元", "nights": f"{facts[slot]} 晚"}.get(slot, str(facts[slot]))
        return None


def is_booked(kind: str, facts: Mapping[str, Any], bookings: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the bot's own database holds a booking that is what the goal card asked for."""
    return any(booking["kind"] == kind and fits(kind, facts, booking["row"]) for booking in bookings)


HOURS = {"上午": range(0, 12), "下午": range(12, 18), "晚上": range(18, 24)}


def fits(kind: str, facts: Mapping[str, Any], row: Mapping[str, Any]) -> bool:
    if kind == "hotel":
        return bool(row["city"] == facts["city"] and row["place"] == facts["place"] and row["price"] <= facts["budget"])
    level = "class" if kind == "flight" else "seat"
    same = all(row[name] == facts[name] for name in ("from", "to", level))
    return bool(same and int(row["depart"][:2]) in HOURS[facts["time"]])


@dataclass(frozen=True, slots=True)
class Impressions:
    """How well a dialogue went, each 0…1: by what was booked and how long it took, by repeats, by whether it led anywhere."""

    outcome: float
    freshness: float
    progress: float


def impressions_of(n_finished: int, n_subtasks: int, n_turns: int, n_repeats: int) -> Impressions:
    turns_each = n_turns / max(1, n_subtasks)
    if n_finished == n_subtasks:
        outcome = 1.0 if turns_each <= 8 else 0.75
    else:
        outcome = 0.5 if n_finished else (0.25 if n_turns <= 12 else 0.0)
    freshness = 1.0 if n_repeats == 0 else 0.5 if n_repeats <= 2 else 0.0
    return Impressions(outcome, freshness, progress=float(n_finished > 0 or turns_each <= 4))


def scores_of(impressions: Impressions, scales: Mapping[str, Sequence[int]]) -> dict[str, int]:
    """What a scripted reviewer gives on each criterion of any rubric; `scales` has its points, the worst first.

    The criteria get the three impressions in turn, each at the point that far up its scale.
    """
    in_turn = cycle((impressions.outcome, impressions.freshness, impressions.progress))
    return {
        key: points[round(how * (len(points) - 1))] for (key, points), how in zip(scales.items(), in_turn, strict=False)
    }
