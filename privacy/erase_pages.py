"""Pages on which somebody erases their own account, and staff the account of another person."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.access import for_people, for_staff, person_of
from accounts.log_in.actions import give_guesses_back, take_guess
from accounts.log_in.handler import guess_of
from accounts.models import Person
from accounts.scopes import WHOLE
from privacy.actions.erasing import CannotErase, erase_person, names_of, new_name, preview_erasing


@for_people
@require_http_methods(["GET", "HEAD", "POST"])
def erase_own(request: HttpRequest) -> HttpResponse:
    """Asks for user name and password: a page that was left open erases nobody."""
    person = Person.objects.get(pk=person_of(request).pk)
    wrong = ""
    if request.method == "POST":
        wrong = wrong_name(request, person) or wrong_password(request, person, request.POST.get("password", ""))
        if not wrong:
            try:
                erase_person(person=person, by=person, at=timezone.now())
            except CannotErase as refused:
                wrong = str(refused)
            else:
                # Its sessions are gone already; this one must not be stored again.
                request.session.flush()
                messages.success(request, _("Your account is erased."))
                return redirect("home")
    return _page(request, person, wrong, is_own=True)


@for_staff
@require_http_methods(["GET", "HEAD", "POST"])
def erase_other(request: HttpRequest, person_id: int) -> HttpResponse:
    person = get_object_or_404(Person, pk=person_id)
    wrong = ""
    if request.method == "POST":
        wrong = wrong_name(request, person)
        if not wrong:
            try:
                erase_person(person=person, by=person_of(request), at=timezone.now())
            except CannotErase as refused:
                wrong = str(refused)
            else:
                messages.success(request, _("The person is erased: %(name)s") % {"name": new_name(person)})
                return redirect("whole-trail")
    return _page(request, person, wrong, is_own=False)


def wrong_name(request: HttpRequest, person: Person) -> str:
    """What is wrong with the typed name; empty where it is the person's."""
    if request.POST.get("typed", "").strip() == person.username:
        return ""
    return _("Type the user name %(name)s.") % {"name": person.username}


def wrong_password(request: HttpRequest, person: Person, typed: str) -> str:
    """A guess like any other; somebody without a password confirms by name alone."""
    if person.scope != WHOLE or not person.has_usable_password():
        return ""
    guess = guess_of(request, person.username)
    if take_guess(guess=guess, at=timezone.now()) is not None or not person.check_password(typed):
        return _("This is not your password.")
    give_guesses_back(guess=guess)
    return ""


def _page(request: HttpRequest, person: Person, wrong: str, *, is_own: bool) -> HttpResponse:
    shown: dict[str, Any] = {"person": person, "is_own": is_own, "wrong": wrong, "new_name": new_name(person)}
    try:
        shown |= {"removal": preview_erasing(person=person), "names": names_of(person)}
    except CannotErase as refused:
        shown |= {"refused": str(refused)}
    return render(request, "privacy/erase.html", shown, status=409 if wrong else 200)
