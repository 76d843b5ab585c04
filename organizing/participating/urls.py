from django.urls import path

from organizing.participating import data_views, views

TEAM = "campaigns/<slug:slug>/team/"

urlpatterns = [
    path(TEAM, views.team_page, name="team"),
    path(TEAM + "agreement/", data_views.accept, name="accept-agreement"),
    path(TEAM + "packages/<int:package_id>/", data_views.package_file, name="package-file"),
    path(TEAM + "bots/<int:entry_id>/", views.own_bot, name="own-bot"),
    path(TEAM + "bots/<int:entry_id>/withdraw/", views.take_out, name="take-out-bot"),
    path(TEAM + "dialogues/<uuid:dialogue_id>/", views.own_transcript, name="own-transcript"),
]
