"""The second step of the log-in: the code."""

from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render, resolve_url
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods

from accounts.access import open_to_all
from accounts.log_in.actions import give_guesses_back, take_guess
from accounts.log_in.guesses import digest_of, remember_device
from accounts.log_in.handler import code_guess_of
from accounts.log_in.recording import note_wrong_code
from accounts.log_in.views import refused
from accounts.models import Person
from accounts.second_factor.actions import use_code
from accounts.second_factor.pending import KEY, half_way_in


@open_to_all
@require_http_methods(["GET", "HEAD", "POST"])
def code_page(request: HttpRequest) -> HttpResponse:
    """Asks for the code after the right password. Wrong codes have budgets of their own."""
    now = timezone.now()
    found = half_way_in(request.session, now)
    if found is None:
        return redirect("login")
    person, backend = found
    if request.method != "POST":
        return _page(request, person)
    guess = code_guess_of(request, person.username)
    request.refused_until = take_guess(guess=guess, at=now)  # type: ignore[attr-defined]
    if request.refused_until:  # type: ignore[attr-defined]
        return refused(request, _page(request, person))
    if not use_code(person=person, code=request.POST.get("code", "")):
        note_wrong_code(request, person)
        return _page(request, person, is_wrong=True)
    request.session.pop(KEY)
    login(request, person, backend=backend)
    give_guesses_back(guess=guess)
    response = HttpResponseRedirect(_wanted(request))
    remember_device(request, response, digest_of(person.username))
    return response


def _page(request: HttpRequest, person: Person, *, is_wrong: bool = False) -> HttpResponse:
    wanted = request.POST.get("next", request.GET.get("next", ""))
    return render(request, "accounts/code.html", {"person": person, "next": wanted, "is_wrong": is_wrong})


def _wanted(request: HttpRequest) -> str:
    """Where the log-in was to lead, if that is a page of ours."""
    wanted = request.POST.get("next", "")
    is_own = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    return wanted if is_own and wanted.startswith("/") else resolve_url("start")
