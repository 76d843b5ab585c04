from django.urls import path

from language_models.api import ModelCalls, ModelCheck, Models, OneModel

MODELS = "campaigns/<slug:slug>/models/"

urlpatterns = [
    path(MODELS, Models.as_view(), name="api-models"),
    path(MODELS + "<int:endpoint_id>/", OneModel.as_view(), name="api-model"),
    path(MODELS + "<int:endpoint_id>/check/", ModelCheck.as_view(), name="api-model-check"),
    path(MODELS + "<int:endpoint_id>/calls/", ModelCalls.as_view(), name="api-model-calls"),
]
