from django.urls import include, path

from frame.campaigns_api import OneCampaign, OwnCampaigns, PublicCampaigns
from frame.pictures import PairPicture, Picture, PublishedPicture

urlpatterns = [
    path("", include("frame.api_pages.api_urls")),
    path("account/campaigns/", OwnCampaigns.as_view(), name="api-own-campaigns"),
    path("public-campaigns/", PublicCampaigns.as_view(), name="api-public-campaigns"),
    path("dialogues/<uuid:dialogue_id>/images/<str:picture_name>/", Picture.as_view(), name="api-picture"),
    path("pairs/<uuid:pair_id>/images/<str:picture_name>/", PairPicture.as_view(), name="api-pair-picture"),
    path(
        "campaigns/<slug:slug>/leaderboard/<int:number>/dialogues/<int:dialogue_number>/images/<str:picture_name>/",
        PublishedPicture.as_view(),
        name="api-published-picture",
    ),
    path("campaigns/<slug:slug>/", OneCampaign.as_view(), name="api-campaign"),
]
