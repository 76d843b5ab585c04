"""Webhooks of a campaign: added, tried, removed; messages that are sent again."""

import base64
import secrets
from collections.abc import Collection
from datetime import datetime
from urllib.parse import urlsplit
from uuid import uuid4

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext_noop

from accounts.models import Person
from audit.actions import record
from campaigns.actions.registering import checked_url
from campaigns.models import Campaign
from notifications.actions.telling import reading_from
from notifications.models import OF_CAMPAIGNS, Delivery, Event, Kind, Webhook
from notifications.signing import KEY_PREFIX
from notifications.trail_acts import DELIVERY_REPEATED, WEBHOOK_ADDED, WEBHOOK_REMOVED, WEBHOOK_TESTED
from participants.bot_urls import check_service_url
from serving.refused import Refused

WEBHOOKS_PER_CAMPAIGN = 10
KEY_BYTES = 32


class CannotSend(Refused):
    """The sentence says why."""

    code = "cannot_send"


# Of one webhook; more tests of it would delay the messages of others.
WAITING_AT_MOST = 20


@transaction.atomic
def add_webhook(
    *, campaign: Campaign, url: str, kinds: Collection[str], by: Person, at: datetime
) -> tuple[Webhook, str]:
    """Gives the webhook, and its key, which nobody is shown again. Errors: `BadForm` about the URL; `CannotSend`."""
    url = checked_url(url, check_service_url)
    wanted = [kind for kind in OF_CAMPAIGNS if kind in kinds]
    if not wanted:
        raise CannotSend(gettext_noop("Choose at least one kind of message."))
    campaign = Campaign.objects.held(campaign.pk)
    if campaign.webhooks.in_use().count() >= WEBHOOKS_PER_CAMPAIGN:
        raise CannotSend(gettext_noop("A campaign has at most %(n)d webhooks."), n=WEBHOOKS_PER_CAMPAIGN)
    key = KEY_PREFIX + base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode()
    webhook = campaign.webhooks.create(
        url=url, kinds=[str(kind) for kind in wanted], secret=key, made_by=by, made_at=at
    )
    # From now on, whether a worker looks yet or not.
    reading_from(at=at)
    record(WEBHOOK_ADDED, by=by, at=at, campaign=campaign.slug, about=host_of(webhook), details=_named(webhook))
    return webhook, key


@transaction.atomic
def remove_webhook(*, webhook: Webhook, by: Person, at: datetime) -> None:
    """Nothing more is sent there; what waited is given up when its turn comes. Errors: `CannotSend` where it is removed already."""
    webhook = _held(webhook)
    webhook.removed_at, webhook.secret = at, ""
    webhook.save(update_fields=["removed_at", "secret"])
    record(
        WEBHOOK_REMOVED, by=by, at=at, campaign=webhook.campaign.slug, about=host_of(webhook), details=_named(webhook)
    )


@transaction.atomic
def send_test(*, webhook: Webhook, by: Person, at: datetime) -> Delivery:
    """A message without news, sent as all others are. Errors: `CannotSend` where the webhook is removed, or many wait."""
    webhook = _held(webhook)
    if webhook.deliveries.filter(state=Delivery.State.WAITING).count() >= WAITING_AT_MOST:
        raise CannotSend(gettext_noop("%(n)d messages to this webhook wait already."), n=WAITING_AT_MOST)
    event = Event.objects.create(key=f"test:{uuid4()}", kind=Kind.TEST, at=at, campaign=webhook.campaign)
    path = reverse("webhooks", args=[webhook.campaign.slug])
    delivery = Delivery.objects.create(event=event, webhook=webhook, path=path, made_at=at, next_try_at=at)
    record(
        WEBHOOK_TESTED, by=by, at=at, campaign=webhook.campaign.slug, about=host_of(webhook), details=_named(webhook)
    )
    return delivery


@transaction.atomic
def send_again(*, delivery: Delivery, by: Person, at: datetime) -> Delivery:
    """Under the id that it had, with all its tries before it. Errors: `CannotSend` while it waits for its next try of itself."""
    delivery = Delivery.objects.select_for_update(of=("self",)).get(pk=delivery.pk)
    assert delivery.webhook is not None, "mails are not sent again"
    webhook = _held(delivery.webhook)
    if delivery.state == Delivery.State.WAITING and delivery.n_tries == 0:
        raise CannotSend(gettext_noop("This message has not been sent yet."))
    delivery.state, delivery.n_tries, delivery.next_try_at, delivery.ended_at = Delivery.State.WAITING, 0, at, None
    delivery.save(update_fields=["state", "n_tries", "next_try_at", "ended_at"])
    details = _named(webhook) | {"message": delivery.message_id}
    record(DELIVERY_REPEATED, by=by, at=at, campaign=webhook.campaign.slug, about=host_of(webhook), details=details)
    return delivery


def _held(webhook: Webhook) -> Webhook:
    """The webhook as it is now, held until the commit. Errors: `CannotSend`."""
    held = Webhook.objects.select_for_update(of=("self",)).select_related("campaign").get(pk=webhook.pk)
    if held.removed_at is not None:
        raise CannotSend(gettext_noop("This webhook was removed."))
    return held


def host_of(webhook: Webhook) -> str:
    return urlsplit(webhook.url).hostname or ""


def _named(webhook: Webhook) -> dict[str, int]:
    return {"webhook": webhook.pk}
