from django.urls import path

from reviews.api import DialogueReview, ReviewSheet, UndoneReview
from reviews.queue_api import NextPlace, Queue

urlpatterns = [
    path("reviews/queue/", Queue.as_view(), name="api-review-queue"),
    path("reviews/next/", NextPlace.as_view(), name="api-review-next"),
    path("dialogues/<uuid:dialogue_id>/review/", DialogueReview.as_view(), name="api-review"),
    path("dialogues/<uuid:dialogue_id>/review/undo/", UndoneReview.as_view(), name="api-review-undo"),
    path("dialogues/<uuid:dialogue_id>/review/sheet/", ReviewSheet.as_view(), name="api-review-sheet"),
]
