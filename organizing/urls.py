from django.urls import path

from organizing.views import change_bot, coverage, dismiss, draw

urlpatterns = [
    path("campaigns/<slug:slug>/coverage/", coverage, name="coverage"),
    path("campaigns/<slug:slug>/coverage/draw/", draw, name="draw"),
    path("campaigns/<slug:slug>/coverage/bot/", change_bot, name="change-bot"),
    path("campaigns/<slug:slug>/coverage/dismiss/", dismiss, name="dismiss"),
]
