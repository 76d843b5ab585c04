from django.urls import path

from campaigns.views import home

urlpatterns = [path("", home, name="home")]
