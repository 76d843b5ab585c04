from django.urls import path

from crowds.entry_pages import enter, place
from crowds.study_pages import act_on_study, decide_arrival, ids_file, payments_file, studies, study

STUDIES = "campaigns/<slug:slug>/studies/"
STUDY = STUDIES + "<int:study_id>/"

urlpatterns = [
    path("enter/<str:token>/", enter, name="enter"),
    path("enter/<str:token>/place/", place, name="crowd-place"),
    path(STUDIES, studies, name="studies"),
    path(STUDY, study, name="study"),
    path(STUDY + "act/", act_on_study, name="act-on-study"),
    path(STUDY + "arrivals/<int:arrival_id>/", decide_arrival, name="decide-arrival"),
    path(STUDY + "payments.csv", payments_file, name="study-payments"),
    path(STUDY + "ids.txt", ids_file, name="study-ids"),
]
