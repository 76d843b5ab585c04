"""manage.py rehearse SLUG: plays a stored campaign against its registered systems before the day."""

import asyncio
import subprocess
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from audit.actions import record
from campaigns.management.campaign_named import campaign_named
from campaigns.trail_acts import REHEARSED
from demo.installation import Installation
from demo.real_campaign import BotReport, Scripted, file_of_rehearsal, report_of
from demo.rehearsal import rehearse
from demo.setting_up import Accounts, bots_of, first_organizer, set_up
from demo.tournament import Workplace
from participants.models import AllowedAddress
from reading.checking import BadFile


class Command(BaseCommand):
    help = (
        "Plays a stored campaign with scripted people against its registered systems, in a database of its own that goes "
        "afterwards: nothing of it counts. Says how each system did; fails where one failed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", metavar="SLUG")
        parser.add_argument(
            "--scenarios", type=int, default=3, help="each system meets the first N scenarios (default 3)"
        )

    def handle(self, *, campaign: str, scenarios: int, **options: Any) -> None:
        found = campaign_named(campaign)
        try:
            scripted = file_of_rehearsal(found, n_scenarios=scenarios)
        except BadFile as bad:
            raise CommandError(f"{campaign} cannot be rehearsed: {bad}") from bad
        if not scripted.file.spec.bots or not scripted.file.spec.scenarios:
            raise CommandError(f"{campaign} has no system that could be called, or no scenario.")
        with transaction.atomic():
            record(REHEARSED, by=None, at=timezone.now(), campaign=campaign, about=campaign)
        for alias, why in scripted.left_out.items():
            self.stdout.write(f"{alias}: left out, {why}")
        # Read before the rehearsal has an event loop: no query is made inside.
        self.allowed = [{"place": one.place, "port": one.port} for one in AllowedAddress.objects.all()]
        reports = self.played(scripted)
        for report in reports:
            self.stdout.write(str(report))
        if any(report.failed or report.n_void for report in reports):
            raise CommandError("Not every system answered every turn.")

    def played(self, scripted: Scripted) -> list[BotReport]:
        workplace = Workplace()
        try:
            installation = Installation(workplace, [f"{host}:{port}" for host, port in sorted(settings.OUTBOUND_ALLOW)])
            link = installation.first_link()
            with installation.server() as base:
                return asyncio.run(self.play(Accounts(base), link, scripted))
        except subprocess.CalledProcessError as failed:
            raise CommandError(f"The rehearsal broke off: {failed!r}\n{failed.stderr.decode()}") from failed
        except (RuntimeError, ExceptionGroup) as failed:
            raise CommandError(f"The rehearsal broke off: {failed!r}") from failed
        finally:
            workplace.close()

    async def play(self, accounts: Accounts, link: str, scripted: Scripted) -> list[BotReport]:
        maker = first_organizer(scripted.file.spec)
        await accounts.accept(link, maker)
        async with accounts.program(maker) as organizer:
            for allowed in self.allowed:
                await organizer.post("/api/v1/operate/addresses/", allowed)
        company = await set_up(accounts, scripted.file)
        await rehearse(company, self.stderr.write)
        return await report_of(company, await bots_of(company))
