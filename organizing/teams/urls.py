from django.urls import path

from organizing.teams import data_views, views

TEAMS = "campaigns/<slug:slug>/teams/"

urlpatterns = [
    path(TEAMS, views.teams, name="teams"),
    path(TEAMS + "applications/<int:application_id>/", views.answer, name="answer-application"),
    path(TEAMS + "bots/<int:entry_id>/", views.team_bot, name="team-bot"),
    path(TEAMS + "agreement/", data_views.agreement, name="agreement-of-teams"),
    path(TEAMS + "data/", data_views.packages, name="packages"),
    path(TEAMS + "data/<int:package_id>/remove/", data_views.remove, name="remove-package"),
]
