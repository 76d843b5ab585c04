from django.urls import path

from frame.api_pages.views import api_page
from frame.pictures import pair_picture, picture, published_picture
from frame.views import about, campaign_page, description_page, design, favicon, find, home, start

urlpatterns = [
    path("", home, name="home"),
    path("about/", about, name="about"),
    path("about/api/", api_page, name="api-page"),
    path("start/", start, name="start"),
    path("find/", find, name="find"),
    path("design/", design, name="design"),
    path("dialogues/<uuid:dialogue_id>/images/<str:picture_name>/", picture, name="picture"),
    path("pairs/<uuid:pair_id>/images/<str:picture_name>/", pair_picture, name="pair-picture"),
    path(
        "campaigns/<slug:slug>/leaderboard/<int:number>/dialogues/<int:dialogue_number>/images/<str:picture_name>/",
        published_picture,
        name="published-picture",
    ),
    path("favicon.ico", favicon, name="favicon"),
    path("campaigns/<slug:slug>/", campaign_page, name="campaign"),
    path("campaigns/<slug:slug>/about/<int:version>/", description_page, name="description-version"),
]
