"""Tells what happened and sends what is due, beside the worker: to webhooks through the outbound door, mails to the mail server."""

import asyncio
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext_noop

from accounts.link_addresses import site_address
from notifications.actions.sending import note_failed, note_sent, take_posts
from notifications.actions.telling import drop_old_deliveries, tell
from notifications.mailing import send_mails
from notifications.models import Delivery
from notifications.signing import body_of, headers_of
from participants.failures import BotFailure
from participants.outbound import Door
from participants.secrets import SecretLost
from reading.findings import Finding, sentence
from serving.database_threads import DatabaseThread, look_again_and_again
from serving.jobs import job

LOOK_EVERY_S = 2.0
DECISIONS_EVERY = timedelta(minutes=1)
DEADLINE_S = 15.0
# With what a message may wait for us, shorter than the first pause between tries.
LONGEST_S = 40.0

ANSWERED = gettext_noop("The receiver answered with status %(status)s.")
NOT_IN_TIME = gettext_noop("The receiver did not answer within %(seconds)s s.")
KEY_LOST = gettext_noop("The key of the webhook cannot be read any more: remove it and add another.")
GONE = 410


async def keep_messages() -> None:
    """Looks, tells and sends for as long as the worker runs."""
    postman = Postman()
    try:
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            with job("messages") as done:
                done.n = await postman.look()
    finally:
        await postman.close()


async def keep_mails() -> None:
    """Beside the webhooks: neither a mail server that hangs nor an error about a mail holds them up."""
    await look_again_and_again(send_mails, every_s=LOOK_EVERY_S, name="mails")


class Postman:
    def __init__(self) -> None:
        self._door = Door(settings.OUTBOUND_ALLOW)
        self._thread = DatabaseThread("messages")
        self._decisions_at: datetime | None = None

    async def close(self) -> None:
        self._thread.end()
        await self._door.close()

    async def look(self) -> int:
        """Tells what happened and sends what is due; gives how much there was to do."""
        n_told = await self._thread.run(self._tell)
        return n_told + await self.send()

    def _tell(self) -> int:
        at = timezone.now()
        looks = self._decisions_at is None or at >= self._decisions_at
        n_told = tell(at=at, decisions=looks)
        if looks:
            self._decisions_at = at + DECISIONS_EVERY
            drop_old_deliveries(at=at)
        return n_told

    async def send(self) -> int:
        posts = await self._thread.run(take_posts, at=timezone.now())
        # All outcomes are stored before an error ends this postman: what arrived would be sent again.
        for outcome in await asyncio.gather(*map(self._post, posts), return_exceptions=True):
            if outcome is not None:
                raise outcome
        return len(posts)

    async def _post(self, delivery: Delivery) -> None:
        status, said = await self._answer_to(delivery)
        at = timezone.now()
        if status is not None and 200 <= status < 300:
            await self._thread.run(note_sent, deliveries=[delivery], answer=said, at=at)
        else:
            await self._thread.run(note_failed, deliveries=[delivery], why=said, at=at, is_final=status == GONE)

    async def _answer_to(self, delivery: Delivery) -> tuple[int | None, Finding]:
        """The status of the answer, None without one, and a sentence about it. No redirect is followed."""
        webhook, event = delivery.webhook, delivery.event
        assert webhook is not None, "mails go another way"
        campaign = event.campaign.slug if event.campaign else None
        body = body_of(event.kind, event.at, campaign, site_address(delivery.path))
        try:
            headers = headers_of(webhook.secret, delivery.message_id, timezone.now(), body)
            async with asyncio.timeout(LONGEST_S):
                line = self._door.line(DEADLINE_S)
                async with line.post(webhook.url, body, headers, is_any_status_an_answer=True) as answer:
                    status = int(answer.response.status)
            return status, sentence(ANSWERED, status=status)
        except SecretLost:
            return None, sentence(KEY_LOST)
        except BotFailure as failure:
            return failure.status, failure.detail
        except TimeoutError:
            return None, sentence(NOT_IN_TIME, seconds=f"{LONGEST_S:g}")
