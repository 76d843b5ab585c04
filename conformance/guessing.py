"""Which protocol a bot speaks, told from its URL and from answers to OPTIONS and GET alone.

No other protocol's body is ever sent to find out: a body that a server does not expect has ended servers. A GET has, too:
OPTIONS comes first, and its answer says whether the URL itself is asked by GET.
"""

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from urllib.parse import urljoin, urlsplit

from django.utils.translation import gettext_noop

from participants.adapters.calls import bearer
from participants.adapters.contract import Adapter, Heard, Question
from participants.adapters.shown_requests import finding_without, without_secret
from participants.bot_form import SOCKET_SCHEMES
from participants.failures import BotFailure
from participants.outbound import Door
from reading.findings import Finding, sentence

# What a question led to: an answer, a failure, or nothing in time.
Came = Heard | BotFailure | None
NATIVE = "huace/1"
# What every server is asked: whether it says itself what it speaks. Flask answers OPTIONS without the app's code.
FIRST: Question = ("OPTIONS", "")
ITSELF: Question = ("GET", "")
# Nothing is asked of these: one of ConvLab's may be no Flask that is known here, and who dials out has no URL.
NEVER_ASKED = frozenset({"convlab", "dial-out"})
HEARD_BYTES = 8192
FIRST_LIMIT_S = 2.0
# For all questions together, whatever they wait for.
GUESS_LIMIT_S = 7.0
QUESTIONS_LIMIT = 12
WERKZEUG = re.compile(r"Werkzeug/(\d+)\.(\d+)")
# From here on Flask refuses a request that has no JSON, where ConvLab's agent would queue nothing and hang.
SAFE_WERKZEUG = (2, 1)
# Endings of paths by which protocols are known.
PATHS: Mapping[str, str] = MappingProxyType(
    {
        "/chat/completions": "openai",
        "/v1": "openai",
        "/webhooks/rest/webhook": "rasa",
        "/api/chat": "ollama",
        "/v1/chat-messages": "dify",
        "/api/messages": "botframework",
        "/smp2018_ecdt": "smp2018_task1",
    }
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as people read it, with what was `heard`, or how it failed; both are empty where nothing came in time."""

    question: str
    heard: Heard | None = None
    failure: BotFailure | None = None


@dataclass(frozen=True, slots=True)
class Guess:
    """The protocols that something speaks for, the best first, each with a sentence why; what was `asked` for it, and what came of each."""

    clues: Mapping[str, Finding] = field(default_factory=dict)
    n_answers: int = 0
    asked: tuple[str, ...] = ()
    tries: tuple[Asked, ...] = ()

    @property
    def protocol(self) -> str:
        """The one to propose; empty where nothing speaks for any."""
        return next(iter(self.clues), "")


NOTHING_SAID = Guess()


async def guess_protocol(
    url: str, door: Door, adapters: Mapping[str, Adapter], *, secret: str = "", limit_s: float = GUESS_LIMIT_S
) -> Guess:
    """Asks OPTIONS, then what is still needed at once, each question one time; no longer than `limit_s` seconds in all."""
    # Over a WebSocket only a mapping speaks, and what it says is its team's own.
    if url.startswith(SOCKET_SCHEMES):
        return NOTHING_SAID
    ends_at = asyncio.get_running_loop().time() + limit_s
    came = await asked_of([FIRST], url, door, secret, min(FIRST_LIMIT_S, limit_s))
    heard = answers_in(came)
    if not native_clue(heard):
        more = questions_after(heard.get(FIRST), adapters)
        came |= await asked_of(more, url, door, secret, ends_at - asyncio.get_running_loop().time())
        heard = answers_in(came)
    clues = clues_in(url, heard, adapters)
    hidden = {protocol: finding_without(clue, secret) for protocol, clue in clues.items()}
    tries = tuple(_told(url, question, what, secret) for question, what in came.items())
    return Guess(hidden, len(heard), tuple(one.question for one in tries), tries)


def _told(url: str, question: Question, came: Came, secret: str) -> Asked:
    named = without_secret(named_question(url, question), secret)
    return Asked(named, failure=came) if isinstance(came, BotFailure) else Asked(named, came)


def questions_after(first: Heard | None, adapters: Mapping[str, Adapter]) -> list[Question]:
    """What the adapters ask, without the question that was answered and without a GET that the URL itself may not bear."""
    questions = dict.fromkeys([ITSELF, *(question for one in adapters.values() for question in one.questions)])
    left_out = {FIRST} if may_ask_itself(first) else {FIRST, ITSELF}
    return [question for question in questions if question not in left_out][: QUESTIONS_LIMIT - 1]


def may_ask_itself(first: Heard | None) -> bool:
    """Whether the URL itself may be asked by GET, as its answer to OPTIONS says.

    Not where it did not answer or takes no GET, and not where Flask answered for an app that takes GET and POST alike: that may
    be ConvLab's agent, whose only worker ends at a GET with an old Flask (`human_eval/run_agent.py`).
    """
    if first is None:
        return False
    methods = {method.strip().upper() for method in first.headers.get("allow", "").split(",")} - {""}
    if methods and "GET" not in methods:
        return False
    is_flask = first.status == 200 and not first.body and {"GET", "POST"} <= methods
    version = WERKZEUG.search(first.headers.get("server", ""))
    is_safe = version is not None and (int(version[1]), int(version[2])) >= SAFE_WERKZEUG
    return is_safe or not (is_flask or version)


async def answers_to(
    questions: Sequence[Question], url: str, door: Door, secret: str, limit_s: float
) -> dict[Question, Heard]:
    """The answers that came in time."""
    return answers_in(await asked_of(questions, url, door, secret, limit_s))


def answers_in(came: Mapping[Question, Came]) -> dict[Question, Heard]:
    return {question: what for question, what in came.items() if isinstance(what, Heard)}


async def asked_of(
    questions: Sequence[Question], url: str, door: Door, secret: str, limit_s: float
) -> dict[Question, Came]:
    """What came of each question, in their order; None where nothing came in time."""
    asking = {asyncio.create_task(hear(url, one, door, secret, limit_s)): one for one in questions}
    if not asking:
        return {}
    try:
        # A line's waits for us are not in its deadline.
        done, late = await asyncio.wait(asking, timeout=limit_s)
    finally:
        for task in asking:
            task.cancel()
    if late:
        await asyncio.wait(late)
    ended = {asking[task]: task.result() for task in done}
    return {question: ended.get(question) for question in questions}


def named_question(url: str, question: Question) -> str:
    """The question for people to read: method and path."""
    method, path = question
    return f"{method} {urlsplit(address_of(url, path)).path or '/'}"


async def hear(url: str, question: Question, door: Door, secret: str, limit_s: float) -> Heard | BotFailure:
    """What came back, or why nothing did. A URL of another host than the bot's is never asked, nor told the secret."""
    method, path = question
    line, target = door.line(limit_s), address_of(url, path)
    ask = line.get if method == "GET" else line.options
    try:
        async with ask(target, bearer(secret), is_any_status_an_answer=True) as answer:
            body = bytearray()
            async for chunk in answer.chunks():
                body += chunk
                if len(body) >= HEARD_BYTES:
                    break
            headers = {name.lower(): value for name, value in answer.response.headers.items()}
            return Heard(answer.response.status, headers, bytes(body[:HEARD_BYTES]))
    except BotFailure as failure:
        return failure


def address_of(url: str, path: str) -> str:
    """Where a question goes: the URL itself, the root of its host, or beside the URL's last part."""
    if not path:
        return url
    return urljoin(url, path) if path.startswith("/") else f"{url.rstrip('/')}/{path}"


def clues_in(url: str, heard: Mapping[Question, Heard], adapters: Mapping[str, Adapter]) -> dict[str, Finding]:
    """What a server says of itself comes before what its answers look like, and that before the path."""
    clues = {NATIVE: clue} if (clue := native_clue(heard)) else {}
    for protocol, adapter in adapters.items():
        if clue := adapter.clue_in(heard):
            clues.setdefault(protocol, clue)
    path = urlsplit(url).path.rstrip("/")
    for ending, protocol in PATHS.items():
        if path.endswith(ending):
            clues.setdefault(protocol, sentence(gettext_noop("Its path ends with %(ending)s."), ending=ending))
    return clues


def native_clue(heard: Mapping[Question, Heard]) -> Finding | None:
    """A bot of huace/1 may answer GET with `{"protocol": "huace/1"}`, or any request with that in the header `Huace-Protocol`."""
    for (method, path), answer in heard.items():
        if path == "" and answer.headers.get("huace-protocol", "").strip() == NATIVE:
            return sentence(
                gettext_noop("The header Huace-Protocol of its answer to %(method)s says %(protocol)s."),
                method=method,
                protocol=NATIVE,
            )
    said = heard.get(("GET", ""))
    if said is not None and _names_native(said.body):
        return sentence(gettext_noop("Its answer to GET says %(protocol)s."), protocol=NATIVE)
    return None


def _names_native(body: bytes) -> bool:
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        return False
    return isinstance(said, dict) and said.get("protocol") == NATIVE
