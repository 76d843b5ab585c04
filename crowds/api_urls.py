from django.urls import path

from crowds.api import Arrivals, Ids, OneArrival, OneStudy, Payments, Studies, StudyState

STUDIES = "campaigns/<slug:slug>/studies/"
STUDY = STUDIES + "<int:study_id>/"

urlpatterns = [
    path(STUDIES, Studies.as_view(), name="api-studies"),
    path(STUDY, OneStudy.as_view(), name="api-study"),
    path(STUDY + "state/", StudyState.as_view(), name="api-study-state"),
    path(STUDY + "arrivals/", Arrivals.as_view(), name="api-study-arrivals"),
    path(STUDY + "arrivals/<int:arrival_id>/", OneArrival.as_view(), name="api-study-arrival"),
    path(STUDY + "payments.csv", Payments.as_view(), name="api-study-payments"),
    path(STUDY + "ids.txt", Ids.as_view(), name="api-study-ids"),
]
