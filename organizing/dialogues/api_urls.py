from django.urls import path

from organizing.dialogues.api import (
    CampaignDialogue,
    CampaignDialogues,
    CampaignFailures,
    DialogueDecision,
    TurnRequest,
)
from organizing.dialogues.assignment_api import AssignmentsToDo, Reassignment
from organizing.dialogues.many import DecideMany, ReassignMany
from organizing.dialogues.objections import Objections, OneObjection
from organizing.file_imports import ImportedDialogues

PLACE = "campaigns/<slug:slug>/dialogues/"

urlpatterns = [
    path(PLACE, CampaignDialogues.as_view(), name="api-campaign-dialogues"),
    path(f"{PLACE}import/", ImportedDialogues.as_view(), name="api-import-dialogues"),
    path(f"{PLACE}many/", DecideMany.as_view(), name="api-decide-many"),
    path(f"{PLACE}<uuid:dialogue_id>/", CampaignDialogue.as_view(), name="api-campaign-dialogue"),
    path(f"{PLACE}<uuid:dialogue_id>/request/", TurnRequest.as_view(), name="api-turn-request"),
    path(f"{PLACE}<uuid:dialogue_id>/<slug:act>/", DialogueDecision.as_view(), name="api-dialogue-decision"),
    path("campaigns/<slug:slug>/assignments/", AssignmentsToDo.as_view(), name="api-to-do"),
    path("campaigns/<slug:slug>/assignments/many/", ReassignMany.as_view(), name="api-reassign-many"),
    path("campaigns/<slug:slug>/assignments/<int:assignment_id>/", Reassignment.as_view(), name="api-reassign"),
    path("campaigns/<slug:slug>/failures/", CampaignFailures.as_view(), name="api-failures"),
    path("campaigns/<slug:slug>/objections/", Objections.as_view(), name="api-objections"),
    path("campaigns/<slug:slug>/objections/<int:objection_id>/", OneObjection.as_view(), name="api-answer-objection"),
]
