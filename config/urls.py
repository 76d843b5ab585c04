"""Every path of Huace: pages, then the REST API. Access rules are declared beside the views (accounts/access.py)."""

from django.urls import include, path

urlpatterns = [
    path("", include("accounts.urls")),
    path("", include("campaigns.urls")),
    path("", include("testing_console.urls")),
    path("", include("leaderboards.urls")),
    path("", include("automatic_tasks.urls")),
    path("api/v1/", include("testing_console.api_urls")),
    path("api/v1/", include("reviews.api_urls")),
    path("api/v1/", include("leaderboards.api_urls")),
    path("api/v1/", include("automatic_tasks.api_urls")),
]

handler404 = "accounts.views.not_found"
handler500 = "accounts.views.server_error"
