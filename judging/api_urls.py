from django.urls import path

from judging.api import ComparedJudge, Judges, OneJudge

JUDGES = "campaigns/<slug:slug>/judges/"

urlpatterns = [
    path(JUDGES, Judges.as_view(), name="api-judges"),
    path(JUDGES + "<int:judge_id>/", OneJudge.as_view(), name="api-judge"),
    path(JUDGES + "<int:judge_id>/compare/", ComparedJudge.as_view(), name="api-judge-compare"),
]
