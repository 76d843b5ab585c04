from django.urls import path

from organizing.teams import bot_acts, views

TEAMS = "campaigns/<slug:slug>/teams/"

urlpatterns = [
    path(TEAMS, views.teams, name="teams"),
    path(TEAMS + "applications/<int:application_id>/", views.answer, name="answer-application"),
    path(TEAMS + "requests/", views.ask, name="ask-team"),
    path(TEAMS + "requests/<int:team_request_id>/withdraw/", views.withdraw, name="withdraw-team-request"),
    path(TEAMS + "bots/act/", bot_acts.act_on_bot, name="act-on-bot"),
    path(TEAMS + "bots/<int:entry_id>/", views.team_bot, name="team-bot"),
    path(TEAMS + "try/", views.try_bot, name="try-bot"),
    path(TEAMS + "bots/<int:entry_id>/key/", views.team_bot_key, name="team-bot-key"),
    path(TEAMS + "agreement/", views.agreement, name="agreement-of-teams"),
    path(TEAMS + "data/", views.packages, name="packages"),
    path(TEAMS + "data/<int:package_id>/remove/", views.remove, name="remove-package"),
]
