"""Every path of Huace: pages, then the REST API. Access rules are declared beside the views (accounts/access.py)."""

from django.conf import settings
from django.urls import include, path

urlpatterns = [
    path("", include("accounts.urls")),
    path("", include("campaigns.urls")),
    path("", include("registration.urls")),
    path("", include("language_models.urls")),
    path("", include("conformance.urls")),
    path("", include("testing_console.urls")),
    path("", include("reviews.urls")),
    path("", include("crowds.urls")),
    path("", include("replays.urls")),
    path("", include("leaderboards.urls")),
    path("", include("pairs.urls")),
    path("", include("simulation.urls")),
    path("", include("judging.urls")),
    path("", include("publication.urls")),
    path("", include("automatic_tasks.urls")),
    path("", include("team_desk.urls")),
    path("", include("organizing.urls")),
    path("", include("operating.urls")),
    path("", include("notifications.urls")),
    path("", include("privacy.urls")),
    # A campaign's own page takes any one word after campaigns/, so it comes after the pages that have such an address.
    path("", include("frame.urls")),
    path("api/v1/", include("accounts.api_urls")),
    path("api/v1/", include("campaigns.api_urls")),
    path("api/v1/", include("registration.api_urls")),
    path("api/v1/", include("language_models.api_urls")),
    path("api/v1/", include("conformance.api_urls")),
    path("api/v1/", include("testing_console.api_urls")),
    path("api/v1/", include("reviews.api_urls")),
    path("api/v1/", include("crowds.api_urls")),
    path("api/v1/", include("replays.api_urls")),
    path("api/v1/", include("leaderboards.api_urls")),
    path("api/v1/", include("pairs.api_urls")),
    path("api/v1/", include("simulation.api_urls")),
    path("api/v1/", include("judging.api_urls")),
    path("api/v1/", include("publication.api_urls")),
    path("api/v1/", include("automatic_tasks.api_urls")),
    path("api/v1/", include("team_desk.api_urls")),
    path("api/v1/", include("organizing.api_urls")),
    path("api/v1/", include("operating.api_urls")),
    path("api/v1/", include("notifications.api_urls")),
    path("api/v1/", include("privacy.api_urls")),
    path("api/v1/", include("frame.api_urls")),
]

if settings.IS_DEMO:
    urlpatterns.insert(0, path("", include("demo.urls")))

handler400 = "frame.error_pages.bad_request"
handler403 = "frame.error_pages.no_permission"
handler404 = "frame.error_pages.not_found"
handler500 = "frame.error_pages.server_error"
