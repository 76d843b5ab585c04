from django.contrib.auth.views import LogoutView
from django.urls import path

from accounts.access import for_people, open_to_all
from accounts.details_pages import details
from accounts.form_routes import form_on
from accounts.log_in.views import LogInPage
from accounts.passwords.views import forgotten, set_password
from accounts.second_factor.code_page import code_page
from accounts.second_factor.factor_pages import begin, confirm, new_codes, second_factor, turn_off
from accounts.sessions.session_pages import end_one, end_others, sessions
from accounts.views import PasswordPage, preferences, session

urlpatterns = [
    path("login/", open_to_all(LogInPage.as_view()), name="login"),
    path("login/code/", code_page, name="log-in-code"),
    path("logout/", open_to_all(form_on("home")(LogoutView.as_view())), name="logout"),
    path("account/details/", details, name="details"),
    path("account/password/", for_people(PasswordPage.as_view()), name="password"),
    path("password/forgotten/", forgotten, name="forgotten-password"),
    path("password/set/<str:token>/", set_password, name="set-password"),
    path("account/second-factor/", second_factor, name="second-factor"),
    path("account/second-factor/begin/", begin, name="begin-second-factor"),
    path("account/second-factor/confirm/", confirm, name="confirm-second-factor"),
    path("account/second-factor/codes/", new_codes, name="new-backup-codes"),
    path("account/second-factor/off/", turn_off, name="end-second-factor"),
    path("account/sessions/", sessions, name="sessions"),
    path("account/sessions/end/", end_others, name="end-sessions"),
    path("account/sessions/<int:log_in_id>/end/", end_one, name="end-session"),
    path("preferences/", preferences, name="preferences"),
    path("session/", session, name="session"),
]
