"""Webhooks over a real socket: signed as the specification says, tried again, given up; their page and its API."""

import json
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.utils import timezone
from standardwebhooks import WebhookVerificationError

from campaigns.actions.credentials import reseal_secrets
from campaigns.actions.stages import pause_bot
from notifications.actions.sending import _take, take_posts
from notifications.actions.telling import tell
from notifications.actions.webhooks import (
    WAITING_AT_MOST,
    WEBHOOKS_PER_CAMPAIGN,
    CannotSend,
    add_webhook,
    remove_webhook,
    send_again,
    send_test,
)
from notifications.models import Delivery, Webhook
from notifications.pauses import TRIES_AT_MOST
from notifications.postman import Postman
from tests.notifications.receiving import receiver
from tests.world import client_of

pytestmark = pytest.mark.django_db(transaction=True)
PAGE = "/campaigns/small/webhooks/"


@pytest.fixture
def hook(settings):
    with receiver() as running:
        settings.OUTBOUND_ALLOW = frozenset({("127.0.0.1", running.port)})
        settings.SITE_URL = "https://huace.example"
        yield running


def added(campaign, organizer, hook, *kinds):
    return add_webhook(campaign=campaign, url=hook.url, kinds=kinds or ["bot.paused"], by=organizer, at=timezone.now())


async def sent():
    """What is due is sent once."""
    postman = Postman()
    try:
        return await postman.send()
    finally:
        await postman.close()


def send():
    from asgiref.sync import async_to_sync

    return async_to_sync(sent)()


def later(delivery):
    """As if the pause before the next try were over."""
    Delivery.objects.filter(pk=delivery.pk).update(next_try_at=timezone.now())


def test_a_message_is_signed_and_says_a_kind_and_a_link_alone(campaign, organizer, hook):
    _webhook, key = added(campaign, organizer, hook)
    entry = campaign.entries.get()
    pause_bot(entry=entry, because="private words", at=timezone.now())
    assert tell(at=timezone.now(), decisions=False) == 1
    assert send() == 1
    (message,) = hook.verified(key)
    assert message["type"] == "bot.paused"
    assert message["data"] == {"campaign": "small", "url": "https://huace.example/campaigns/small/teams/"}
    assert message.keys() == {"type", "timestamp", "data"}
    body = hook.got[0][1].decode()
    assert not [word for word in ("private", entry.alias, entry.bot.team.name) if word in body]
    delivery = Delivery.objects.get()
    assert (delivery.state, delivery.n_tries, delivery.message_id) == ("sent", 1, hook.ids[0])


def test_another_key_or_body_does_not_verify(campaign, organizer, hook):
    _webhook, key = added(campaign, organizer, hook)
    _other, other_key = added(campaign, organizer, hook, "board.published")
    send_test(webhook=_webhook, by=organizer, at=timezone.now())
    send()
    hook.verified(key)
    with pytest.raises(WebhookVerificationError):
        hook.verified(other_key)
    hook.got[0] = (hook.got[0][0], hook.got[0][1] + b" ")
    with pytest.raises(WebhookVerificationError):
        hook.verified(key)


def test_a_failure_is_tried_again_under_the_same_id_until_it_succeeds(campaign, organizer, hook):
    hook.statuses[:] = [500, 302, 200]
    webhook, key = added(campaign, organizer, hook)
    delivery = send_test(webhook=webhook, by=organizer, at=timezone.now())
    seen = []
    for _ in range(3):
        send()
        delivery.refresh_from_db()
        seen.append((delivery.state, delivery.n_tries, delivery.answer_in_words))
        assert delivery.state == "sent" or delivery.next_try_at > timezone.now()
        assert send() == 0
        later(delivery)
    assert seen == [
        ("waiting", 1, "接收方返回状态 500。"),
        ("waiting", 2, "接收方返回状态 302。"),
        ("sent", 3, "接收方返回状态 200。"),
    ]
    assert len(set(hook.ids)) == 1
    assert len(hook.verified(key)) == 3


def test_after_so_many_tries_it_is_given_up(campaign, organizer, hook):
    hook.statuses[:] = [503]
    webhook, _key = added(campaign, organizer, hook)
    delivery = send_test(webhook=webhook, by=organizer, at=timezone.now())
    for _ in range(TRIES_AT_MOST + 3):
        later(delivery)
        send()
    delivery.refresh_from_db()
    assert (delivery.state, delivery.n_tries, len(hook.got)) == ("failed", TRIES_AT_MOST, TRIES_AT_MOST)


def test_a_receiver_that_is_gone_is_not_asked_again(campaign, organizer, hook):
    hook.statuses[:] = [410]
    webhook, _key = added(campaign, organizer, hook)
    delivery = send_test(webhook=webhook, by=organizer, at=timezone.now())
    send()
    delivery.refresh_from_db()
    assert delivery.state == "failed"


def test_an_address_that_is_not_allowed_any_more_is_not_called(campaign, organizer, hook, settings):
    webhook, _key = added(campaign, organizer, hook)
    delivery = send_test(webhook=webhook, by=organizer, at=timezone.now())
    settings.OUTBOUND_ALLOW = frozenset()
    send()
    delivery.refresh_from_db()
    assert (delivery.state, hook.got) == ("waiting", [])
    assert "127.0.0.1" in delivery.answer_in_words


