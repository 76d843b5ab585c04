from django.urls import path

from registration.applying_pages import application, withdraw
from registration.invitation_pages import invitation

CAMPAIGN = "campaigns/<slug:slug>/"

urlpatterns = [
    path("invitations/<str:token>/", invitation, name="invitation"),
    path(CAMPAIGN + "apply/", application, name="apply"),
    path(CAMPAIGN + "apply/withdraw/", withdraw, name="withdraw-application"),
]
