from django.urls import path

from accounts.passwords.api import ForgottenPassword, PasswordByLink
from accounts.sessions.api import OneSession, Sessions

urlpatterns = [
    path("password/forgotten/", ForgottenPassword.as_view(), name="api-forgotten-password"),
    path("password/set/", PasswordByLink.as_view(), name="api-set-password"),
    path("account/sessions/", Sessions.as_view(), name="api-sessions"),
    path("account/sessions/<int:log_in_id>/", OneSession.as_view(), name="api-session"),
]