def test_a_process_that_died_leaves_a_message_that_goes_out_later(campaign, organizer, hook):
    webhook, _key = added(campaign, organizer, hook)
    delivery = send_test(webhook=webhook, by=organizer, at=timezone.now())
    (taken,) = take_posts(at=timezone.now())
    assert take_posts(at=timezone.now()) == []
    # Nothing was noted of it, as after a kill.
    later(delivery)
    assert send() == 1
    assert hook.ids == [taken.message_id]


def test_a_message_that_kills_each_process_is_given_up(campaign, organizer, hook):
    webhook, _key = added(campaign, organizer, hook)
    delivery = send_test(webhook=webhook, by=organizer, at=timezone.now())
    for _ in range(TRIES_AT_MOST):
        later(delivery)
        assert len(take_posts(at=timezone.now())) == 1
    later(delivery)
    assert take_posts(at=timezone.now()) == []
    delivery.refresh_from_db()
    assert delivery.state == "failed"


def test_a_removed_webhook_gets_nothing_and_has_no_key(campaign, organizer, hook):
    webhook, _key = added(campaign, organizer, hook)
    delivery = send_test(webhook=webhook, by=organizer, at=timezone.now())
    remove_webhook(webhook=webhook, by=organizer, at=timezone.now())
    assert send() == 0
    delivery.refresh_from_db()
    assert (delivery.state, hook.got, Webhook.objects.get().has_secret) == ("failed", [], False)
    with pytest.raises(CannotSend):
        send_test(webhook=webhook, by=organizer, at=timezone.now())
    with pytest.raises(CannotSend):
        remove_webhook(webhook=webhook, by=organizer, at=timezone.now())


def test_the_key_is_sealed_and_shown_once(campaign, organizer, hook):
    client = client_of(organizer)
    page = client.post(PAGE, {"url": hook.url, "kind": ["bot.paused"]})
    key = page.context["key"]
    assert key in page.content.decode()
    assert key not in client.get(PAGE).content.decode()
    assert key not in client.get(f"/api/v1{PAGE}").content.decode()
    with connection.cursor() as cursor:
        cursor.execute("SELECT secret FROM notifications_webhook")
        (stored,) = cursor.fetchone()
    assert key not in stored
    assert Webhook.objects.get().secret == key
    assert reseal_secrets(by=None, at=timezone.now())[0] >= 1
    assert Webhook.objects.get().secret == key


@pytest.mark.parametrize(
    "url", ["ftp://x.example/", "https://u:p@x.example/", "http://127.0.0.1:9/", "http://169.254.169.254/"]
)
def test_addresses_that_may_not_be_called_are_refused(campaign, organizer, url):
    page = client_of(organizer).post(PAGE, {"url": url, "kind": ["bot.paused"]})
    assert page.status_code == 422
    answer = client_of(organizer).post(f"/api/v1{PAGE}", json.dumps({"url": url}), content_type="application/json")
    assert (answer.status_code, list(answer.json()["fields"])) == (422, ["url"])
    assert not Webhook.objects.exists()


def test_a_webhook_has_kinds_and_a_campaign_only_so_many(campaign, organizer, hook):
    page = client_of(organizer).post(PAGE, {"url": hook.url})
    assert page.status_code == 409
    for _ in range(WEBHOOKS_PER_CAMPAIGN):
        added(campaign, organizer, hook)
    with pytest.raises(CannotSend):
        added(campaign, organizer, hook)


def test_the_page_tells_of_each_message_and_sends_it_again(campaign, organizer, hook):
    hook.statuses[:] = [500, 200]
    added(campaign, organizer, hook)
    client = client_of(organizer)
    webhook = Webhook.objects.get()
    client.post(f"{PAGE}{webhook.pk}/test/")
    send()
    page = client.get(PAGE, headers={"Accept-Language": "en"}).content.decode()
    assert "500" in page
    delivery = Delivery.objects.get()
    client.post(f"{PAGE}deliveries/{delivery.pk}/again/")
    send()
    (told,) = client.get(f"/api/v1{PAGE}deliveries/").json()
    assert (told["state"], told["tries"], told["id"]) == ("sent", 1, delivery.message_id)
    assert hook.ids == [delivery.message_id] * 2
    send_again(delivery=delivery, by=organizer, at=timezone.now())
    with pytest.raises(CannotSend):
        send_again(delivery=delivery, by=organizer, at=timezone.now() + timedelta(seconds=1))


def test_two_processes_send_a_message_once(campaign, organizer, hook):
    webhook, _key = added(campaign, organizer, hook)
    for _ in range(5):
        send_test(webhook=webhook, by=organizer, at=timezone.now())
    at = timezone.now()
    # Both looked before either took.
    first, second = list(Delivery.objects.due(at)), list(Delivery.objects.due(at))
    assert [_take(one, at) for one in first] == [True] * 5
    assert [_take(one, at) for one in second] == [False] * 5


def test_tests_of_one_webhook_cannot_hold_up_the_messages_of_others(campaign, organizer, hook):
    webhook, _key = added(campaign, organizer, hook)
    for _ in range(WAITING_AT_MOST):
        send_test(webhook=webhook, by=organizer, at=timezone.now())
    with pytest.raises(CannotSend, match=str(WAITING_AT_MOST)):
        send_test(webhook=webhook, by=organizer, at=timezone.now())


async def test_messages_go_out_beside_each_other(campaign, organizer, hook):
    webhook, _key = await sync_to_async(lambda: added(campaign, organizer, hook))()
    for _ in range(20):
        await sync_to_async(lambda: send_test(webhook=webhook, by=organizer, at=timezone.now()))()
    assert await sent() == 20
    assert len(set(hook.ids)) == 20
