"""manage.py simulate SLUG --model KEY --n 200: a language model has dialogues with a campaign's systems, over the public API."""

import asyncio
import json
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, no_translations
from django.utils import timezone

from accounts.actions import issue_token_row, revoke_token
from accounts.models import Person
from accounts.scopes import Scope
from campaigns.calendar import NotNow
from campaigns.management.campaign_named import campaign_named
from campaigns.models import Assignment, Role
from language_models.actions.runs import only_run, renewing
from language_models.models import ModelEndpoint, ModelRun, Purpose
from language_models.prompts import money
from participants.outbound import Door
from reading.checking import BadFile
from serving.refused import Refused
from simulation.actions import Manner, add_program, give_dialogues
from simulation.dry_run import first_requests, tested_in
from simulation.model_player import USUAL_SEED, USUAL_TEMPERATURE, ModelPlayer, Words, manner_and_words
from simulation.personas import Manners, read_manners, usual_manners
from simulation.program import Program
from simulation.running import Progress, left_of, run_dialogues, summary_of

TOKEN_LASTS = timedelta(days=2)


class Command(BaseCommand):
    help = (
        "Has a language model talk to a campaign's systems as a tester, over the API of a running server. What it says is marked "
        "and stands apart from people. Started again, it goes on where it stopped: what was done is not done again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", metavar="SLUG")
        parser.add_argument("--model", required=True, metavar="KEY", help="the campaign's endpoint of a model")
        parser.add_argument("--n", type=int, default=20, help="how many dialogues there are to be in all (default 20)")
        parser.add_argument("--parallel", type=int, default=4, metavar="N", help="how many at a time (default 4)")
        parser.add_argument("--as", dest="username", metavar="NAME", help="the program's account (default SLUG-KEY)")
        parser.add_argument("--seed", type=int, default=USUAL_SEED)
        parser.add_argument("--temperature", type=float, default=USUAL_TEMPERATURE)
        parser.add_argument("--personas", type=Path, metavar="FILE", help="other personas and difficulties")
        parser.add_argument("--server", metavar="URL", help="the running server (default: the site's own address)")
        parser.add_argument(
            "--dry-run", action="store_true", help="print the first prompts and what a dialogue can cost"
        )
        parser.add_argument("--format", choices=["text", "json"], default="text")

    @no_translations
    def handle(self, *, campaign: str, model: str, n: int, dry_run: bool, **said: Any) -> None:
        self.said = said
        found = campaign_named(campaign)
        endpoint = ModelEndpoint.objects.in_use().filter(campaign=found, key=model).first()
        if endpoint is None:
            raise CommandError(f"The campaign has no model {model!r}.")
        self.campaign, self.endpoint = found, endpoint
        if n < 1 or said["parallel"] < 1 or not 0 <= said["temperature"] <= 2:
            raise CommandError("--n and --parallel are at least 1, --temperature is from 0 to 2.")
        try:
            self.manners = self.read_personas()
            if dry_run:
                self.show_prompts(n)
            else:
                self.simulate(n)
        except BadFile as bad:
            raise CommandError(f"{said['personas']}: {bad}") from bad
        except (Refused, NotNow) as refused:
            raise CommandError(str(refused)) from refused

    def read_personas(self) -> Manners:
        path: Path | None = self.said["personas"]
        return read_manners(path.name, path.read_bytes()) if path else usual_manners()

    # -- what would be asked ---------------------------------------------------------------------------------------

    def show_prompts(self, n: int) -> None:
        """The request that begins a dialogue about each scenario, byte for byte."""
        requests = first_requests(self.campaign, tested_in(self.campaign), self.endpoint, *self.manner_of(1))
        shown = [asdict(one) for one in requests]
        if self.said["format"] == "json":
            self.stdout.write(json.dumps(shown, ensure_ascii=False, indent=1, default=str))
            return
        for one in shown:
            self.stdout.write(f"— {one['scenario']} · {one['digest']}")
            for message in one["request"]["messages"]:
                self.stdout.write(f"[{message['role']}]\n{message['content']}\n")
            most = one["at_most"]
            self.stdout.write(
                f"A dialogue takes at most {most['calls']} calls, {most['tokens_in']} + {most['tokens_out']} tokens, "
                f"{money(most['cost'])} {most['currency']}; {n} of them {n} times that.\n"
            )

    # -- asking ----------------------------------------------------------------------------------------------------

    def simulate(self, n: int) -> None:
        username = self.said["username"] or f"{self.campaign.slug}-{self.endpoint.key}"
        with only_run(self.campaign, Purpose.TESTER, username) as held:
            self.simulate_as(username, held, n)

    def simulate_as(self, username: str, held: ModelRun, n: int) -> None:
        at = timezone.now()
        program = add_program(campaign=self.campaign, username=username, by=None, at=at)
        given = give_dialogues(campaign=self.campaign, program=program, n=n, seed=self.said["seed"], by=None, at=at)
        left = left_of(given)
        progress = Progress(len(given), len(given) - len(left))
        self.report(progress)
        if left:
            self.play(program, held, left, progress)
        summary = summary_of(self.campaign, self.endpoint, given)
        self.tell(program, progress, summary)
        if progress.stopped or progress.broken:
            why = progress.stopped or next(iter(progress.broken.values()))
            raise CommandError(f"{progress.n_left} dialogues are left: {why} Start it again to go on.")

    def play(self, program: Person, held: ModelRun, left: Sequence[Assignment], progress: Progress) -> None:
        scope = Scope(role=Role.TESTER.value, campaign=self.campaign.slug)
        issued = issue_token_row(
            person=program, name="simulate", scope=scope, lasts=TOKEN_LASTS, by=None, campaign=self.campaign.slug
        )
        try:
            asyncio.run(renewing(held, self.run(issued.token, left, progress)))
        finally:
            revoke_token(person=program, token_key=issued.stored.token_key)

    async def run(self, token: str, left: Sequence[Assignment], progress: Progress) -> None:
        door = Door(settings.OUTBOUND_ALLOW)
        base = self.said["server"] or settings.SITE_URL or "http://127.0.0.1:8000"

        def player_of(assignment: Assignment) -> ModelPlayer:
            manner, words = self.manner_of(assignment.position)
            return ModelPlayer(self.endpoint, manner, words, door, timezone.now)

        try:
            async with Program(base, token) as program:
                await run_dialogues(
                    left, player_of, program, parallel=self.said["parallel"], progress=progress, report=self.report
                )
        finally:
            await door.close()

    def manner_of(self, number: int) -> tuple[Manner, Words]:
        """Of the program's dialogue with that place in its list: the same in every run with this seed and these personas."""
        return manner_and_words(
            self.endpoint, self.manners, self.campaign.language, number,
            temperature=self.said["temperature"], seed=self.said["seed"],
        )  # fmt: skip

    def report(self, progress: Progress) -> None:
        self.stderr.write(str(progress))

    def tell(self, program: Person, progress: Progress, summary: dict[str, Any]) -> None:
        if self.said["format"] == "json":
            told = {
                "campaign": self.campaign.slug,
                "program": program.username,
                "model": self.endpoint.model,
                "asked": progress.n_asked,
                "before": progress.n_before,
                "played": progress.n_played,
                "broken": list(progress.broken.values()),
                "stopped": progress.stopped,
            }
            self.stdout.write(json.dumps(told | summary, ensure_ascii=False))
            return
        turns = "–" if summary["mean_turns"] is None else f"{summary['mean_turns']:.2f}"
        self.stdout.write(
            f"{program.username}: {summary['closed']} dialogues closed, {summary['completed']} completed, {turns} turns; "
            f"{summary['calls']} calls, {summary['tokens_in']} + {summary['tokens_out']} tokens, "
            f"{summary['cost']} {summary['currency']}"
        )
