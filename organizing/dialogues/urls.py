from django.urls import path

from organizing.dialogues.assignment_views import reassign_shown, to_do
from organizing.dialogues.many import decide_many, reassign_many
from organizing.dialogues.objections import answer, objections
from organizing.dialogues.views import decide, dialogue_shown, dialogues, failures, request_shown

PLACE = "campaigns/<slug:slug>/dialogues/"

urlpatterns = [
    path(PLACE, dialogues, name="dialogues"),
    path(f"{PLACE}many/", decide_many, name="decide-many"),
    path(f"{PLACE}<uuid:dialogue_id>/", dialogue_shown, name="dialogue-shown"),
    path(f"{PLACE}<uuid:dialogue_id>/request/", request_shown, name="turn-request"),
    path(f"{PLACE}<uuid:dialogue_id>/<slug:act>/", decide, name="dialogue-decide"),
    path("campaigns/<slug:slug>/assignments/", to_do, name="assignments"),
    path("campaigns/<slug:slug>/assignments/many/", reassign_many, name="reassign-many"),
    path("campaigns/<slug:slug>/assignments/<int:assignment_id>/", reassign_shown, name="reassign"),
    path("campaigns/<slug:slug>/failures/", failures, name="failures"),
    path("campaigns/<slug:slug>/objections/", objections, name="objections"),
    path("campaigns/<slug:slug>/objections/<int:objection_id>/", answer, name="answer-objection"),
]
