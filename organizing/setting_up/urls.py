from django.urls import path

from organizing.setting_up.calendar_page import calendar
from organizing.setting_up.description_page import description
from organizing.setting_up.new_campaign import new_campaign
from organizing.setting_up.rubric_page import rubric
from organizing.setting_up.settings_page import settings

urlpatterns = [
    path("campaigns/<slug:slug>/settings/", settings, name="settings"),
    path("campaigns/<slug:slug>/description/", description, name="description"),
    path("campaigns/<slug:slug>/rubric/", rubric, name="rubric"),
    path("campaigns/new/", new_campaign, name="new-campaign"),
    path("campaigns/<slug:slug>/calendar/", calendar, name="calendar"),
]
