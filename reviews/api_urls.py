from django.urls import path

from reviews.api import (
    DialogueReview,
    NextPlace,
    Queue,
    ReviewRemark,
    ReviewSheet,
    RevisionOfReview,
    UndoneReview,
    Waiting,
)
from reviews.guide import GuideOfCampaign
from reviews.guide_examples import GuideExamples, OneGuideExample
from reviews.organizing_api import (
    ClosedPanels,
    DialogueGold,
    DialoguePanel,
    DialogueVetting,
    LackingPanels,
    RevisionAnswer,
    RevisionRequests,
)

urlpatterns = [
    path("reviews/queue/", Queue.as_view(), name="api-review-queue"),
    path("reviews/waiting/", Waiting.as_view(), name="api-review-waiting"),
    path("reviews/next/", NextPlace.as_view(), name="api-review-next"),
    path("dialogues/<uuid:dialogue_id>/review/", DialogueReview.as_view(), name="api-review"),
    path("dialogues/<uuid:dialogue_id>/review/undo/", UndoneReview.as_view(), name="api-review-undo"),
    path("dialogues/<uuid:dialogue_id>/review/sheet/", ReviewSheet.as_view(), name="api-review-sheet"),
    path("dialogues/<uuid:dialogue_id>/review/revision/", RevisionOfReview.as_view(), name="api-review-revision"),
    path("dialogues/<uuid:dialogue_id>/remark/", ReviewRemark.as_view(), name="api-remark"),
    path("dialogues/<uuid:dialogue_id>/vetting/", DialogueVetting.as_view(), name="api-vetting"),
    path("dialogues/<uuid:dialogue_id>/gold/", DialogueGold.as_view(), name="api-gold"),
    path("dialogues/<uuid:dialogue_id>/panel/", DialoguePanel.as_view(), name="api-panel"),
    path("campaigns/<slug:slug>/review/guide/", GuideOfCampaign.as_view(), name="api-review-guide"),
    path("campaigns/<slug:slug>/review/guide/examples/", GuideExamples.as_view(), name="api-guide-examples"),
    path(
        "campaigns/<slug:slug>/review/guide/examples/<int:example_id>/",
        OneGuideExample.as_view(),
        name="api-guide-example",
    ),
    path("campaigns/<slug:slug>/panels/", LackingPanels.as_view(), name="api-panels"),
    path("campaigns/<slug:slug>/panels/closed/", ClosedPanels.as_view(), name="api-closed-panels"),
    path("campaigns/<slug:slug>/revision-requests/", RevisionRequests.as_view(), name="api-revision-requests"),
    path("revision-requests/<int:request_id>/", RevisionAnswer.as_view(), name="api-revision-answer"),
]
