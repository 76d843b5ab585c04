from django.urls import path

from organizing.wall.announcement_views import announce, take_back
from organizing.wall.views import wall

urlpatterns = [
    path("", wall, name="wall"),
    path("announcements/", announce, name="announce"),
    path("announcements/<int:announcement_id>/take-back/", take_back, name="take-back-announcement"),
]
