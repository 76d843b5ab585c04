from django.urls import path

from organizing.wall.views import wall

urlpatterns = [path("", wall, name="wall")]
