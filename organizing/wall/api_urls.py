from django.urls import path

from organizing.wall.api import WallState

urlpatterns = [path("", WallState.as_view(), name="api-wall")]
