"""manage.py conformance URL: checks a bot as the platform does, without database or account."""

import asyncio
import json
import os
import sys
from argparse import ArgumentParser
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, OutputWrapper
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, override

from conformance.examiner import PARALLEL_LIMIT, Limits
from conformance.guessing import NEVER_ASKED, NOTHING_SAID, Guess, guess_protocol
from conformance.lab import Report
from conformance.probes import PROTOCOL
from conformance.results import Result, Verdict, is_finished, is_green
from conformance.subjects import UNKNOWN, Subject, checked_subject
from conformance.wording import WORDING
from participants.adapters import ADAPTERS
from participants.outbound import Door
from reading.findings import Finding
from reading.kinds import LANGUAGES
from reading.strict_json import NotJson, loads

MARKS = {Verdict.PASS: "✓", Verdict.WARN: "!", Verdict.FAIL: "✗"}
CANNOT_TELL = gettext_noop(
    "Nothing in the answers to GET and OPTIONS tells which protocol the system speaks; name it with --protocol."
)


class Command(BaseCommand):
    help = (
        "Checks a bot: about twenty probes, each with a sentence and, where it fails, the request as a curl line. "
        "Exits with 0 if none fails, else with 1. Without --protocol nothing but GET and OPTIONS is sent before the "
        "protocol is named."
    )
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("url")
        parser.add_argument("--protocol", choices=[*ADAPTERS, "smp2018_task1"])
        parser.add_argument("--secret-env", metavar="VAR", help="the environment variable that holds the bot's secret")
        parser.add_argument("--options", default="{}", help="options of the protocol, as a JSON object")
        parser.add_argument("--parallel", type=int, default=Limits().parallel, help="dialogues at once, as declared")
        parser.add_argument("--deadline", type=float, default=Limits().deadline_s, help="seconds per reply")
        parser.add_argument("--ask-in", choices=list(LANGUAGES), default="zh", help="the language the bot is asked in")
        parser.add_argument("--language", choices=list(LANGUAGES), default="en", help="the language of the report")
        parser.add_argument("--format", choices=["text", "json"], default="text")

    def handle(self, *, url: str, language: str, format: str, **said: Any) -> None:
        with override(LANGUAGES[language]):
            report = asyncio.run(self.examine(url, said, is_watched=format == "text"))
            if format == "json":
                self.stdout.write(json.dumps(document_of(report), ensure_ascii=False, indent=1))
            else:
                self.say(_("Verdict: %(verdict)s") % {"verdict": report.verdict})
        if not (is_green(report.verdict) and is_finished(report.results)):
            sys.exit(1)

    async def examine(self, url: str, said: dict[str, Any], *, is_watched: bool) -> Report:
        door, tell = Door(settings.OUTBOUND_ALLOW), self.tell if is_watched else _nobody
        secret = secret_in(said["secret_env"])
        number = said["parallel"]
        if not 1 <= number <= PARALLEL_LIMIT:
            raise CommandError(f"--parallel must be between 1 and {PARALLEL_LIMIT}.")
        limits = replace(Limits(), parallel=number, deadline_s=said["deadline"])
        try:
            guess = NOTHING_SAID
            if said["protocol"] not in NEVER_ASKED:
                guess = await guess_protocol(url, door, ADAPTERS, secret=secret)
            protocol = said["protocol"] or guess.protocol
            if not protocol:
                result = Result(PROTOCOL, Verdict.FAIL, Finding("", CANNOT_TELL))
                tell(result)
                return Report(UNKNOWN, (result,))
            self.name(protocol, guess, self.stdout if is_watched else self.stderr)
            subject = Subject(protocol, url, secret, options_of(said["options"]), said["ask_in"])
            return await checked_subject(subject, door, limits=limits, on_result=tell, guess=guess)
        finally:
            await door.close()

    def name(self, protocol: str, guess: Guess, out: OutputWrapper) -> None:
        """Says what is going to be sent, before it is; where JSON stands alone on the standard output, beside it."""
        if guess.asked:
            self.say(_("Asked to find out the protocol: %(asked)s") % {"asked": ", ".join(guess.asked)}, out)
        because = guess.clues.get(protocol, "")
        self.say(_("Asking one word in %(protocol)s. %(because)s") % {"protocol": protocol, "because": because}, out)

    def tell(self, result: Result) -> None:
        wording = WORDING[result.name]
        self.say(f"{MARKS[result.verdict]} {wording.title}  {result.sentence.message}  ({result.took_ms} ms)")
        if result.verdict is not Verdict.PASS:
            self.say(f"    {wording.advice}")
            if result.curl:
                self.say(f"    {result.curl}")

    def say(self, text: str, out: OutputWrapper | None = None) -> None:
        # A report that somebody watches comes line by line, also through a pipe.
        out = out or self.stdout
        out.write(text)
        out.flush()


def _nobody(result: Result) -> None:
    """JSON stands alone on the standard output."""


def document_of(report: Report) -> dict[str, Any]:
    probes = [result.to_json() | {"sentence": result.sentence.message} for result in report.results]
    return {"protocol": report.protocol, "verdict": str(report.verdict), "probes": probes}


def secret_in(variable: str | None) -> str:
    """Errors: `CommandError` for a variable that is not there."""
    if not variable:
        return ""
    if variable not in os.environ:
        raise CommandError(f"There is no environment variable {variable}.")
    return os.environ[variable]


def options_of(text: str) -> dict[str, Any]:
    try:
        options = loads(text)
    except NotJson as bad:
        raise CommandError(f"--options: {bad}") from bad
    if not isinstance(options, dict):
        raise CommandError("--options must be a JSON object.")
    return options
