from django.urls import path

from organizing.setting_up.calendar_views import calendar

urlpatterns = [
    path("campaigns/<slug:slug>/calendar/", calendar, name="calendar"),
]
