"""Webhooks of a campaign: pages and the API."""

from notifications.actions.sending import note_failed, take_posts
from notifications.actions.webhooks import add_webhook, send_test
from notifications.models import Delivery
from reading.findings import sentence
from tests.trail_tries.table import tries

C = "campaigns/<slug:slug>/"
URL = "https://hooks.example.org/huace"


def webhook(stage):
    return add_webhook(
        campaign=stage.campaign, url=URL, kinds=["bot.paused"], by=stage.person("organizer"), at=stage.now
    )[0]


def tried(stage):
    """A message that was tried once, and failed."""
    delivery = send_test(webhook=webhook(stage), by=stage.person("organizer"), at=stage.now)
    taken = take_posts(at=stage.now)
    note_failed(deliveries=taken, why=sentence("x"), at=stage.now)
    return Delivery.objects.get(pk=delivery.pk)


@tries(f"POST {C}webhooks/", "webhook.added")
def _(stage):
    return "", {"url": URL, "kind": ["bot.paused", "board.published"]}


@tries(f"POST api/v1/{C}webhooks/", "webhook.added")
def _(stage):
    return "", {"url": URL}


@tries(f"POST {C}webhooks/<int:webhook_id>/remove/", "webhook.removed")
def _(stage):
    return f"/campaigns/small/webhooks/{webhook(stage).pk}/remove/", {}


@tries(f"DELETE api/v1/{C}webhooks/<int:webhook_id>/", "webhook.removed")
def _(stage):
    return f"/api/v1/campaigns/small/webhooks/{webhook(stage).pk}/", {}


@tries(f"POST {C}webhooks/<int:webhook_id>/test/", "webhook.tested")
def _(stage):
    return f"/campaigns/small/webhooks/{webhook(stage).pk}/test/", {}


@tries(f"POST api/v1/{C}webhooks/<int:webhook_id>/test/", "webhook.tested")
def _(stage):
    return f"/api/v1/campaigns/small/webhooks/{webhook(stage).pk}/test/", {}


@tries(f"POST {C}webhooks/deliveries/<uuid:delivery_id>/again/", "webhook.repeated")
def _(stage):
    return f"/campaigns/small/webhooks/deliveries/{tried(stage).pk}/again/", {}


@tries(f"POST api/v1/{C}webhooks/deliveries/<uuid:delivery_id>/again/", "webhook.repeated")
def _(stage):
    return f"/api/v1/campaigns/small/webhooks/deliveries/{tried(stage).pk}/again/", {}
