from django.urls import path

from conformance.views import badge, checks, one_check

CAMPAIGN = "campaigns/<slug:slug>/"

urlpatterns = [
    path(CAMPAIGN + "bots/<int:entry_id>/checks/", checks, name="checks"),
    path(CAMPAIGN + "checks/<uuid:check_id>/", one_check, name="check"),
    path("checks/<uuid:check_id>/badge.svg", badge, name="check-badge"),
]
