from django.urls import path

from judging.pages import compare, judge, judges, withdraw

JUDGES = "campaigns/<slug:slug>/judges/"

urlpatterns = [
    path(JUDGES, judges, name="judges"),
    path(JUDGES + "<int:judge_id>/", judge, name="judge"),
    path(JUDGES + "<int:judge_id>/compare/", compare, name="compare-judge"),
    path(JUDGES + "<int:judge_id>/withdraw/", withdraw, name="withdraw-judge"),
]
