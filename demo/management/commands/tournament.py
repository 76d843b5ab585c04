"""manage.py tournament: rehearses a campaign with scripted people and prints its leaderboard."""

import asyncio
import subprocess
import time
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from demo.installation import Installation
from demo.management.commands.demo import CAMPAIGN_FILE, PROTOCOLS_FILE
from demo.rehearsal import rehearse
from demo.sample_bots import (
    BRIDGED_BOT,
    CONTEXT_BOT,
    DIALLED_BOT,
    SAMPLE_BOTS,
    SampleBot,
    dial_environment,
    on_free_ports,
    running,
)
from demo.setting_up import (
    Accounts,
    CampaignFile,
    Company,
    bots_of,
    dial_key_of,
    first_organizer,
    import_dialogues,
    read_file,
    set_up,
)
from demo.tournament import Plan, Workplace, addresses_of, final_board, play_all, scales_of, with_bot_urls
from reading.checking import BadFile

USUAL_BOTS = (*SAMPLE_BOTS, CONTEXT_BOT, BRIDGED_BOT)
Bots = tuple[SampleBot, ...]
Say = Callable[[str], object]


class Command(BaseCommand):
    help = (
        "Plays the whole demo campaign and the one of protocols, or another one on the sample bots, with scripted people over "
        "the API, real sockets and bots, and prints the leaderboard."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--testers", type=int, help="how many of the demo campaign's testers play (default: all)")
        parser.add_argument("--campaign", type=Path, metavar="FILE", help="another campaign, as in examples/campaigns/")
        parser.add_argument(
            "--import", dest="imported", type=Path, metavar="FILE", help="finished dialogues (NTCIR) to be reviewed"
        )
        parser.add_argument("--keep", type=Path, metavar="FOLDER", help="a new folder where the database stays")

    def handle(
        self, *, testers: int | None, campaign: Path | None, imported: Path | None, keep: Path | None, **options: Any
    ) -> None:
        workplace = Workplace(keep)
        bots = on_free_ports(USUAL_BOTS)
        installation = Installation(workplace, [bot.address for bot in bots])
        try:
            paths = [campaign] if campaign else [CAMPAIGN_FILE, PROTOCOLS_FILE]
            first, *more = [with_moved_bots(path, bots) for path in paths]
            link = installation.first_link()
            with running(bots), installation.server() as base:
                tournament = Tournament(Accounts(base), link, bots, self.stderr.write)
                if campaign is None:
                    boards = tournament.play_demo(first, more[0], testers)
                else:
                    boards = [tournament.play_any(first, imported)]
            self.stdout.write("\n\n".join(boards))
        except BadFile as bad:
            raise CommandError(f"{campaign} cannot be rehearsed: {bad}") from bad
        except subprocess.CalledProcessError as failed:
            raise CommandError(f"The tournament broke off: {failed!r}\n{failed.stderr.decode()}") from failed
        except (RuntimeError, ExceptionGroup) as failed:
            raise CommandError(f"The tournament broke off: {failed!r}") from failed
        finally:
            workplace.close()


def with_moved_bots(path: Path, bots: Bots) -> CampaignFile:
    """The file of a campaign, with the sample bots where they are now."""
    text = with_bot_urls(path.read_text(), dict(zip(USUAL_BOTS, bots, strict=True)))
    return read_file(path.name, text.encode())


class Tournament:
    """Campaigns that are set up, played and ranked over the API; the link of the first organizer is all that was made without it."""

    def __init__(self, accounts: Accounts, link: str, bots: Bots, say: Say) -> None:
        self.accounts, self.link, self.bots, self.say = accounts, link, bots, say

    def play_demo(self, demo_file: CampaignFile, protocols_file: CampaignFile, n_testers: int | None) -> list[str]:
        """The demo, and the same bots behind every kind of protocol. Gives the boards, that of protocols first."""
        demo = self.set_up(demo_file)
        self.play(demo, self.bots, n_testers)
        protocols = self.set_up(protocols_file)
        # One of them connects to the platform by itself.
        dialled = on_free_ports((DIALLED_BOT,))
        key = asyncio.run(dial_key_of(protocols, DIALLED_BOT.key))
        with running(dialled, dial_environment(int(demo.base.rpartition(":")[2]), key)):
            self.play(protocols, (*self.bots, *dialled))
        return [asyncio.run(final_board(company)) for company in (protocols, demo)]

    def play_any(self, file: CampaignFile, imported: Path | None) -> str:
        """Everything that the campaign's people would do."""
        company = self.set_up(file)
        if imported:
            said = {"format": "ntcir", "bot": "helpdesk", "team": "Demo Helpdesk"}
            asyncio.run(import_dialogues(company, imported.name, imported.read_bytes(), said))
        asyncio.run(rehearse(company, self.say))
        return asyncio.run(final_board(company))

    def set_up(self, file: CampaignFile) -> Company:
        maker = first_organizer(file.spec)
        if not self.accounts.has(maker):
            asyncio.run(self.accounts.accept(self.link, maker))
        return asyncio.run(set_up(self.accounts, file))

    def play(self, company: Company, bots: Bots, n_testers: int | None = None) -> None:
        """The testers follow their goal cards and score by what the bots really booked."""
        addresses = addresses_of(bots)
        plan = Plan(
            base=company.base,
            campaign=company.spec.slug,
            tokens=list(company.tokens["tester"].values())[:n_testers],
            # Only the organizer's side knows which bot wears which alias.
            bot_addresses={bot["alias"]: addresses[bot["key"]] for bot in asyncio.run(bots_of(company))},
            scales=scales_of(company.spec),
        )
        started = time.monotonic()
        played = asyncio.run(play_all(plan, self.report))
        seconds, n_turns = time.monotonic() - started, sum(one.n_turns for one in played)
        self.say(f"{len(played)} dialogues, {n_turns} turns in {seconds:.1f} s\n")

    def report(self, n_done: int, n_all: int) -> None:
        if n_done % 21 == 0 or n_done == n_all:
            self.say(f"{n_done}/{n_all} dialogues played and scored")
