"""The log-in page."""

import math
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone

from accounts.form_routes import page_with_form
from accounts.log_in.guesses import digest_of, remember_device
from accounts.models import Person
from accounts.second_factor.pending import note_half_way


class LogInPage(LoginView):
    """Name and password. Too many guesses are answered with 429 and the time from which the next is looked at."""

    template_name = "accounts/login.html"
    redirect_authenticated_user = True

    def get_redirect_url(self, *request: HttpRequest | None) -> str:
        """Where somebody wanted to go. The address of a form, which was not taken without a login, becomes its page."""
        wanted = super().get_redirect_url(*request)
        return page_with_form(wanted) or wanted

    def get_context_data(self, **known: Any) -> dict[str, Any]:
        # Only what Django found to be an address of ours.
        was_lost = bool(page_with_form(super().get_redirect_url()))
        return super().get_context_data(form_was_lost=was_lost, **known)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        person = form.get_user()
        if person.has_second_factor:
            return self.ask_for_code(person)
        response = super().form_valid(form)
        remember_device(self.request, response, digest_of(person.get_username()))
        return response

    def ask_for_code(self, person: Person) -> HttpResponse:
        """The password alone logs nobody in who has a second factor."""
        note_half_way(self.request.session, person, person.backend, timezone.now())
        return HttpResponseRedirect(f"{reverse('log-in-code')}?{urlencode({'next': self.get_redirect_url()})}")

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        response = super().form_invalid(form)
        return refused(self.request, response)


def refused(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The same page as 429 where the guess was not looked at; its template reads `request.refused_until`."""
    until = getattr(request, "refused_until", None)
    if until is not None:
        response.status_code = 429
        response.headers["Retry-After"] = str(max(1, math.ceil((until - timezone.now()).total_seconds())))
    return response
