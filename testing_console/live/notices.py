"""Once a second for open consoles: announcements reach them, and their testers are noted as present.

Each process looks for itself, so any of them may have taken the announcement.
"""

import asyncio
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

from django.utils import timezone

from campaigns.models import Campaign
from dialogues.actions.reports import note_presence
from dialogues.events import encode
from dialogues.models import Announcement
from dialogues.queries import BEAT, look_up
from serving.commits.group_commit import GroupCommit, Unavailable
from testing_console.live.briefings import Briefings
from testing_console.live.switchboard import Listener, Switchboard
from testing_console.notices import outage_notices, shown_notices

LOOK_EVERY_S = 1.0
NOTHING_STANDS = encode({"type": "notices", "notices": []})


class Notices:
    """Tells each socket what stands in its campaign, whenever that changes."""

    def __init__(self, switchboard: Switchboard, briefings: Briefings) -> None:
        self._switchboard = switchboard
        self._briefings = briefings
        self._told: WeakKeyDictionary[Listener, str] = WeakKeyDictionary()

    async def follow(self) -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            if self._switchboard.dialogues():
                self.tell(*await look_up(notice_frames, timezone.now()))

    def tell(self, frames: dict[int, str], of_all: str = NOTHING_STANDS) -> None:
        """`of_all` is what stands in a campaign without announcements of its own.

        Every socket is told once after it connects, also that nothing stands: its page may show what was taken back while
        the page loaded or had no connection, and nothing else would ever take that away.
        """
        for dialogue_id, listener in self._switchboard.listeners():
            campaign_id = self._briefings.campaign_of(dialogue_id)
            if campaign_id is None:
                continue
            frame = frames.get(campaign_id, of_all)
            if self._told.get(listener) != frame:
                self._told[listener] = frame
                listener.tell_passing(frame)


def notice_frames(at: datetime) -> tuple[dict[int, str], str]:
    """What stands, by campaign; and what the platform says to all campaigns."""
    standing: dict[Campaign, list[Announcement]] = {}
    for one in Announcement.objects.standing(at).select_related("campaign"):
        standing.setdefault(one.campaign, []).append(one)
    ours = outage_notices(at)
    of_each = {campaign.pk: _frame([*ours, *shown_notices(campaign, those)]) for campaign, those in standing.items()}
    return of_each, _frame(ours)


def _frame(notices: list[dict[str, Any]]) -> str:
    return encode({"type": "notices", "notices": notices})


class Attendance:
    """Notes which testers have a console open in this process: at once when one comes or goes, else with every beat."""

    def __init__(self, switchboard: Switchboard, commits: GroupCommit, process: str) -> None:
        self._switchboard = switchboard
        self._commits = commits
        self._process = process
        self._noted: set[int] = set()
        self._noted_at: datetime | None = None

    async def follow(self) -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            await self.note(timezone.now())

    async def note(self, at: datetime) -> None:
        there = {listener.admission.person_id for _dialogue, listener in self._switchboard.listeners()}
        is_due = self._noted_at is None or not timedelta(0) <= at - self._noted_at < BEAT
        if there == self._noted and not (there and is_due):
            return
        left = self._noted - there
        try:
            await self._commits.submit(partial(note_presence, process=self._process, there=there, left=left, at=at))
        except Unavailable:
            return
        self._noted, self._noted_at = there, at
