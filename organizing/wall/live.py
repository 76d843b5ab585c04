"""The walls that are looked at in this server process: one computation per campaign, shared by all its viewers.

Nothing is read where nobody looks. Looks run in a thread of their own: neither pages nor sockets wait for them, and
they wait for neither.
"""

import asyncio
import time
from collections.abc import Callable, Collection, Set
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any, NamedTuple, Protocol, TypeVar

from django.db import InterfaceError, OperationalError, connection
from django.utils import timezone
from django.utils.translation import override

from campaigns.models import CampaignRole, Role
from organizing.wall.health import minute_of
from organizing.wall.needs_reading import NeedsOf
from organizing.wall.pulse import Pulse, data_version
from organizing.wall.reading import Looks
from organizing.wall.rows import NeedShown
from organizing.wall.state import Sections, change_between
from organizing.wall.wall_frames import changed_frame, needs_frame, state, state_frame
from serving.background import Background
from testing_console.live.admission import SocketAdmission, without_credential
from testing_console.live.consumers import admission_of


def admitted(scope: dict[str, Any], slug: str) -> "tuple[SocketAdmission, int | None] | None":
    """What lets the socket in and the campaign that it may look at, if any; None if the person has to log in first."""
    admission = admission_of(scope)
    if admission is None:
        return None
    held = CampaignRole.objects.held_by(admission.person())
    organized = held.filter(campaign__slug=slug, role=Role.ORGANIZER)
    return admission, organized.values_list("campaign", flat=True).first()


def no_longer_admitted(campaign_id: int, held: Collection[SocketAdmission]) -> set[SocketAdmission]:
    """Those whose role, login or token is gone, or whose person was deactivated; three queries whatever their number."""
    organizers = CampaignRole.objects.filter(
        campaign=campaign_id,
        role=Role.ORGANIZER,
        person__in={admission.person_id for admission in held},
        person__is_active=True,
    ).select_related("person")
    passwords = {
        role.person_id: role.person.password for role in organizers if not role.person.must_set_up_second_factor()
    }
    ended = without_credential(held)
    return {
        admission
        for admission in held
        if admission.person_id not in passwords
        or admission.is_outdated(passwords[admission.person_id])
        or admission in ended
    }


# CPU share; permitted burst; longest rest, which also bounds the one after the slow first look of a process.
SHARE = 0.03
BURST_S = 0.3
LONGEST_REST_S = 10.0


@dataclass(slots=True)
class Allowance:
    """Work that was not done for a while may be done at once; what goes on and on takes no more than its share of the time."""

    work_s: float = 0.0
    noted_at_s: float = 0.0

    def note(self, work_s: float, now_s: float) -> None:
        """Adds `work_s` seconds of work that ended now."""
        self.work_s = min(self._left_at(now_s) + work_s, BURST_S + LONGEST_REST_S * SHARE)
        self.noted_at_s = now_s

    def rest_s(self, now_s: float) -> float:
        """How long to wait before more is done."""
        return min(LONGEST_REST_S, max(0.0, (self._left_at(now_s) - BURST_S) / SHARE))

    def _left_at(self, now_s: float) -> float:
        return max(0.0, self.work_s - SHARE * (now_s - self.noted_at_s))


LOOK_EVERY_S = 0.5
EXPEL_EVERY_S = 1.0
# What needs a person is read from many tables: at once when anything happened that can change it, else so often.
PULSE_EVERY_S = 0.5
NEEDS_EVERY = timedelta(seconds=10)
Needs = dict[str, list[NeedShown]]
T = TypeVar("T")


class Viewer(Protocol):
    """An open socket of a wall."""

    admission: SocketAdmission
    language: str

    def show(self, frame: str) -> None: ...

    def expel(self) -> None: ...


class News(NamedTuple):
    """What one look gives: the change for those who were there before, the whole state for those who come.

    `is_pressing` says that what needs a person may have changed with it: a bot's state, or how many dialogues are done.
    """

    change: str
    states: dict[str, str]
    is_pressing: bool


