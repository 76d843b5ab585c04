"""Where one is logged in: the list, the end of one login, and of all others."""

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from accounts.access import for_people, person_of
from accounts.form_routes import form_on
from accounts.models import LogIn, Person
from accounts.sessions.actions import end_session, end_sessions
from accounts.sessions.queries import log_ins_of


@for_people
@require_GET
def sessions(request: HttpRequest) -> HttpResponse:
    person, at = person_of(request), timezone.now()
    shown = {
        "rows": log_ins_of(person, str(request.session.session_key), at),
        "limits": settings.SESSION_LIMITS,
        "n_tokens": person.valid_tokens(at).count(),
    }
    return render(request, "accounts/sessions.html", shown)


@for_people
@form_on("sessions")
def end_one(request: HttpRequest, log_in_id: int) -> HttpResponse:
    log_in = own_log_in(person_of(request), log_in_id)
    is_this_one = log_in.session_id == request.session.session_key
    end_session(log_in=log_in, by=person_of(request), at=timezone.now())
    if is_this_one:
        return _out(request)
    messages.success(request, _("The login is ended."))
    return redirect("sessions")


@for_people
@form_on("sessions")
def end_others(request: HttpRequest) -> HttpResponse:
    """Ends all other logins; with `here` in the form this one, too, and with `tokens` the person's API tokens."""
    person, at = person_of(request), timezone.now()
    but = "" if "here" in request.POST else str(request.session.session_key)
    tokens = person.valid_tokens(at) if "tokens" in request.POST else None
    ended = end_sessions(person=person, but=but, by=person, at=at, tokens=tokens)
    if not but:
        return _out(request)
    messages.success(request, _("Logins ended: %(n)d") % {"n": ended.n_ended})
    if ended.n_tokens:
        messages.success(request, _("API tokens ended: %(n)d") % {"n": ended.n_tokens})
    return redirect("sessions")


def own_log_in(person: Person, log_in_id: int) -> LogIn:
    """Errors: `Http404` for anybody else's."""
    log_in = person.log_ins.filter(pk=log_in_id).select_related("session", "person").first()
    if log_in is None:
        raise Http404
    return log_in


def _out(request: HttpRequest) -> HttpResponse:
    # The row is gone, and the trail says so; this forgets what the request still holds of it, or it would be stored again.
    request.session.flush()
    return redirect("login")
