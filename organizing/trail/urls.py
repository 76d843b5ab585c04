from django.urls import path

from organizing.trail.views import trail, trail_file, whole_trail, whole_trail_file

urlpatterns = [
    path("campaigns/<slug:slug>/trail/", trail, name="trail"),
    path("campaigns/<slug:slug>/trail/lines.<slug:format>", trail_file, name="trail-file"),
    path("trail/", whole_trail, name="whole-trail"),
    path("trail/lines.<slug:format>", whole_trail_file, name="whole-trail-file"),
]
