"""The log-in page."""

import math

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts.log_in.devices import digest_of, remember_device


class LogInPage(LoginView):
    """Name and password. Too many guesses are answered with 429 and the time from which the next is looked at."""

    template_name = "accounts/login.html"
    redirect_authenticated_user = True

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        response = super().form_valid(form)
        remember_device(self.request, response, digest_of(form.get_user().get_username()))
        return response

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
