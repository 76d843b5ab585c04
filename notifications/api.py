"""REST: a campaign's webhooks and their deliveries; the same acts and rules as the pages."""

from typing import Annotated, Any, TypedDict
from uuid import UUID

from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import person_of
from api.answers import From, encoded
from api.describing import describes
from api.paging import PAGES, Page, page_of
from api.parsers import body_in
from campaigns.access import OrganizersView
from notifications.actions.webhooks import add_webhook, remove_webhook, send_again, send_test
from notifications.models import OF_CAMPAIGNS, Delivery, Webhook
from notifications.webhook_pages import deliveries_of, webhook_in
from participants.limits import URL_LIMIT
from reading.json_schemas import Moment
from reading.kinds import Choice, ListOf, Text
from reading.tables import Field, Table

ADDING = Table(
    {
        "url": Field(Text(URL_LIMIT)),
        "kinds": Field(ListOf(Choice([str(kind) for kind in OF_CAMPAIGNS])), tuple(map(str, OF_CAMPAIGNS))),
    }
)


class WebhookAnswer(TypedDict):
    id: Annotated[int, From("pk")]
    url: str
    kinds: list[str]
    made_at: Moment
    made_by: Annotated[str, From("made_by.username")]


class NewWebhook(WebhookAnswer):
    """`key` signs the messages; only this answer holds it."""

    key: str


class WebhooksAnswer(TypedDict):
    webhooks: list[WebhookAnswer]


class DeliveryAnswer(TypedDict):
    """`id` is the webhook-id that its receiver gets with each try. `answer` says in words what became of the last one."""

    id: Annotated[str, From("message_id")]
    delivery: Annotated[str, From("pk")]
    webhook: Annotated[int, From("webhook_id")]
    kind: Annotated[str, From("event.kind")]
    happened_at: Annotated[Moment, From("event.at")]
    state: str
    tries: Annotated[int, From("n_tries")]
    next_try_at: Annotated[Moment | None, From(lambda one: one.next_try_at if one.state == one.State.WAITING else None)]
    ended_at: Moment | None
    answer: Annotated[str, From("answer_in_words")]


class Webhooks(OrganizersView):
    @describes("Lists the webhooks of a campaign", WebhooksAnswer)
    def get(self, request: Request) -> dict[str, Any]:
        return {"webhooks": list(self.campaign.webhooks.in_use().select_related("made_by"))}

    @describes("Adds a webhook; the answer alone holds its key", NewWebhook, 201, reads=ADDING, refuses=(409, 422))
    def post(self, request: Request) -> dict[str, Any]:
        given = body_in(request, ADDING)
        webhook, key = add_webhook(campaign=self.campaign, **given, by=person_of(request), at=timezone.now())
        return encoded(NewWebhook, webhook, key=key)


class OneWebhook(OrganizersView):
    @describes("Removes a webhook", None, 204, refuses=(409,))
    def delete(self, request: Request, webhook_id: int) -> Response:
        remove_webhook(webhook=webhook_in(self.campaign, webhook_id), by=person_of(request), at=timezone.now())
        return Response(status=204)


class WebhookTest(OrganizersView):
    @describes("Sends a test message to a webhook", DeliveryAnswer, 201, refuses=(409,))
    def post(self, request: Request, webhook_id: int) -> Delivery:
        webhook: Webhook = webhook_in(self.campaign, webhook_id)
        return send_test(webhook=webhook, by=person_of(request), at=timezone.now())


class Deliveries(OrganizersView):
    @describes("Lists messages to the webhooks of a campaign, the latest first", list[DeliveryAnswer], asks=PAGES)
    def get(self, request: Request) -> Page:
        return page_of(request, deliveries_of(self.campaign))


class DeliveryAgain(OrganizersView):
    @describes("Sends a message again, under the id that it had", DeliveryAnswer, refuses=(409,))
    def post(self, request: Request, delivery_id: UUID) -> Delivery:
        delivery = get_object_or_404(deliveries_of(self.campaign), pk=delivery_id)
        return send_again(delivery=delivery, by=person_of(request), at=timezone.now())
