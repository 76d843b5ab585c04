from django.urls import path

from testing_console.api import Assignments, Choices, Dialogues, OneDialogue

urlpatterns = [
    path("assignments/", Assignments.as_view(), name="api-assignments"),
    path("campaigns/<slug:slug>/choices/", Choices.as_view(), name="api-choices"),
    path("dialogues/", Dialogues.as_view(), name="api-dialogues"),
    path("dialogues/<uuid:dialogue_id>/", OneDialogue.as_view(), name="api-dialogue"),
]
