from django.urls import path

from registration.applying_api import NewcomerApplication, OwnApplication
from registration.invitation_api import InvitationByToken

urlpatterns = [
    path("invitations/<str:token>/", InvitationByToken.as_view(), name="api-invitation"),
    path("campaigns/<slug:slug>/application/", OwnApplication.as_view(), name="api-application"),
    path("campaigns/<slug:slug>/application/newcomer/", NewcomerApplication.as_view(), name="api-newcomer-application"),
]
