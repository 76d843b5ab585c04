"""Plays the whole demo campaign without people, over the real server, sockets and bots, and scores by what happened.

At the terminal it only migrates and invites the first organizer; everything else goes through the API, so it proves what
an organizer without a shell can do.
"""

import asyncio
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp

from campaigns.campaign_file.reader import CampaignSpec
from demo.goal_card import CardReader, impressions_of, is_booked, scores_of
from demo.programs import Played, play_script
from demo.sample_bots import SampleBot
from demo.setting_up import Company
from leaderboards.board_json import board_as_text
from simulation.program import Program

# Entries of demo/protocols.toml that are a sample bot of another name.
SAME_BOTS = {"flights-whole": "flights", "mapped": "booking"}
DIALOGUES_AT_ONCE_PER_TESTER = 3


@dataclass(frozen=True, slots=True)
class Plan:
    """Where the server is, which campaign is played with whose tokens, where each bot's bookings are, and what can be scored."""

    base: str
    campaign: str
    tokens: Sequence[str]
    bot_addresses: Mapping[str, str]
    scales: Mapping[str, Sequence[int]]


def reader_of(card: Mapping[str, Any]) -> CardReader:
    return CardReader(card["opening"]["zh"], [subtask["kind"] for subtask in card["subtasks"]], card["facts"])


def scales_of(spec: CampaignSpec) -> dict[str, Sequence[int]]:
    """The points of each criterion of the campaign's rubric, the worst first."""
    return {
        criterion.key: criterion.scores if criterion.better == "higher" else criterion.scores[::-1]
        for criterion in spec.rubric.criteria
        if criterion.is_scale
    }


async def play_all(plan: Plan, report: Callable[[int, int], None]) -> list[Played]:
    """Every assignment of every tester, several at a time; `report` hears how many of how many are done."""
    played: list[Played] = []
    async with AsyncExitStack() as stack:
        testers = [await stack.enter_async_context(Program(plan.base, token)) for token in plan.tokens]
        bots = await stack.enter_async_context(aiohttp.ClientSession())
        lists = [await tester.get(f"/api/v1/assignments/?campaign={plan.campaign}") for tester in testers]
        total = sum(map(len, lists))

        async def work(tester: Program, assignments: list[dict[str, Any]]) -> None:
            while assignments:
                one = await play_script(tester, assignments.pop(0), reader_of)
                await review(tester, bots, plan, one)
                played.append(one)
                report(len(played), total)

        async with asyncio.TaskGroup() as group:
            for tester, assignments in zip(testers, lists, strict=True):
                for _ in range(DIALOGUES_AT_ONCE_PER_TESTER):
                    group.create_task(work(tester, assignments))
    return played


async def review(tester: Program, bots: aiohttp.ClientSession, plan: Plan, played: Played) -> None:
    """Hands in the scores: a subtask is finished if the bot's own database holds the right booking, and was closed so."""
    bookings = await bookings_of(bots, plan.bot_addresses[played.card["bot"]], played.dialogue)
    kinds, facts = [subtask["kind"] for subtask in played.card["subtasks"]], played.card["facts"]
    verdicts = {
        str(index): status == "finished" and is_booked(kind, facts[kind], bookings)
        for index, (kind, status) in enumerate(zip(kinds, played.statuses, strict=True), start=1)
    }
    impressions = impressions_of(sum(verdicts.values()), len(kinds), played.n_turns, played.n_repeats)
    await tester.post(
        f"/api/v1/dialogues/{played.dialogue}/review/",
        {"ratings": scores_of(impressions, plan.scales), "verdicts": verdicts},
    )


async def bookings_of(bots: aiohttp.ClientSession, address: str, dialogue: str) -> Sequence[Mapping[str, Any]]:
    async with bots.get(f"http://{address}/bookings", params={"dialogue": dialogue}) as answer:
        booked: list[Mapping[str, Any]] = await answer.json()
        return booked


def addresses_of(bots: Iterable[SampleBot]) -> dict[str, str]:
    """Where the bookings of each bot of a campaign file are listed, by its key there."""
    addresses = {bot.key: bot.bookings_address for bot in bots}
    return addresses | {key: addresses[same] for key, same in SAME_BOTS.items() if same in addresses}


def with_bot_urls(toml: str, moved: Mapping[SampleBot, SampleBot]) -> str:
    """The campaign file with its bots on other ports."""
    for usual, now in moved.items():
        toml = toml.replace(usual.url, now.url)
    return toml


class Workplace:
    """A folder with a database of its own, so that a rehearsal never touches the campaign that people work in.

    It goes with the rehearsal, unless it is to be kept.
    """

    def __init__(self, keep: Path | None = None) -> None:
        self._folder = None if keep else tempfile.TemporaryDirectory(prefix="huace-tournament-")
        self.path = Path(self._folder.name) if self._folder else keep or Path()
        self.path.mkdir(exist_ok=True)

    @property
    def database_url(self) -> str:
        return f"sqlite:///{self.path / 'tournament.sqlite3'}"

    def close(self) -> None:
        if self._folder:
            self._folder.cleanup()


LIMIT_S, LOOK_S = 60.0, 0.1


async def final_board(company: Company) -> str:
    """Once every score that was handed in is in the figures. Errors: `RuntimeError` if that takes longer than a minute."""
    ends_at = time.monotonic() + LIMIT_S
    async with company.organizer() as organizer:
        while time.monotonic() < ends_at:
            board: Mapping[str, Any] = await organizer.get(f"{company.place}leaderboard/")
            if not board["is_outdated"]:
                return board_as_text(board)
            await asyncio.sleep(LOOK_S)
    raise RuntimeError(f"The leaderboard of {company.spec.slug} was not computed within {LIMIT_S:g} s.")
