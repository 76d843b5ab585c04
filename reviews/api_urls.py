from django.urls import path

from reviews.api import DialogueReview

urlpatterns = [path("dialogues/<uuid:dialogue_id>/review/", DialogueReview.as_view(), name="api-review")]
