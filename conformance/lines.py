"""What the lab says to a bot, in the language that the bot is asked in. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Lines:
    """`first_names` and `last_names` make names that nobody says by chance; each has its own length within a list."""

    greeting: str
    rare: str
    emoji: str
    my_name: str
    ask_name: str
    wish: str
    wish_goes_on: str
    turn: str
    filler: str
    tell_me_more: str
    first_names: tuple[str, ...]
    last_names: tuple[str, ...]

    def name(self, rng: Random) -> str:
        return f"{rng.choice(self.first_names)}{rng.choice(self.last_names)}{rng.randrange(1000, 10_000)}"

    def my_name_is(self, name: str) -> str:
        return self.my_name.format(name=name)

    def turn_number(self, number: int) -> str:
        return self.turn.format(n=number)

    def long_text(self, length: int) -> str:
        return (self.filler * (length // len(self.filler) + 1))[:length]


LINES: Mapping[str, Lines] = MappingProxyType(
    {
        "zh": Lines(
            greeting="你好",
            rare="请问“龘靐齉”这三个字怎么读？",
            emoji="今天心情很好😀👨‍👩‍👧‍👦🇨🇳",
            my_name="我的名字是{name}。",
            ask_name="我的名字是什么？",
            wish="帮我订一张从北京到上海的机票。",
            wish_goes_on="明天",
            turn="这是第{n}句话，请继续。",
            filler="我想订一张机票，上午出发，靠窗的座位。",
            tell_me_more="请详细介绍一下你能帮我做什么，至少说五句话。",
            first_names=("青", "赤", "橙", "碧", "玄", "素"),
            last_names=("鹭", "鹤", "雁", "雀", "鸢", "鸥"),
        ),
        "en": Lines(
            greeting="Hello",
            rare="How do you read “龘靐齉”?",
            emoji="I am in a good mood today 😀👨‍👩‍👧‍👦🇨🇳",
            my_name="My name is {name}.",
            ask_name="What is my name?",
            wish="Book me a flight from Beijing to Shanghai.",
            wish_goes_on="tomorrow",
            turn="This is sentence {n}, please go on.",
            filler="I would like to book a flight in the morning with a seat at the window. ",
            tell_me_more="Tell me in detail what you can do for me, in at least five sentences.",
            first_names=("Azure", "Amber", "Coral", "Jade", "Umber", "Ivory"),
            last_names=("Heron", "Crane", "Goose", "Finch", "Kite", "Gull"),
        ),
    }
)
