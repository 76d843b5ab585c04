from django.urls import path

from notifications.own_pages import ask_link, confirm, own_messages
from notifications.webhook_pages import again, remove, test, webhooks

WEBHOOKS = "campaigns/<slug:slug>/webhooks/"

urlpatterns = [
    path("account/messages/", own_messages, name="own-messages"),
    path("account/messages/address/", ask_link, name="ask-address-link"),
    path("account/messages/confirm/<str:token>/", confirm, name="confirm-address"),
    path(WEBHOOKS, webhooks, name="webhooks"),
    path(WEBHOOKS + "<int:webhook_id>/remove/", remove, name="remove-webhook"),
    path(WEBHOOKS + "<int:webhook_id>/test/", test, name="test-webhook"),
    path(WEBHOOKS + "deliveries/<uuid:delivery_id>/again/", again, name="repeat-delivery"),
]
