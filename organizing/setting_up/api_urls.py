from django.urls import path

from organizing.setting_up.calendar_page import CalendarOfCampaign
from organizing.setting_up.description_page import DescriptionOfCampaign, DescriptionVersion
from organizing.setting_up.new_campaign import Campaigns, Presets
from organizing.setting_up.rubric_page import RubricOfCampaign
from organizing.setting_up.settings_page import SettingsOfCampaign

urlpatterns = [
    path("campaigns/<slug:slug>/settings/", SettingsOfCampaign.as_view(), name="api-settings"),
    path("campaigns/<slug:slug>/description/", DescriptionOfCampaign.as_view(), name="api-description"),
    path(
        "campaigns/<slug:slug>/description/<int:version>/", DescriptionVersion.as_view(), name="api-description-version"
    ),
    path("campaigns/<slug:slug>/rubric/", RubricOfCampaign.as_view(), name="api-rubric"),
    path("campaigns/", Campaigns.as_view(), name="api-campaigns"),
    path("presets/", Presets.as_view(), name="api-presets"),
    path("campaigns/<slug:slug>/calendar/", CalendarOfCampaign.as_view(), name="api-calendar"),
]
