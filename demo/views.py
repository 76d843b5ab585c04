"""One-click sign-in and the guided dialogue. Their addresses exist only where HUACE_DEMO is set (config/urls.py)."""

from datetime import datetime

from django.contrib.auth import login
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language

from accounts.access import open_to_all
from accounts.form_routes import form_on
from accounts.models import Person
from campaigns.models import Assignment
from demo.people import DEMO_PEOPLE, GUIDED, GUIDED_BOT, GUIDED_IN_ENGLISH, SLUG
from dialogues.actions import open_dialogue
from dialogues.models import Dialogue
from dialogues.turn_taking import Refusal


def open_guided_dialogue(*, person: Person, at: datetime) -> Dialogue | None:
    """A dialogue of one part in the page's language, with the bot that books all three kinds; None when all of them are scored."""
    campaign = GUIDED_IN_ENGLISH if get_language() == "en" else SLUG
    own = Assignment.objects.of_tester(person).filter(campaign__slug=campaign, entry__key=GUIDED_BOT)
    of_one_part = own.annotate(n_parts=Count("scenario__subtasks")).filter(n_parts=1)
    assignment = of_one_part.exclude(dialogues__scored_at__isnull=False).in_order().with_names().first()
    return open_dialogue(assignment=assignment, at=at) if assignment else None


BACKEND = "django.contrib.auth.backends.ModelBackend"


@open_to_all
@form_on("home")
def sign_in(request: HttpRequest) -> HttpResponse:
    """Signs in as one of the demo's people; nobody else can be named. `board` is a guided campaign whose board is to be seen."""
    username, board = request.POST.get("username", ""), request.POST.get("board", "")
    if username not in {person.username for person in DEMO_PEOPLE}:
        raise Http404
    _log_in(request, username)
    if board in (SLUG, GUIDED_IN_ENGLISH):
        return redirect("leaderboard", slug=board)
    return redirect("start")


@open_to_all
@form_on("home")
def guided(request: HttpRequest) -> HttpResponse:
    """Signs in as a tester and opens a dialogue with the guide beside it."""
    person = _log_in(request, GUIDED)
    try:
        dialogue = open_guided_dialogue(person=person, at=timezone.now())
    except Refusal:
        dialogue = None
    if dialogue is None:
        return redirect("start")
    return redirect(reverse("console", args=[dialogue.pk]) + "?guide")


def _log_in(request: HttpRequest, username: str) -> Person:
    person = get_object_or_404(Person, username=username, is_active=True, is_staff=False, is_superuser=False)
    login(request, person, backend=BACKEND)
    return person