class CampaignWall:
    """The looks at one campaign. Used in the walls' thread alone, but for the needs, which come from another."""

    def __init__(self, campaign_id: int) -> None:
        self.campaign_id = campaign_id
        self._looks = Looks(campaign_id)
        self._shown: Sections | None = None
        self._version: int | None = None
        self._minute = 0
        self._needs = NeedsOf(campaign_id)
        self._pulse: Pulse | None = None
        self._needs_at: datetime | None = None
        # Set in the walls' thread, cleared in the slow one.
        self._has_moved = False
        self.needs: Needs = {}

    def look(self, languages: Collection[str], at: datetime) -> News:
        before = self._shown
        if before is None or self._has_news(at):
            self._shown = self._looks.look(at).sections()
        assert self._shown is not None, "the first look shows something"
        change = change_between(before, self._shown) if before is not None else None
        told = changed_frame(change, at) if change else ""
        states = {language: self._state(language, at) for language in languages}
        is_pressing = pressing_in(before) != pressing_in(self._shown)
        self._has_moved = self._has_moved or is_pressing
        return News(told, states, is_pressing)

    def look_for_needs(self, languages: Set[str], at: datetime) -> Needs | None:
        """What needs a person, by language; None where nothing can have changed it, or before the first look.

        In the slow thread.
        """
        self._pulse = self._pulse or Pulse(self.campaign_id)
        # Cleared before the look: what moves during it is looked at twice rather than never.
        has_moved, self._has_moved = self._has_moved, False
        has_changed = self._pulse.has_changed()
        is_due = self._needs_at is None or at >= self._needs_at + NEEDS_EVERY
        if self._shown is None or not (has_moved or has_changed or is_due or languages - self.needs.keys()):
            return None
        if has_moved or (has_changed and not self._pulse.is_of_reviewers):
            self._needs.forget()
        self._needs_at = at
        return self._needs.shown(languages, at, self._shown)

    def _has_news(self, at: datetime) -> bool:
        """False where nobody committed anything, as far as the database can say so; bars move on every minute."""
        minute, version = minute_of(at), data_version()
        is_same = minute == self._minute and version is not None and version == self._version
        # The version comes before the look: what is committed in between is looked at twice rather than never.
        self._minute, self._version = minute, version
        return not is_same

    def _state(self, language: str, at: datetime) -> str:
        assert self._shown is not None, "asked for after a look"
        titles = titles_of(self._looks, language)
        return state_frame(state(self._shown, at=at, titles=titles, needs=self.needs.get(language)))


def pressing_in(sections: Sections | None) -> Any:
    """What of the wall decides about what needs a person: the states of bots, and how many dialogues are over."""
    if sections is None:
        return None
    figures = sections["figures"]["all"]
    states = {alias: row["state"] for alias, row in sections["bots"].items()}
    return states, figures["done"] + figures["unscored"]


def titles_of(looks: Looks, language: str) -> dict[str, str]:
    with override(language):
        return {scenario.key: scenario.title for scenario in looks.campaign.scenarios.all()}


