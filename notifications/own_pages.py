"""A person's own page of messages: which kinds, by which mails, and the address that has to be confirmed."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.access import for_people, person_of
from accounts.form_routes import form_on, tells_refusal
from accounts.models import Person
from accounts.passwords.mailing import in_background
from notifications.actions.choosing import (
    CannotConfirm,
    ask_confirmation,
    check_link,
    choice_of,
    choose_messages,
    confirm_address,
    kinds_for,
)
from notifications.actions.sending import address_of
from notifications.mailing import mail_confirmation
from notifications.models import Choice


@for_people
@require_http_methods(["GET", "HEAD", "POST"])
def own_messages(request: HttpRequest) -> HttpResponse:
    person = person_of(request)
    if request.method == "POST":
        mail = request.POST.get("mail", "")
        chosen = mail if mail in Choice.Mail.values else Choice.Mail.NONE
        choose_messages(person=person, mail=chosen, kinds=request.POST.getlist("kind"))
        messages.success(request, _("Your choice is stored."))
        return redirect("own-messages")
    choice = choice_of(person)
    shown: dict[str, Any] = {
        "choice": choice,
        "ways": Choice.Mail.choices,
        "kinds": [(kind.value, kind.label, kind in choice.kinds) for kind in kinds_for(person)],
        "has_mail": settings.HAS_MAIL,
        "is_confirmed": address_of(person) is not None,
    }
    return render(request, "notifications/own.html", shown)


@for_people
@form_on("own-messages")
@tells_refusal
def ask_link(request: HttpRequest) -> HttpResponse:
    mail_link(person_of(request))
    messages.success(request, _("A link is on its way to your address. Follow it within a day."))
    return redirect("own-messages")


def mail_link(person: Person) -> None:
    """Mails the link beside the request. Errors: `CannotConfirm`."""
    token = ask_confirmation(person=person, at=timezone.now())
    in_background(lambda: mail_confirmation(person, token))


@for_people
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """Following the link alone confirms nothing: programs that look at mails do so, too."""
    person, at = person_of(request), timezone.now()
    try:
        check_link(person, token, at)
        if request.method == "POST":
            confirm_address(person=person, token=token, at=at)
    except CannotConfirm as wrong:
        return render(request, "notifications/confirm.html", {"wrong": str(wrong)}, status=404)
    if request.method != "POST":
        return render(request, "notifications/confirm.html")
    messages.success(request, _("The address is confirmed."))
    return redirect("own-messages")
