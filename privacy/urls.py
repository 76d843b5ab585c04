from django.urls import path

from privacy.campaign_pages import archive, delete, redact_page, removal
from privacy.erase_pages import erase_other, erase_own

CAMPAIGN = "campaigns/<slug:slug>/"

urlpatterns = [
    path("account/erase/", erase_own, name="erase-own"),
    path("people/<int:person_id>/erase/", erase_other, name="erase-person"),
    path(f"{CAMPAIGN}redact/<uuid:dialogue_id>/", redact_page, name="redact"),
    path(f"{CAMPAIGN}removal/", removal, name="removal"),
    path(f"{CAMPAIGN}removal/archive/", archive, name="archive-campaign"),
    path(f"{CAMPAIGN}removal/delete/", delete, name="delete-campaign"),
]
