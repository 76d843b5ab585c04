"""A bot that speaks over a WebSocket is checked like others; its URL is asked nothing to find out its protocol."""

import asyncio
import json

import pytest

from conformance.lab import check_bot
from participants.adapters import ADAPTERS
from participants.adapters.calls import BotAddress
from tests.conformance.checking import SMALL, of, verdicts
from tests.fakes.defective_bots import DefectiveBot
from tests.fakes.socket_bots import socket_bot

OPTIONS = {
    "request": '{"dialogue": "{{dialogue}}", "turn": "{{turn}}", "text": "{{text}}", "key": "{{turn_key}}"}',
    "stream_kind": "websocket",
    "reply": "text",
}


def checked(bot):
    async def serve(socket, request):
        async for message in socket:
            asked = json.loads(message.data)
            await socket.send_json(await bot.answer(asked, asked["key"]))

    async def check():
        async with socket_bot(serve) as (door, host):
            return await check_bot(
                BotAddress("mapping", f"ws://{host}/live", "", OPTIONS), door, ADAPTERS, limits=SMALL
            )

    return asyncio.run(check())


def test_a_healthy_bot_over_a_websocket_is_green():
    report = checked(DefectiveBot())
    assert set(verdicts(report).values()) == {"pass"}, verdicts(report)
    assert "asked nothing" in of(report, "protocol").sentence.in_english


@pytest.mark.parametrize(("defect", "name"), [("forgets", "memory"), ("mojibake", "chinese")])
def test_its_defects_are_found_with_a_command_that_asks_again(defect, name):
    found = of(checked(DefectiveBot(defect)), name)
    assert found.verdict == "fail"
    assert found.curl.startswith("printf ")
    assert " | websocat -n1 " in found.curl
