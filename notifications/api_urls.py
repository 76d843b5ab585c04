from django.urls import path

from notifications.api import Deliveries, DeliveryAgain, OneWebhook, Webhooks, WebhookTest
from notifications.own_api import AddressByLink, AddressLink, OwnMessages

WEBHOOKS = "campaigns/<slug:slug>/webhooks/"

urlpatterns = [
    path("account/messages/", OwnMessages.as_view(), name="api-own-messages"),
    path("account/messages/address/", AddressLink.as_view(), name="api-address-link"),
    path("account/messages/confirm/<str:token>/", AddressByLink.as_view(), name="api-confirm-address"),
    path(WEBHOOKS, Webhooks.as_view(), name="api-webhooks"),
    path(WEBHOOKS + "<int:webhook_id>/", OneWebhook.as_view(), name="api-webhook"),
    path(WEBHOOKS + "<int:webhook_id>/test/", WebhookTest.as_view(), name="api-webhook-test"),
    path(WEBHOOKS + "deliveries/", Deliveries.as_view(), name="api-deliveries"),
    path(WEBHOOKS + "deliveries/<uuid:delivery_id>/again/", DeliveryAgain.as_view(), name="api-delivery-again"),
]
