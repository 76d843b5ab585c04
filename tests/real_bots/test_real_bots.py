"""Each adapter talks to a real server of its protocol, through `ask`: several turns, streams, two dialogues in turn.

Not here: Rasa (several gigabytes of TensorFlow), Ollama (no package, and models), ConvLab (models; an agent of its shape on real Flask is), Dify (a dozen containers), Coze and
DialPort (services of their makers).
"""

import json
from dataclasses import dataclass, field
from uuid import uuid4

import pytest

from conformance.guessing import guess_protocol
from participants.adapters import ADAPTERS, BotAddress, BotCall, Context, History, Reply, Utterance
from participants.adapters.asking import ask
from participants.adapters.calls import NO_CONTEXT
from participants.adapters.trying import tried
from participants.failures import BotFailure
from participants.outbound import Door
from tests.real_bots.installing import APPS, installed_node, installed_python, running

pytestmark = pytest.mark.real_bots

GRADIO = {
    # What came out after this version no longer starts with newer ones of its own parts.
    4: ("gradio>=4.44,<5", "fastapi<0.113", "starlette<0.39", "pydantic<2.11", "huggingface_hub<1"),
    5: ("gradio>=5,<6",),
    6: ("gradio>=6,<7",),
}
# The last whose JSON is None where none was sent, and one that refuses such a request.
FLASK = {"old": ("flask==2.0.3", "werkzeug==2.0.3"), "new": ("flask>=3,<4",)}
BEGINNING = b'{"input": "x", "agent_state": {}}'


@dataclass
class Talk:
    """One dialogue with a bot, whose state goes through JSON between the turns."""

    bot: BotAddress
    port: int
    dialogue: str = field(default_factory=lambda: str(uuid4()))
    history: History = field(default_factory=History)
    n_turns: int = 0
    heard: list[str] = field(default_factory=list)
    context: Context = NO_CONTEXT
    language: str = "zh"

    def call(self, text: str, turn: int) -> BotCall:
        return BotCall(
            self.bot,
            self.dialogue,
            turn,
            text,
            f"{self.dialogue}:{turn}",
            history=self.history,
            context=self.context,
            language=self.language,
            deadline_s=60,
        )

    async def open(self) -> Reply:
        return await self._ask(self.call("", 0))

    async def say(self, text: str) -> Reply:
        self.n_turns += 1
        reply = await self._ask(self.call(text, self.n_turns))
        state = json.loads(json.dumps(reply.state))
        said = (Utterance("user", text), *(Utterance("bot", one) for one in reply.texts))
        self.history = self.history.and_then(*said, state=state)
        return reply

    async def _ask(self, call: BotCall) -> Reply:
        self.heard.clear()
        door = Door(frozenset({("127.0.0.1", self.port)}))
        try:
            return await ask(call, door, self.heard.append, ADAPTERS)
        finally:
            await door.close()


def talks(protocol: str, port: int, path: str, **options) -> tuple[Talk, Talk]:
    bot = BotAddress(protocol, f"http://127.0.0.1:{port}{path}", options=options)
    return Talk(bot, port), Talk(bot, port)


async def check_counting(one: Talk, other: Talk) -> None:
    """Two dialogues in turn, with a bot that counts the sentences of each."""
    for n in (1, 2, 3):
        for talk, word in ((one, "甲😀"), (other, "乙")):
            assert (await talk.say(word)).texts[0] == f"{word}，第 {n} 句"


@pytest.fixture(scope="module", params=GRADIO)
def gradio(request):
    return installed_python(f"gradio{request.param}", *GRADIO[request.param])


@pytest.mark.parametrize("way", ["stream", "whole"])
async def test_a_chat_interface_of_gradio_remembers_each_dialogue(gradio, way):
    with running(gradio / "python", APPS / "gradio_chat.py", "{port}", way, wait_for="/config") as port:
        one, other = talks("gradio", port, "/")
        await check_counting(one, other)
        assert "".join(one.heard) == "甲😀，第 3 句"
        assert len(one.heard) > 5 if way == "stream" else len(one.heard) == 1


