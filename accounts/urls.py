from django.contrib.auth.views import LoginView, LogoutView
from django.urls import path

from accounts.access import open_to_all
from accounts.views import preferences

urlpatterns = [
    path(
        "login/",
        open_to_all(LoginView.as_view(template_name="accounts/login.html", redirect_authenticated_user=True)),
        name="login",
    ),
    path("logout/", open_to_all(LogoutView.as_view()), name="logout"),
    path("preferences/", preferences, name="preferences"),
]
