from django.urls import path

from organizing.setting_up.calendar_api import CalendarOfCampaign

urlpatterns = [
    path("campaigns/<slug:slug>/calendar/", CalendarOfCampaign.as_view(), name="api-calendar"),
]
