from django.urls import path

from registration.invitation_pages import invitation

urlpatterns = [path("invitations/<str:token>/", invitation, name="invitation")]
