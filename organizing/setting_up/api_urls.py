from django.urls import path

from organizing.setting_up.calendar_api import CalendarOfCampaign
from organizing.setting_up.new_campaign_api import Campaigns, Presets

urlpatterns = [
    path("campaigns/", Campaigns.as_view(), name="api-campaigns"),
    path("presets/", Presets.as_view(), name="api-presets"),
    path("campaigns/<slug:slug>/calendar/", CalendarOfCampaign.as_view(), name="api-calendar"),
]
