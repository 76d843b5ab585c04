"""The page of one's own name and e-mail address."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.access import for_people, person_of
from accounts.details.actions import change_details
from accounts.models import Person


class DetailsForm(forms.ModelForm):
    class Meta:
        model = Person
        fields = ("display_name", "email")


@for_people
@require_http_methods(["GET", "HEAD", "POST"])
def details(request: HttpRequest) -> HttpResponse:
    # A form for a model writes what it reads into the object: this one is not the person of the request.
    shown = Person.objects.get(pk=person_of(request).pk)
    form = DetailsForm(request.POST if request.method == "POST" else None, instance=shown)
    if request.method != "POST" or not form.is_valid():
        return render(request, "accounts/details.html", {"form": form})
    said: dict[str, Any] = form.cleaned_data
    person = person_of(request)
    if change_details(person=person, by=person, at=timezone.now(), **said):
        messages.success(request, _("Your details are stored."))
    return redirect("details")
