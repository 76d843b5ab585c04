from django.urls import path

from reviews.guide import guide
from reviews.guide_examples import guide_examples, remove_guide_example
from reviews.views import change_panel, panels, review, review_queue, revisions, vetting

urlpatterns = [
    path("campaigns/<slug:slug>/review/", review_queue, name="review-queue"),
    path("campaigns/<slug:slug>/review/guide/", guide, name="review-guide"),
    path("campaigns/<slug:slug>/review/guide/examples/", guide_examples, name="guide-examples"),
    path(
        "campaigns/<slug:slug>/review/guide/examples/<int:example_id>/remove/",
        remove_guide_example,
        name="remove-guide-example",
    ),
    path("campaigns/<slug:slug>/revisions/", revisions, name="revisions"),
    path("campaigns/<slug:slug>/panels/", panels, name="panels"),
    path("campaigns/<slug:slug>/panels/<uuid:dialogue_id>/", change_panel, name="change-panel"),
    path("reviews/<uuid:dialogue_id>/", review, name="review"),
    path("reviews/<uuid:dialogue_id>/vetting/", vetting, name="vetting"),
]
