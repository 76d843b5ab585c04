from django.urls import path

from accounts.sessions.api import OneSession, Sessions

urlpatterns = [
    path("account/sessions/", Sessions.as_view(), name="api-sessions"),
    path("account/sessions/<int:log_in_id>/", OneSession.as_view(), name="api-session"),
]
