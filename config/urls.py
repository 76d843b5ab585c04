"""Every path of Huace: pages, then the REST API. Access rules are declared beside the views (campaigns/access.py)."""

from django.urls import include, path

urlpatterns = [
    path("", include("campaigns.urls")),
    path("", include("testing_console.urls")),
    path("", include("leaderboards.urls")),
    path("", include("automatic_tasks.urls")),
    path("api/v1/", include("testing_console.api_urls")),
    path("api/v1/", include("reviews.api_urls")),
    path("api/v1/", include("leaderboards.api_urls")),
    path("api/v1/", include("automatic_tasks.api_urls")),
]

handler404 = "campaigns.views.not_found"
handler500 = "campaigns.views.server_error"
