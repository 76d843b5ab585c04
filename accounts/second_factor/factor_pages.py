"""One's own second factor: set it up with an app, new backup codes, turn it off."""

from base64 import b32encode
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts.access import for_people, person_of
from accounts.form_routes import form_on
from accounts.link_addresses import qr_image
from accounts.log_in.actions import give_guesses_back, take_guess
from accounts.log_in.handler import code_guess_of, guess_of
from accounts.log_in.views import refused
from accounts.models import Person
from accounts.second_factor.actions import begin_set_up, end_second_factor, finish_set_up, renew_backup_codes
from accounts.second_factor.codes import spaced


@for_people
@require_GET
def second_factor(request: HttpRequest) -> HttpResponse:
    return _page(request)


@for_people
@form_on("second-factor")
def begin(request: HttpRequest) -> HttpResponse:
    """A secret for the app; an existing second factor must be turned off first."""
    if not person_of(request).has_second_factor:
        begin_set_up(person=person_of(request))
    return redirect("second-factor")


@for_people
@form_on("second-factor")
def confirm(request: HttpRequest) -> HttpResponse:
    """The one page on which the backup codes can be read: only their digests are stored."""
    person = person_of(request)
    guess = code_guess_of(request, person.username)
    if _is_refused(request, guess):
        return refused(request, _page(request))
    turned_on = finish_set_up(
        person=person,
        code=request.POST.get("code", ""),
        session_key=str(request.session.session_key),
        tokens=person.valid_tokens(timezone.now()) if "tokens" in request.POST else None,
    )
    if turned_on is None:
        return _page(request, wrong_code=True)
    give_guesses_back(guess=guess)
    if turned_on.n_tokens:
        messages.success(request, _("API tokens ended: %(n)d") % {"n": turned_on.n_tokens})
    return _page(request, codes=turned_on.codes, shown_once=True)


@for_people
@form_on("second-factor")
def new_codes(request: HttpRequest) -> HttpResponse:
    person = person_of(request)
    if answer := _without_password(request, person):
        return answer
    return _page(request, codes=renew_backup_codes(person=person), shown_once=True)


@for_people
@form_on("second-factor")
def turn_off(request: HttpRequest) -> HttpResponse:
    person = person_of(request)
    if answer := _without_password(request, person):
        return answer
    end_second_factor(person=person)
    messages.success(request, _("The second factor is turned off."))
    return redirect("second-factor")


def _without_password(request: HttpRequest, person: Person) -> HttpResponse | None:
    """The page that says why, unless the password of the current login was given."""
    guess = guess_of(request, person.username)
    if not person.has_second_factor:
        return redirect("second-factor")
    if _is_refused(request, guess):
        return refused(request, _page(request))
    if not person.check_password(request.POST.get("password", "")):
        return _page(request, wrong_password=True)
    give_guesses_back(guess=guess)
    return None


def _is_refused(request: HttpRequest, guess: Any) -> bool:
    request.refused_until = take_guess(guess=guess, at=timezone.now())  # type: ignore[attr-defined]
    return request.refused_until is not None  # type: ignore[attr-defined]


def _page(request: HttpRequest, **more: Any) -> HttpResponse:
    person = person_of(request)
    context: dict[str, Any] = {"is_on": person.has_second_factor, "must": person.must_set_up_second_factor()}
    if context["is_on"]:
        context["n_codes"] = StaticToken.objects.filter(device__user=person).count()
        context["device"] = TOTPDevice.objects.filter(user=person, confirmed=True).first()
    elif pending := TOTPDevice.objects.filter(user=person, confirmed=False).first():
        context["qr"] = qr_image(pending.config_url)
        context["secret"] = spaced(b32encode(pending.bin_key).decode())
        tokens = person.valid_tokens(timezone.now())
        context["n_of_log_in"] = tokens.filter(is_of_log_in=True).count()
        context["n_tokens"] = tokens.filter(is_of_log_in=False).count()
    return render(request, "accounts/second_factor.html", context | more)
