"""A forgotten password: ask for a link, and set a new password by it."""

from functools import partial
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.forms import SetPasswordForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.access import open_to_all
from accounts.link_tokens import LinkUnusable, Unusable
from accounts.passwords import mailing
from accounts.passwords.actions import password_link_of, set_password_by_link

NAME_LIMIT = 254


@open_to_all
@require_http_methods(["GET", "HEAD", "POST"])
def forgotten(request: HttpRequest) -> HttpResponse:
    """The same answer for every name; whether there is an account is looked up on the mail thread."""
    asked = request.POST.get("asked", "").strip()[:NAME_LIMIT]
    is_sent = bool(request.method == "POST" and settings.HAS_MAIL and asked)
    if is_sent:
        mailing.in_background(partial(mailing.mail_password_links, asked))
    return render(request, "accounts/forgotten.html", {"has_mail": settings.HAS_MAIL, "is_sent": is_sent})


@open_to_all
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def set_password(request: HttpRequest, token: str) -> HttpResponse:
    """Following the link uses nothing up: programs that look at mails do so, too."""
    at = timezone.now()
    try:
        link = password_link_of(token, at)
        # Its form checks the two passwords and their strength; the action writes.
        form: SetPasswordForm[Any] = SetPasswordForm(link.person, request.POST if request.method == "POST" else None)
        if request.method != "POST" or not form.is_valid():
            n_tokens = link.person.valid_tokens(at).count() if link.person.has_usable_password() else 0
            shown = {"form": form, "person": link.person, "n_tokens": n_tokens}
            return render(request, "accounts/set_password.html", shown)
        set_password_by_link(token=token, password=form.cleaned_data["new_password1"], at=at)
    except LinkUnusable as unusable:
        return unusable_link(request, unusable.why)
    messages.success(request, _("Your password is set. Log in with it."))
    return redirect("login")


def unusable_link(request: HttpRequest, why: Unusable, **said: Any) -> HttpResponse:
    """The page for a link that opens nothing: why, and nothing else about it."""
    status = 404 if why is Unusable.UNKNOWN else 410
    return render(request, "accounts/unusable_link.html", {"why": why.value} | said, status=status)
