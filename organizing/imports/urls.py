from django.urls import path

from organizing.imports.views import dialogues, records

urlpatterns = [
    path("", dialogues, name="imports"),
    path("records/", records, name="import-records"),
]
