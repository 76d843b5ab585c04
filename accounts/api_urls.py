from django.urls import path

from accounts.log_in.api import LogIn
from accounts.own_api import (
    BackupCodes,
    ConfirmedFactor,
    OwnDetails,
    OwnPassword,
    OwnPreferences,
    SecondFactor,
)
from accounts.passwords.api import ForgottenPassword, PasswordByLink
from accounts.sessions.api import OneSession, Sessions

urlpatterns = [
    path("log-in/", LogIn.as_view(), name="api-log-in"),
    path("password/forgotten/", ForgottenPassword.as_view(), name="api-forgotten-password"),
    path("password/set/", PasswordByLink.as_view(), name="api-set-password"),
    path("account/details/", OwnDetails.as_view(), name="api-details"),
    path("account/password/", OwnPassword.as_view(), name="api-password"),
    path("account/preferences/", OwnPreferences.as_view(), name="api-preferences"),
    path("account/second-factor/", SecondFactor.as_view(), name="api-second-factor"),
    path("account/second-factor/confirm/", ConfirmedFactor.as_view(), name="api-confirm-second-factor"),
    path("account/second-factor/codes/", BackupCodes.as_view(), name="api-backup-codes"),
    path("account/sessions/", Sessions.as_view(), name="api-sessions"),
    path("account/sessions/<int:log_in_id>/", OneSession.as_view(), name="api-session"),
]