async def test_an_app_of_blocks_of_gradio_is_given_its_history(gradio):
    with running(gradio / "python", APPS / "gradio_blocks.py", "{port}", wait_for="/config") as port:
        await check_counting(*talks("gradio", port, "/"))


async def test_inputs_of_gradio_that_say_so_get_context_and_language(gradio):
    with running(gradio / "python", APPS / "gradio_inputs.py", "{port}", wait_for="/config") as port:
        told, untold = talks("gradio", port, "/")
        told.context, untold.language = Context({"kb": "京沪线"}), "fr"
        for _ in range(2):
            assert (await told.say("甲")).texts[0] == '甲 | You are kind.\n\n{"kb":"京沪线"} | Chinese | 0.5'
        assert (await untold.say("乙")).texts[0] == "乙 | You are kind. | English | 0.5"


@pytest.mark.parametrize("age", FLASK)
async def test_an_agent_on_flask_outlives_the_guess_of_its_protocol(age):
    programs = installed_python(f"flask-{age}", *FLASK[age])
    with running(programs / "python", APPS / "flask_agent.py", "{port}", wait_for="/nothing") as port:
        one, other = talks("convlab", port, "/")
        door = Door(frozenset({("127.0.0.1", port)}))
        guess = await guess_protocol(f"http://127.0.0.1:{port}/", door, ADAPTERS)
        assert ("GET /" in guess.asked) == (age == "new")
        await check_counting(one, other)
        if age == "old":
            # What others are asked ends this one: nobody answers it, nor anything after it.
            for asking in (door.line(1).get(one.bot.url), door.line(1).post(one.bot.url, BEGINNING, {})):
                with pytest.raises(BotFailure):
                    async with asking:
                        pass
        await door.close()


async def test_the_proxy_of_litellm_is_heard_streamed_and_whole():
    programs = installed_python("litellm", "litellm[proxy]")
    said = "您好，请问要订什么？😀 好的。"
    config = APPS / "litellm.yaml"
    command = (programs / "litellm", "--config", config, "--port", "{port}", "--host", "127.0.0.1")
    with running(*command, wait_for="/health/liveliness") as port:
        for protocol in ("openai", "openai-plain"):
            for talk in talks(protocol, port, "/v1", model="mocked"):
                for _ in range(2):
                    assert (await talk.say("你好")).texts == (said,)
                assert "".join(talk.heard) == (said if protocol == "openai" else "")
        await check_as_mapping(port, said)


async def check_as_mapping(port: int, said: str) -> None:
    """The same server, in the words of the presets."""
    from participants.mappings import PRESETS

    for key in ("chat", "chat-stream"):
        options = dict(next(one.options for one in PRESETS if one.key == key))
        options["request"] = options["request"].replace('"default"', '"mocked"')
        one, _ = talks("mapping", port, "/v1/chat/completions", **options)
        assert (await one.say("你好")).texts == (said,)
        assert "".join(one.heard) == (said if key == "chat-stream" else "")
        result = await tried(one.call("再来", 2), Door(frozenset({("127.0.0.1", port)})), ADAPTERS)
        assert result.reply is not None
        assert result.found


async def test_a_bot_of_botbuilder_remembers_each_conversation_opens_and_ends():
    home = installed_node("botbuilder", "botbuilder@4")
    (home / "activities.js").write_text((APPS / "activities.js").read_text())
    with running("node", "activities.js", "{port}", cwd=home) as port:
        one, other = talks("botframework", port, "/api/messages")
        assert (await one.open()).texts == ("您好",)
        await check_counting(one, other)
        last = await one.say("再见")
        assert (last.texts, last.end) == (("再见，第 4 句", "还有吗？"), True)
        assert (await other.say("乙")).end is False
