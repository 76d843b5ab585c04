"""Pages that belong to no single room: one's preferences, and what is shown where there is no page."""

from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.access import open_to_all
from accounts.models import Person


class PreferencesForm(forms.ModelForm):
    class Meta:
        model = Person
        fields = ("language", "theme")


@open_to_all
@require_POST
def preferences(request: HttpRequest) -> HttpResponse:
    """Keeps language and theme: with the person's account, and in the browser for the pages before the login."""
    wanted = request.POST.get("next", "/")
    is_own = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    # `redirect` would look up what is no path as the name of a view, and raise.
    response = HttpResponseRedirect(wanted if is_own and wanted.startswith("/") else "/")
    form = PreferencesForm(_with_current(request), instance=_person_or_nobody(request))
    if not form.is_valid():
        return render(request, "error.html", {"title": _("This choice is not known")}, status=400)
    if request.user.is_authenticated:
        form.save()
    for name, cookie in (("language", "django_language"), ("theme", "huace_theme")):
        if form.cleaned_data[name]:
            response.set_cookie(cookie, form.cleaned_data[name], max_age=365 * 24 * 3600, samesite="Lax", httponly=True)
    return response


def _person_or_nobody(request: HttpRequest) -> Person:
    return request.user if request.user.is_authenticated else Person()


def _with_current(request: HttpRequest) -> dict[str, str]:
    """The submitted choice on top of what holds now, so that each of the two can be changed alone."""
    person = _person_or_nobody(request)
    current = {"language": person.language, "theme": request.COOKIES.get("huace_theme", person.theme)}
    return current | {name: request.POST[name] for name in current if name in request.POST}


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "error.html", {"title": _("There is nothing here")}, status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    return render(request, "error.html", {"title": _("Something broke on our side")}, status=500)
