"""The live wall over real servers: what happens anywhere is on it within a second, and only organizers see it."""

import asyncio
import json
from contextlib import asynccontextmanager, suppress
from functools import partial

import pytest
import websockets

from organizing.wall.reading import PLAN_EVERY
from tests.live.server import Client, live
from tests.live.test_sockets import closed_with

pytestmark = pytest.mark.server

# The promise is a second; two slow cores that run other tests may take longer.
SOON_S = 5.0
ALIKE_S = PLAN_EVERY.total_seconds() + 2 * SOON_S


@pytest.fixture(scope="module")
def two(tmp_path_factory, bot):
    with live(tmp_path_factory.mktemp("wall"), bot.url, processes=2) as running:
        yield running


def address(server, slug="probe"):
    return f"ws://127.0.0.1:{server.port}/ws/campaigns/{slug}/wall/?language=en"


def token(server, person):
    return {"Authorization": f"Token {server.tokens[person]}"}


@asynccontextmanager
async def wall_of(server):
    headers = token(server, "organizer")
    async with websockets.connect(address(server), additional_headers=headers, open_timeout=60) as socket:
        yield Wall(socket)


class Wall(Client):
    """A wall as a browser holds it: the state, with every change applied."""

    async def apply(self, timeout=SOON_S):
        frame = await self.next(timeout)
        if frame["type"] == "wall.state":
            self.sections = frame["sections"]
        elif frame["type"] == "wall.changed":
            for name, rows in frame["rows"].items():
                self.sections[name] |= rows
            for name, keys in frame["gone"].items():
                for key in keys:
                    del self.sections[name][key]

    async def until_it_shows(self, what):
        """Within the promised time `what` holds of the sections."""
        async with asyncio.timeout(SOON_S):
            while not what(self.sections):
                await self.apply()


async def until_alike(walls):
    """Each process looks at another moment, and at the plan every few seconds only; in the end all walls show the same."""
    async with asyncio.timeout(ALIKE_S):
        while any(wall.sections != walls[0].sections for wall in walls):
            for wall in walls:
                with suppress(TimeoutError):
                    await wall.apply(0.2)


def has_answer(dialogue, sections):
    row = {"turns": 1, "waits_for": "tester", "tester": "tester"}
    return row.items() <= sections["dialogues"][dialogue].items()


async def test_what_happens_in_either_process_is_on_the_wall_soon(two):
    """Several sockets and requests, so that both processes have some of them."""
    async with wall_of(two) as first, wall_of(two) as second, wall_of(two) as third:
        walls = (first, second, third)
        for wall in walls:
            await wall.apply()
        opened = [two.open_dialogue("short") for _ in range(4)]
        for wall in walls:
            await wall.until_it_shows(lambda sections: set(opened) <= sections["dialogues"].keys())
        for dialogue in opened:
            async with two.socket(dialogue) as client:
                await client.exchange("你好")
                for wall in walls:
                    await wall.until_it_shows(partial(has_answer, dialogue))
                await client.send(type="dialogue.end", reason="gave_up")
            for wall in walls:
                await wall.until_it_shows(lambda sections, dialogue=dialogue: dialogue not in sections["dialogues"])
        (bot,) = first.sections["bots"].values()
        assert bot["answered"] >= 4
        await until_alike(walls)


async def test_who_comes_back_gets_the_whole_state(two):
    dialogue = two.open_dialogue("short")
    for _ in range(2):
        async with wall_of(two) as wall:
            await wall.apply()
            await wall.until_it_shows(lambda sections: dialogue in sections["dialogues"])


async def test_others_are_closed_out(two):
    url = address(two)
    assert await closed_with(url) == 4401
    assert await closed_with(url, **token(two, "tester")) == 4404
    assert await closed_with(address(two, "nowhere"), **token(two, "organizer")) == 4404


async def test_a_wall_is_closed_within_seconds_when_the_role_goes(two):
    async with wall_of(two) as wall:
        await wall.apply()
        role = "role = 'organizer' AND campaign_id = (SELECT id FROM campaigns_campaign WHERE slug = 'probe')"
        two.database.execute(f"UPDATE campaigns_campaignrole SET role = 'expert' WHERE {role}")
        try:
            async with asyncio.timeout(SOON_S):
                await wall.socket.wait_closed()
            assert wall.socket.close_code == 4401
        finally:
            two.database.execute("UPDATE campaigns_campaignrole SET role = 'organizer' WHERE role = 'expert'")


async def test_a_wall_takes_pings_and_nothing_else(two):
    async with wall_of(two) as wall:
        await wall.send(type="ping")
        await wall.until("pong")
        await wall.send(type="turn.send", key="k", text="x")
        assert (await wall.until("error"))["code"] == "bad_frame"
        await wall.socket.send("[" * 5000)
        assert (await wall.until("error"))["code"] == "bad_frame"


async def test_what_a_program_reads_is_what_the_socket_says(two):
    async with wall_of(two) as wall:
        await wall.apply()
    status, read = two.request("GET", "/api/v1/campaigns/probe/wall/", person="organizer")
    assert status == 200
    assert json.loads(json.dumps(read))["sections"]["dialogues"].keys() == wall.sections["dialogues"].keys()


async def test_what_all_testers_are_told_is_in_their_open_consoles_soon(two):
    dialogue = two.open_dialogue("short")
    async with two.socket(dialogue) as first, two.socket(dialogue) as second:
        said = {"zh": "午休到 14 点", "en": ""}
        status, made = two.request("POST", "/api/v1/campaigns/probe/announcements/", said, person="organizer")
        assert status == 201
        for client in (first, second):
            (notice,) = await standing(client)
            assert (notice["zh"], notice["en"]) == ("午休到 14 点", "午休到 14 点")
        async with two.socket(dialogue) as later:
            assert (await later.next())["type"] == "dialogue.state"
            assert (await later.until("notices", timeout=SOON_S))["notices"]
        taken_back = f"/api/v1/campaigns/probe/announcements/{made['id']}/"
        assert two.request("DELETE", taken_back, {"because": "over"}, person="organizer")[0] == 204
        assert (await first.until("notices", timeout=SOON_S))["notices"] == []
        async with two.socket(dialogue) as later:
            assert (await later.until("notices", timeout=SOON_S))["notices"] == []


async def standing(client):
    """What stands, as soon as anything does: a socket may have heard before that nothing did."""
    while not (told := (await client.until("notices", timeout=SOON_S))["notices"]):
        pass
    return told


async def test_the_wall_says_who_has_a_console_open(two):
    dialogue = two.open_dialogue("short")
    async with wall_of(two) as wall:
        await wall.apply()
        async with two.socket(dialogue) as client:
            await client.next()
            await wall.until_it_shows(lambda sections: sections["testers"]["tester"]["online"])
        await wall.until_it_shows(lambda sections: not sections["testers"]["tester"]["online"])
