from django.urls import path

from team_desk import views

TEAM = "campaigns/<slug:slug>/team/"

urlpatterns = [
    path(TEAM, views.team_page, name="team"),
    path(TEAM + "try/", views.try_own_bot, name="try-own-bot"),
    path(TEAM + "requests/<int:team_request_id>/", views.answer_request, name="answer-team-request"),
    path(TEAM + "agreement/", views.accept, name="accept-agreement"),
    path(TEAM + "packages/<int:package_id>/", views.package_file, name="package-file"),
    path(TEAM + "bots/<int:entry_id>/", views.own_bot, name="own-bot"),
    path(TEAM + "bots/<int:entry_id>/key/", views.own_key, name="own-bot-key"),
    path(TEAM + "bots/<int:entry_id>/withdraw/", views.take_out, name="take-out-bot"),
    path(TEAM + "bots/<int:entry_id>/submit/", views.submit, name="submit-bot"),
    path(TEAM + "bots/<int:entry_id>/practice/", views.begin_practice, name="begin-practice"),
    path(TEAM + "practice/<uuid:dialogue_id>/", views.practice, name="practice"),
    path(TEAM + "bots/<int:entry_id>/report/", views.own_report, name="own-report"),
    path(TEAM + "objections/", views.objections, name="own-objections"),
    path(TEAM + "dialogues/<uuid:dialogue_id>/", views.own_transcript, name="own-transcript"),
]
