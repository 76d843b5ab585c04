from django.urls import path

from organizing.participating import try_views
from organizing.teams import asking as asking_views
from organizing.teams import bot_acts as act_views
from organizing.teams import views
from organizing.teams import views as data_views

TEAMS = "campaigns/<slug:slug>/teams/"

urlpatterns = [
    path(TEAMS, views.teams, name="teams"),
    path(TEAMS + "applications/<int:application_id>/", views.answer, name="answer-application"),
    path(TEAMS + "requests/", asking_views.ask, name="ask-team"),
    path(TEAMS + "requests/<int:team_request_id>/withdraw/", asking_views.withdraw, name="withdraw-team-request"),
    path(TEAMS + "bots/act/", act_views.act_on_bot, name="act-on-bot"),
    path(TEAMS + "bots/<int:entry_id>/", views.team_bot, name="team-bot"),
    path(TEAMS + "try/", try_views.try_bot, name="try-bot"),
    path(TEAMS + "bots/<int:entry_id>/key/", views.team_bot_key, name="team-bot-key"),
    path(TEAMS + "agreement/", data_views.agreement, name="agreement-of-teams"),
    path(TEAMS + "data/", data_views.packages, name="packages"),
    path(TEAMS + "data/<int:package_id>/remove/", data_views.remove, name="remove-package"),
]
