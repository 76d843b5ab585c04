from django.urls import path

from privacy.api import CampaignArchive, CampaignDeletion, CampaignRemoval, OwnErasure, PersonErasure, Redaction

CAMPAIGN = "campaigns/<slug:slug>/"

urlpatterns = [
    path("account/erase/", OwnErasure.as_view(), name="api-erase-own"),
    path("people/<int:person_id>/erase/", PersonErasure.as_view(), name="api-erase-person"),
    path(f"{CAMPAIGN}redact/<uuid:dialogue_id>/", Redaction.as_view(), name="api-redact"),
    path(f"{CAMPAIGN}removal/", CampaignRemoval.as_view(), name="api-removal"),
    path(f"{CAMPAIGN}removal/archive/", CampaignArchive.as_view(), name="api-archive-campaign"),
    path(f"{CAMPAIGN}removal/delete/", CampaignDeletion.as_view(), name="api-delete-campaign"),
]
