"""One computation for all viewers of a campaign: who comes gets the state, who is there what changed, and then nothing is left."""

import asyncio
import json
from types import SimpleNamespace

import pytest
from django.db import OperationalError
from django.utils import timezone

from campaigns.actions.stages import pause_bot
from dialogues.models import Dialogue
from organizing.wall import live, pulse
from organizing.wall.live import CampaignWall, News, Walls
from serving import background

AT = timezone.now()


@pytest.mark.django_db
def test_a_board_tells_the_state_to_who_comes_and_else_only_what_changed(campaign, dialogue):
    board = CampaignWall(campaign.pk)
    first = board.look({"en", "zh-hans"}, AT)
    assert first.change == ""
    assert json.loads(first.states["en"])["titles"] == {"flight-then-hotel": "Flight and hotel"}
    assert json.loads(first.states["zh-hans"])["titles"] == {"flight-then-hotel": "机票和酒店"}
    assert board.look(set(), AT) == News("", {}, is_pressing=False)


@pytest.mark.django_db
def test_a_bot_that_pauses_is_pressing(campaign, dialogue, monkeypatch):
    monkeypatch.setattr(live, "data_version", lambda: None)
    board = CampaignWall(campaign.pk)
    board.look(set(), AT)
    campaign.entries.update(paused_at=AT, paused_because="x")
    news = board.look(set(), AT)
    assert news.is_pressing
    assert list(json.loads(news.change)["rows"]) == ["bots"]


@pytest.mark.django_db
def test_needs_are_read_when_something_happened_that_can_change_them(campaign, dialogue, organizer, monkeypatch):
    read = []
    board = CampaignWall(campaign.pk)
    assert board.look_for_needs({"en"}, AT) is None
    board.look(set(), AT)
    shown = board._needs.shown
    monkeypatch.setattr(board._needs, "shown", lambda *asked: read.append(1) or shown(*asked))
    monkeypatch.setattr(pulse, "data_version", lambda: None)
    monkeypatch.setattr(live, "data_version", lambda: None)
    board.needs = board.look_for_needs({"en"}, AT)
    assert (board.needs, board.look_for_needs({"en"}, AT), len(read)) == ({"en": []}, None, 1)
    pause_bot(entry=campaign.entries.get(), because="x", by=organizer, at=AT)
    assert [need["key"].split(":")[0] for need in board.look_for_needs({"en"}, AT)["en"]] == ["paused"]
    assert board.look_for_needs({"en"}, AT) is None
    Dialogue.objects.update(status="completed", closed_at=AT)
    assert board.look(set(), AT).is_pressing
    assert board.look_for_needs({"en"}, AT) is not None
    assert board.look_for_needs({"en"}, AT) is None
    assert board.look_for_needs({"en", "zh-hans"}, AT) is not None
    assert board.look_for_needs({"en"}, AT + live.NEEDS_EVERY) is not None


@pytest.mark.django_db
def test_nothing_is_read_while_nobody_commits(campaign, dialogue, monkeypatch, django_assert_num_queries):
    version = iter([1, 1, 2])
    monkeypatch.setattr(live, "data_version", lambda: next(version))
    board = CampaignWall(campaign.pk)
    board.look(set(), AT)
    board.look(set(), AT)
    with django_assert_num_queries(0):
        board.look(set(), AT)
    campaign.entries.update(paused_at=AT, paused_because="x")
    assert board.look(set(), AT).change


class Looks:
    """A board in the place of one that reads: each look says its number."""

    def __init__(self, campaign_id):
        self.campaign_id, self.n_looks, self.needs, self.error = campaign_id, 0, {}, None

    def look(self, languages, at):
        if self.error:
            error, self.error = self.error, None
            raise error
        self.n_looks += 1
        return News(f"change {self.n_looks}", {name: f"state {self.n_looks} {name}" for name in languages}, False)

    def look_for_needs(self, languages, at):
        return {name: [] for name in languages}


class Viewer:
    def __init__(self, language="en"):
        self.language, self.admission, self.heard, self.is_expelled = language, SimpleNamespace(), [], False

    def show(self, frame):
        if "wall.needs" not in frame:
            self.heard.append(frame)

    def expel(self):
        self.is_expelled = True


@pytest.fixture
async def walls(monkeypatch):
    boards = []

    def made(campaign_id):
        boards.append(Looks(campaign_id))
        return boards[-1]

    gone = set()
    monkeypatch.setattr(live, "CampaignWall", made)
    monkeypatch.setattr(live, "no_longer_admitted", lambda campaign_id, held: gone & held)
    monkeypatch.setattr(live, "LOOK_EVERY_S", 0.01)
    monkeypatch.setattr(live, "EXPEL_EVERY_S", 0.01)
    monkeypatch.setattr(background, "FIRST_PAUSE_S", 0.01)
    running = Walls()
    running.boards, running.gone = boards, gone
    yield running
    for campaign_id, wall in list(running._open.items()):
        for viewer in tuple(wall.viewers):
            running.leave(campaign_id, viewer)


async def until(holds):
    async with asyncio.timeout(60):
        while not holds():
            await asyncio.sleep(0.005)


async def test_viewers_of_a_campaign_share_its_looks(walls):
    one, other = Viewer("en"), Viewer("zh-hans")
    walls.join(1, one)
    walls.join(1, other)
    await until(lambda: len(one.heard) > 2 and len(other.heard) > 2)
    assert len(walls.boards) == 1
    assert (one.heard[0].split()[0], other.heard[0].split()[2]) == ("state", "zh-hans")
    assert all(frame.startswith("change") for frame in one.heard[1:])


async def test_a_state_comes_before_the_changes_that_follow_it(walls):
    first = Viewer()
    walls.join(1, first)
    await until(lambda: len(first.heard) > 2)
    late = Viewer()
    walls.join(1, late)
    await until(lambda: len(late.heard) > 3)
    numbers = [int(frame.split()[1]) for frame in late.heard]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


async def test_nothing_is_computed_when_nobody_looks(walls):
    viewer = Viewer()
    walls.join(1, viewer)
    await until(lambda: viewer.heard)
    walls.leave(1, viewer)
    await asyncio.sleep(0.03)
    n_looks = walls.boards[0].n_looks
    await asyncio.sleep(0.1)
    assert walls.boards[0].n_looks == n_looks
    assert not walls._open


async def test_a_database_that_was_away_costs_a_pause_only(walls):
    viewer = Viewer()
    walls.join(1, viewer)
    await until(lambda: viewer.heard)
    walls.boards[0].error = OperationalError("server closed the connection unexpectedly")
    n_heard = len(viewer.heard)
    await until(lambda: len(viewer.heard) > n_heard + 2)


async def test_who_may_no_longer_look_is_expelled(walls):
    stays, goes = Viewer(), Viewer()
    stays.admission, goes.admission = "stays", "goes"
    walls.join(1, stays)
    walls.join(1, goes)
    await until(lambda: stays.heard)
    walls.gone.add("goes")
    await until(lambda: goes.is_expelled)
    assert not stays.is_expelled
