from django.urls import path

from testing_console.views import (
    consent,
    console,
    open_another,
    open_assignment,
    open_choice,
    practice,
    problems,
    settle,
    tester_list,
)

urlpatterns = [
    path("campaigns/<slug:slug>/testing/", tester_list, name="tester-list"),
    path("campaigns/<slug:slug>/testing/open/", open_choice, name="choice-open"),
    path("campaigns/<slug:slug>/testing/consent/", consent, name="consent"),
    path("campaigns/<slug:slug>/testing/practice/", practice, name="tester-practice"),
    path("assignments/<int:assignment_id>/open/", open_assignment, name="assignment-open"),
    path("dialogues/<uuid:dialogue_id>/", console, name="console"),
    path("dialogues/<uuid:dialogue_id>/another/", open_another, name="open-another"),
    path("campaigns/<slug:slug>/problems/", problems, name="problems"),
    path("campaigns/<slug:slug>/problems/<int:problem_id>/settle/", settle, name="problem-settle"),
]
