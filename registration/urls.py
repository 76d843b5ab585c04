from django.urls import path

from registration.invitation_pages import invitation

urlpatterns = [path("invitations/<str:token>/", invitation, name="invitation")]
from registration.applying_pages import application, withdraw

CAMPAIGN = "campaigns/<slug:slug>/"

urlpatterns = [
    path(CAMPAIGN + "apply/", application, name="apply"),
    path(CAMPAIGN + "apply/withdraw/", withdraw, name="withdraw-application"),
]
