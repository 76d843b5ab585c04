from django.urls import path

from organizing.setting_up.calendar_views import calendar
from organizing.setting_up.new_campaign_views import new_campaign

urlpatterns = [
    path("campaigns/new/", new_campaign, name="new-campaign"),
    path("campaigns/<slug:slug>/calendar/", calendar, name="calendar"),
]
