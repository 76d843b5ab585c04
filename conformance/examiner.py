"""What probes have of a bot: dialogues with it, the time and the calls that are left, and a request as a `curl` line."""

import uuid
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from types import MappingProxyType

from conformance.clock import Calls, unclocked
from participants.adapters.asking import ask
from participants.adapters.calls import BotAddress, BotCall, History, Reply, State, Utterance
from participants.adapters.contract import Adapter, Hear
from participants.adapters.shown_requests import shown_request
from participants.failures import BotFailure, FailureKind, Fault
from participants.limits import MESSAGE_LIMIT
from participants.outbound import Door, Line
from participants.picture_lines import Picture, picture_said

# A bot that declares more is checked with this many dialogues at once; the day shows the rest.
PARALLEL_LIMIT = 300
KEPT_CONNECTIONS_TRIED = 4


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a bot is asked. `parallel` is what its team declared; `slow_ms` is what testers call slow."""

    deadline_s: float = 30.0
    long_turns: int = 30
    long_text: int = MESSAGE_LIMIT
    some_parallel: int = 8
    parallel: int = 50
    slow_ms: int = 10_000
    cancel_after_s: tuple[float, ...] = (0.02, 0.1, 0.5)
    n_calls: int = 1000
    total_s: float = 300.0
    # For places at a bot that others talk to, beside that.
    total_wait_s: float = 300.0
    # For a fingerprint in place of `total_s`: as long as its calls may take (print_times.py).
    print_s: float = 300.0


USUAL = Limits()


@dataclass(frozen=True, slots=True)
class Phrases:
    """What the lab says to a bot in one language. `first_names` and `last_names` make names that nobody says by chance; each has its own length within a list."""

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


PHRASES: Mapping[str, Phrases] = MappingProxyType(
    {
        "zh": Phrases(
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
        "en": Phrases(
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


class NoReply(Exception):
    """A call of a probe that brought no reply, with the call."""

    def __init__(self, failure: BotFailure, call: BotCall) -> None:
        super().__init__(failure)
        self.failure, self.call = failure, call


class TooManyCalls(Exception):
    """The lab has asked as often as it may: a bug of a probe, not of the bot."""


def nothing_heard(part: str) -> None:
    """For calls of which nobody watches the stream."""


@dataclass(slots=True)
class Examiner:
    """Asks one bot. `latencies_ms` are those of a dialogue alone, one turn after the other, `pictures` those that any answer named."""

    bot: BotAddress
    door: Door
    adapters: Mapping[str, Adapter]
    limits: Limits = field(default_factory=Limits)
    language: str = "zh"
    rng: Random = field(default_factory=Random)
    latencies_ms: list[int] = field(default_factory=list)
    mixed_up_under_load: list[BotCall] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    calls: Calls = unclocked
    _n_calls: int = 0

    @property
    def lines(self) -> Phrases:
        return PHRASES.get(self.language, PHRASES["en"])

    def name(self) -> str:
        """A name that no bot says by chance."""
        return self.lines.name(self.rng)

    def names(self, n: int) -> list[str]:
        """`n` distinct names; none is part of another."""
        made: dict[str, None] = {}
        while len(made) < n:
            made[self.name()] = None
        return list(made)

    def talk(self) -> "Talk":
        return Talk(self, str(uuid.UUID(int=self.rng.getrandbits(128), version=4)))

    async def ask(self, call: BotCall, on_delta: Hear = nothing_heard) -> Reply:
        """Errors: `NoReply`, `TooManyCalls`."""
        for _ in range(KEPT_CONNECTIONS_TRIED):
            self._n_calls += 1
            if self._n_calls > self.limits.n_calls:
                raise TooManyCalls
            try:
                with self.calls() as on_wait:
                    reply = await ask(call, self.door, on_delta, self.adapters, on_wait=on_wait)
                self.pictures += filter(None, map(picture_said, reply.texts))
                return reply
            except BotFailure as failure:
                # A kept connection that broke says nothing of the bot, unless it breaks each time.
                broke = failure
                if failure.fault is not Fault.NOBODY:
                    break
        raise NoReply(broke, call) from broke

    @asynccontextmanager
    async def line(self) -> AsyncIterator[Line]:
        """A way to the bot for what is no turn; it has a place as a turn has. Errors: `BotFailure` where none is free."""
        places = self.door.places_at(self.bot.key or self.bot.url, self.bot.parallel)
        with self.calls() as on_wait:
            line = self.door.line(self.limits.deadline_s, on_wait)
            await places.take(line)
            try:
                yield line
            finally:
                places.give_back()

    def curl(self, call: BotCall) -> str:
        """The call as a command for a shell, the secret hidden; empty where its protocol has no such request."""
        try:
            request = shown_request(call, self.adapters)
        except (BotFailure, RuntimeError):
            return ""
        return request.as_curl if request else ""


class Talk:
    """One dialogue of a probe; what was said before goes along with every turn."""

    def __init__(self, examiner: Examiner, dialogue: str) -> None:
        self.examiner, self.dialogue = examiner, dialogue
        self.history, self.turn = History(), 0
        self.state: State = None
        self.latest: BotCall | None = None

    def call(self, text: str) -> BotCall:
        """The next turn, not asked yet."""
        limits = self.examiner.limits
        return BotCall(
            bot=self.examiner.bot,
            dialogue=self.dialogue,
            turn=self.turn + 1,
            text=text,
            turn_key=f"{self.dialogue}:{self.turn + 1}",
            history=self.history,
            language=self.examiner.language,
            deadline_s=limits.deadline_s,
        )

    async def say(self, text: str, on_delta: Callable[[str], None] = nothing_heard) -> Reply:
        """Errors: `NoReply`; the turn then counts as not said."""
        self.latest = call = self.call(text)
        reply = await self.examiner.ask(call, on_delta)
        said = [Utterance("user", text), *(Utterance("bot", one) for one in reply.texts)]
        self.history, self.turn = self.history.and_then(*said, state=reply.state), self.turn + 1
        return reply


def text_of(reply: Reply) -> str:
    return "\n".join(reply.texts)


def is_ours(failure: BotFailure) -> bool:
    """Whether the platform is to blame: nothing was found out."""
    return failure.fault is Fault.PLATFORM or failure.kind is FailureKind.INTERRUPTED
