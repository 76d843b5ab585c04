from django.urls import path

from language_models.pages import check, model, models, withdraw

MODELS = "campaigns/<slug:slug>/models/"

urlpatterns = [
    path(MODELS, models, name="models"),
    path(MODELS + "<int:endpoint_id>/", model, name="model"),
    path(MODELS + "<int:endpoint_id>/check/", check, name="check-model"),
    path(MODELS + "<int:endpoint_id>/withdraw/", withdraw, name="withdraw-model"),
]
