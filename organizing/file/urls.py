from django.urls import path

from organizing.file.views import campaign_file, download

urlpatterns = [
    path("", campaign_file, name="file"),
    path("download/", download, name="file-download"),
]
