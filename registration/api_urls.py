from django.urls import path

from registration.invitation_api import InvitationByToken

urlpatterns = [path("invitations/<str:token>/", InvitationByToken.as_view(), name="api-invitation")]
