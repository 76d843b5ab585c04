from django.urls import path

from organizing.setting_up.calendar_views import calendar
from organizing.setting_up.new_campaign_views import new_campaign
from organizing.setting_up.settings_views import settings

urlpatterns = [
    path("campaigns/<slug:slug>/settings/", settings, name="settings"),
    path("campaigns/new/", new_campaign, name="new-campaign"),
    path("campaigns/<slug:slug>/calendar/", calendar, name="calendar"),
]
