"""A person's own details: the name others see, and the address for password links."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.access import for_people, person_of
from accounts.actions import change_details
from accounts.log_in.actions import give_guesses_back, take_guess
from accounts.log_in.handler import guess_of
from accounts.models import Person


class DetailsForm(forms.ModelForm):
    """Another address takes the password: links to new passwords are mailed there."""

    password = forms.CharField(required=False, strip=False)

    class Meta:
        model = Person
        fields = ("display_name", "email")

    def __init__(self, request: HttpRequest, **given: Any) -> None:
        self.request = request
        # A form for a model writes what it reads into the object: this one is not the person of the request.
        shown = Person.objects.get(pk=person_of(request).pk)
        super().__init__(request.POST if request.method == "POST" else None, instance=shown, **given)

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = super().clean() or {}
        typed = said.pop("password", "")
        if said.get("email", "") != self.initial["email"] and not self._is_password(typed):
            self.add_error("password", _("Another e-mail address takes your password, and this is not it."))
        return said

    def _is_password(self, typed: str) -> bool:
        guess = guess_of(self.request, self.instance.username)
        if take_guess(guess=guess, at=timezone.now()) is not None or not self.instance.check_password(typed):
            return False
        give_guesses_back(guess=guess)
        return True


@for_people
@require_http_methods(["GET", "HEAD", "POST"])
def details(request: HttpRequest) -> HttpResponse:
    form = DetailsForm(request)
    if request.method != "POST" or not form.is_valid():
        return render(request, "accounts/details.html", {"form": form}, status=422 if form.errors else 200)
    said: dict[str, Any] = form.cleaned_data
    person = person_of(request)
    if change_details(person=person, by=person, at=timezone.now(), **said):
        messages.success(request, _("Your details are stored."))
    return redirect("details")
