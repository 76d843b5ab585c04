"""manage.py replay SLUG [DIALOGUE] --against ENTRY: puts finished dialogues to a system again, and waits for what comes of it."""

import asyncio
from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from asgiref.sync import sync_to_async
from django.core.management.base import BaseCommand, CommandError
from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.management.campaign_named import campaign_named
from campaigns.models import Campaign, Entry
from dialogues.models import Dialogue
from replays.access import ids_in
from replays.actions.asking import MOST_AT_ONCE, CannotReplay, ask_replays, plan_replays, replayable, with_lines
from replays.keeper import ReplayKeeper
from replays.models import Replay, ReplayState


class Command(BaseCommand):
    help = (
        "Puts the tester's lines of a finished dialogue to a system again and compares the answers. With --all N it takes the latest N "
        "dialogues with that system, or with the one that --of names. What a run before left unfinished goes on, and what it finished is not done again; --again does."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the campaign")
        parser.add_argument("dialogue", nargs="?", default="", help="the id of a dialogue")
        parser.add_argument(
            "--against", required=True, metavar="ENTRY", help="the key or alias of the system that is asked"
        )
        parser.add_argument(
            "--of", default="", metavar="ENTRY", help="the system whose dialogues are taken; the same one without it"
        )
        parser.add_argument("--all", type=int, default=0, metavar="N", dest="n", help="the latest N finished dialogues")
        parser.add_argument("--again", action="store_true", help="also those that were replayed against it before")
        parser.add_argument("--count", action="store_true", help="says how many calls it would make, and makes none")

    def handle(
        self, *, slug: str, dialogue: str, against: str, of: str, n: int, again: bool, count: bool, **_options: Any
    ) -> None:
        campaign = campaign_named(slug)
        asked = entry_named(campaign, against)
        wanted = self.wanted(campaign, dialogue, entry_named(campaign, of) if of else asked, n)
        unfinished = Replay.objects.under_way().filter(against=asked, dialogue__in=wanted, round=None)
        ids = list(unfinished.values_list("pk", flat=True))
        fresh = wanted.exclude(pk__in=unfinished.values("dialogue"))
        if not again:
            done = Replay.objects.filter(against=asked, state=ReplayState.DONE, round=None).values("dialogue")
            fresh = fresh.exclude(pk__in=done)
        plan = plan_replays(campaign, list(with_lines(fresh)), timezone.now())
        said = {"n": plan.n_dialogues, "calls": plan.n_calls, "left": plan.n_left, "resumed": len(ids)}
        self.say(_("%(n)s dialogues, %(calls)s calls of %(left)s; unfinished before: %(resumed)s") % said)
        if count:
            return
        ids += self.ask(campaign, asked, fresh, plan.n_dialogues)
        if ids:
            asyncio.run(self.follow(ids))
            self.tell(ids)
        else:
            self.say(_("Nothing is left to do."))

    def wanted(self, campaign: Campaign, dialogue: str, of: Entry, n: int) -> Any:
        """The dialogues that the command names. Errors: `CommandError` for none, and for both ways to name them."""
        if bool(dialogue) == bool(n):
            raise CommandError(_("Name a dialogue, or say how many by --all."))
        found = replayable(campaign)
        if dialogue:
            found = found.filter(pk__in=ids_in([dialogue]))
        else:
            found = found.filter(
                pk__in=found.filter(assignment__entry=of).order_by("-closed_at", "pk").values("pk")[:n]
            )
        if not found.exists():
            raise CommandError(str(CannotReplay("no_dialogues")))
        return Dialogue.objects.filter(pk__in=found.values("pk"))

    def ask(self, campaign: Campaign, against: Entry, fresh: Any, n: int) -> list[UUID]:
        """Asks for the rest in parts; a part that is refused leaves those before it."""
        made: list[UUID] = []
        pks = list(fresh.values_list("pk", flat=True))
        for start in range(0, n, MOST_AT_ONCE):
            part = Dialogue.objects.filter(pk__in=pks[start : start + MOST_AT_ONCE])
            try:
                made += [
                    one.pk
                    for one in ask_replays(
                        campaign=campaign, dialogues=part, against=against, by=None, at=timezone.now()
                    )
                ]
            except CannotReplay as refused:
                raise CommandError(str(refused)) from refused
        return made

    async def follow(self, ids: list[UUID]) -> None:
        """Works on them beside the server's processes, and says how far they are whenever that changes."""
        keeper, told = ReplayKeeper(only=ids), ""

        async def is_enough() -> bool:
            nonlocal told
            n_over, now = await sync_to_async(progress_of)(ids)
            if now != told:
                told = now
                self.say(now)
            return n_over == len(ids)

        try:
            await keeper.run(is_enough)
        finally:
            await keeper.close()

    def tell(self, ids: list[UUID]) -> None:
        for one in Replay.objects.with_names().filter(pk__in=ids).order_by("asked_at", "pk"):
            figures = (
                f"{one.n_changed}/{one.n_turns}  {one.distance:.2f}"
                if one.distance is not None
                else one.failure_in_words
            )
            parts = "" if one.parts_at is None else _("parts at turn %(n)s") % {"n": one.parts_at}
            self.say(f"{one.dialogue_id}  {one.get_state_display()}  {figures}  {parts}".rstrip())

    def say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()


def entry_named(campaign: Campaign, name: str) -> Entry:
    """Errors: `CommandError`."""
    found = campaign.entries.filter(Q(key=name) | Q(alias=name)).select_related("campaign", "bot__team").first()
    if found is None:
        raise CommandError(_("There is no system %(name)s in this campaign.") % {"name": name})
    return found


def progress_of(ids: list[UUID]) -> tuple[int, str]:
    """How many are over, and that in words."""
    counted = dict(Replay.objects.filter(pk__in=ids).order_by().values_list("state").annotate(n=Count("pk")))
    n_turns = Replay.objects.filter(pk__in=ids).aggregate(n=Count("turns"))["n"]
    n_over = sum(n for state, n in counted.items() if state not in (ReplayState.QUEUED, ReplayState.RUNNING))
    said = {"over": n_over, "all": len(ids), "calls": n_turns}
    return n_over, _("%(over)s of %(all)s done, %(calls)s calls made") % said
