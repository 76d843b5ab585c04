from django.urls import path

from notifications.webhook_pages import again, remove, test, webhooks

WEBHOOKS = "campaigns/<slug:slug>/webhooks/"

urlpatterns = [
    path(WEBHOOKS, webhooks, name="webhooks"),
    path(WEBHOOKS + "<int:webhook_id>/remove/", remove, name="remove-webhook"),
    path(WEBHOOKS + "<int:webhook_id>/test/", test, name="test-webhook"),
    path(WEBHOOKS + "deliveries/<uuid:delivery_id>/again/", again, name="repeat-delivery"),
]
