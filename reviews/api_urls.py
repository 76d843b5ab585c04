from django.urls import path

from reviews.api import DialogueReview, UndoneReview

urlpatterns = [
    path("dialogues/<uuid:dialogue_id>/review/", DialogueReview.as_view(), name="api-review"),
    path("dialogues/<uuid:dialogue_id>/review/undo/", UndoneReview.as_view(), name="api-review-undo"),
]
