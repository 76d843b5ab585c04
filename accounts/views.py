"""A person's own preferences and password."""

from typing import Any

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.views import PasswordChangeView
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from accounts.access import open_to_all, person_of
from accounts.actions import choose_preferences, store_password
from accounts.form_routes import form_on
from accounts.preferences import UnknownChoice, check_choices


class PasswordPage(PasswordChangeView):
    """Asks for the old password; ends the person's other sessions."""

    template_name = "accounts/password.html"
    success_url = reverse_lazy("password")

    def get_context_data(self, **shown: Any) -> dict[str, Any]:
        n_tokens = person_of(self.request).valid_tokens(timezone.now()).count()
        return super().get_context_data(**shown) | {"n_tokens": n_tokens}

    def form_valid(self, form: SetPasswordForm) -> HttpResponse:
        person = person_of(self.request)
        person.set_password(form.cleaned_data["new_password1"])
        tokens = person.valid_tokens(timezone.now()) if "tokens" in self.request.POST else None
        n_tokens = store_password(person=person, by=person, tokens=tokens)
        update_session_auth_hash(self.request, person)
        messages.success(self.request, _("Your password is changed."))
        if n_tokens:
            messages.success(self.request, _("API tokens ended: %(n)d") % {"n": n_tokens})
        return redirect(self.get_success_url())


COOKIES = {"language": "django_language", "theme": "huace_theme"}


@open_to_all
@form_on("home")
def preferences(request: HttpRequest) -> HttpResponse:
    """Stores language and theme: with the person's account, and in the browser for the pages before the login."""
    chosen = {name: request.POST[name] for name in COOKIES if name in request.POST}
    try:
        check_choices(chosen)
    except UnknownChoice:
        return render(request, "error.html", {"title": _("This choice is not known")}, status=400)
    if request.user.is_authenticated:
        choose_preferences(person=person_of(request), chosen=chosen)
    response = _back_to(request)
    for name, choice in chosen.items():
        if choice:
            response.set_cookie(COOKIES[name], choice, max_age=365 * 24 * 3600, samesite="Lax", httponly=True)
        else:
            response.delete_cookie(COOKIES[name], samesite="Lax")
    return response


def _back_to(request: HttpRequest) -> HttpResponse:
    """Back to the page where the choice was made, if that is a page of ours."""
    wanted = request.POST.get("next", "/")
    is_own = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    # `redirect` would look up what is no path as the name of a view, and raise.
    return HttpResponseRedirect(wanted if is_own and wanted.startswith("/") else "/")


@open_to_all
@require_GET
def session(request: HttpRequest) -> HttpResponse:
    """Who is logged in in this browser, and the token for the next change.

    A page that stood open over a log-out or an expired login asks this before it asks for the password; another origin
    cannot read the answer.
    """
    return JsonResponse({"person": request.user.get_username(), "token": get_token(request)})