class LiveWall:
    """One campaign's wall and its viewers. Touched on the event loop only."""

    def __init__(self, campaign_id: int, walls: "Walls") -> None:
        self._walls = walls
        self._wall = CampaignWall(campaign_id)
        self.viewers: set[Viewer] = set()
        self._coming: set[Viewer] = set()
        self._has_coming = asyncio.Event()
        self._is_pressing = asyncio.Event()
        self._background = Background(asyncio.get_running_loop())
        self._background.keep("The live wall", self._follow)
        self._background.keep("What needs a person on the live wall", self._follow_needs)
        self._background.keep("The closing of walls of people who logged out", self._expel)

    def join(self, viewer: Viewer) -> None:
        self._coming.add(viewer)
        self._has_coming.set()

    def leave(self, viewer: Viewer) -> None:
        self._coming.discard(viewer)
        self.viewers.discard(viewer)

    @property
    def is_empty(self) -> bool:
        return not (self.viewers or self._coming)

    def close(self) -> None:
        self._background.cancel()

    async def _follow(self) -> None:
        while True:
            # Before the look: who comes during it waits for the next one, which begins at once.
            self._has_coming.clear()
            coming = set(self._coming)
            languages = {viewer.language for viewer in coming}
            news = await self._walls.read(self._wall.look, languages, timezone.now())
            self._show(news, coming & self._coming)
            if coming or news.is_pressing:
                self._is_pressing.set()
            try:
                async with asyncio.timeout(LOOK_EVERY_S):
                    await self._has_coming.wait()
            except TimeoutError:
                pass

    def _show(self, news: News, came: set[Viewer]) -> None:
        """The change first, then the newcomers: their state has it already."""
        if news.change:
            for viewer in tuple(self.viewers):
                viewer.show(news.change)
        for viewer in came:
            viewer.show(news.states[viewer.language])
        self._coming -= came
        self.viewers |= came

    async def _follow_needs(self) -> None:
        allowance = Allowance()
        while True:
            await asyncio.sleep(allowance.rest_s(time.monotonic()))
            with suppress(TimeoutError):
                async with asyncio.timeout(PULSE_EVERY_S):
                    await self._is_pressing.wait()
            self._is_pressing.clear()
            languages, at = {viewer.language for viewer in self.viewers}, timezone.now()
            look = partial(self._wall.look_for_needs, languages, at)
            found, work_s = await self._walls.read_slowly(timed, look)
            allowance.note(work_s, time.monotonic())
            if found is not None:
                self._show_needs(found, at)

    def _show_needs(self, found: Needs, at: datetime) -> None:
        changed = {language for language in found if found[language] != self._wall.needs.get(language)}
        self._wall.needs = found
        for viewer in tuple(self.viewers):
            if viewer.language in changed:
                viewer.show(needs_frame(found[viewer.language], at))

    async def _expel(self) -> None:
        while True:
            await asyncio.sleep(EXPEL_EVERY_S)
            viewers = self.viewers | self._coming
            held = {viewer.admission for viewer in viewers}
            gone = await self._walls.read(no_longer_admitted, self._wall.campaign_id, held)
            for viewer in viewers:
                if viewer.admission in gone:
                    viewer.expel()


class Walls:
    """The walls of one process and event loop; made by `current()` on first use."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self._open: dict[int, LiveWall] = {}
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="wall")
        # Looks must not wait for it, and it may take longer than one of them.
        self._slow_thread = ThreadPoolExecutor(1, thread_name_prefix="wall-needs")

    def join(self, campaign_id: int, viewer: Viewer) -> None:
        if campaign_id not in self._open:
            self._open[campaign_id] = LiveWall(campaign_id, self)
        self._open[campaign_id].join(viewer)

    def leave(self, campaign_id: int, viewer: Viewer) -> None:
        wall = self._open.get(campaign_id)
        if wall is None:
            return
        wall.leave(viewer)
        if wall.is_empty:
            del self._open[campaign_id]
            wall.close()
        if not self._open:
            for thread in (self._thread, self._slow_thread):
                thread.submit(connection.close)

    async def read(self, query: Callable[..., T], *arguments: Any) -> T:
        return await self.loop.run_in_executor(self._thread, _read, query, *arguments)

    async def read_slowly(self, query: Callable[..., T], *arguments: Any) -> T:
        return await self.loop.run_in_executor(self._slow_thread, _read, query, *arguments)


def timed(query: Callable[[], T]) -> tuple[T, float]:
    """What it gives, and the seconds of a core that this thread took for it."""
    began_s = time.thread_time()
    return query(), time.thread_time() - began_s


def _read(query: Callable[..., T], *arguments: Any) -> T:
    try:
        return query(*arguments)
    except (OperationalError, InterfaceError):
        # After a restart of the database the connection is dead; the caller asks again.
        connection.close()
        raise


_walls: Walls | None = None


def current() -> Walls:
    """The walls of this process, made on first use on the running event loop."""
    global _walls
    if _walls is None or _walls.loop is not asyncio.get_running_loop():
        _walls = Walls()
    return _walls
