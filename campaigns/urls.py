from django.contrib.auth.views import LoginView, LogoutView
from django.urls import path

from campaigns.access import open_to_all
from campaigns.views import home, preferences

urlpatterns = [
    path("", home, name="home"),
    path(
        "login/",
        open_to_all(LoginView.as_view(template_name="login.html", redirect_authenticated_user=True)),
        name="login",
    ),
    path("logout/", open_to_all(LogoutView.as_view()), name="logout"),
    path("preferences/", preferences, name="preferences"),
]
