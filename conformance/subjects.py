"""Checks a system of either kind: a bot by its protocol, a service by that of SMP2018 Task 1."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from conformance.examiner import USUAL, Limits
from conformance.guessing import Guess, guess_protocol
from conformance.lab import Report, Tell, check_bot, tells_nobody
from conformance.label_services import BATCH, SERVICE, check_service
from participants.adapters import ADAPTERS, BotAddress
from participants.outbound import Door

# The protocol of a report on what could not be asked.
UNKNOWN = ""


@dataclass(frozen=True, slots=True)
class Subject:
    """What is checked; `language` is the one that a bot is asked in, `key` the one of its places, `batch` what a service is asked at a time."""

    protocol: str
    url: str
    secret: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    language: str = "zh"
    key: str = ""
    batch: int = BATCH

    def bot(self, limits: Limits) -> BotAddress:
        """As a bot. The door asks no bot more turns at a time than declared: neither does it on the day."""
        return BotAddress(self.protocol, self.url, self.secret, self.options, limits.parallel, key=self.key)


async def checked_subject(
    subject: Subject,
    door: Door,
    *,
    limits: Limits = USUAL,
    on_result: Tell = tells_nobody,
    guess: Guess | None = None,
) -> Report:
    if subject.protocol == SERVICE:
        guess = guess or await guess_protocol(subject.url, door, ADAPTERS, secret=subject.secret)
        said: dict[str, Any] = {"secret": subject.secret, "batch": subject.batch, "limits": limits}
        return await check_service(subject.url, door, **said, on_result=on_result, guess=guess)
    said = {"limits": limits, "language": subject.language, "on_result": on_result, "guess": guess}
    return await check_bot(subject.bot(limits), door, ADAPTERS, **said)
