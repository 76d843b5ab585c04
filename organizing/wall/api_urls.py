from django.urls import path

from organizing.wall.api import CampaignAnnouncement, CampaignAnnouncements, WallState

urlpatterns = [
    path("wall/", WallState.as_view(), name="api-wall"),
    path("announcements/", CampaignAnnouncements.as_view(), name="api-announcements"),
    path("announcements/<int:announcement_id>/", CampaignAnnouncement.as_view(), name="api-announcement"),
]
