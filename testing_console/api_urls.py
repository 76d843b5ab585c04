from django.urls import path

from testing_console.api import (
    Assignments,
    CampaignProblems,
    Choices,
    ConsentOfTester,
    DialogueItems,
    DialogueProblems,
    Dialogues,
    Flag,
    GoalCard,
    OneDialogue,
    SettledProblem,
)

urlpatterns = [
    path("assignments/", Assignments.as_view(), name="api-assignments"),
    path("campaigns/<slug:slug>/choices/", Choices.as_view(), name="api-choices"),
    path("campaigns/<slug:slug>/consent/", ConsentOfTester.as_view(), name="api-consent"),
    path("dialogues/", Dialogues.as_view(), name="api-dialogues"),
    path("dialogues/<uuid:dialogue_id>/", OneDialogue.as_view(), name="api-dialogue"),
    path("dialogues/<uuid:dialogue_id>/card/", GoalCard.as_view(), name="api-dialogue-card"),
    path("dialogues/<uuid:dialogue_id>/items/", DialogueItems.as_view(), name="api-dialogue-items"),
    path("dialogues/<uuid:dialogue_id>/problems/", DialogueProblems.as_view(), name="api-dialogue-problems"),
    path("dialogues/<uuid:dialogue_id>/flags/<int:number>/", Flag.as_view(), name="api-flag"),
    path("campaigns/<slug:slug>/problems/", CampaignProblems.as_view(), name="api-problems"),
    path("campaigns/<slug:slug>/problems/<int:problem_id>/settle/", SettledProblem.as_view(), name="api-settle"),
]
