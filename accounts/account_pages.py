"""One's own account: the password, and the tokens of one's programs."""

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.views import PasswordChangeView
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST
from knox.models import AuthToken

from accounts.access import for_people, person_of
from accounts.actions import issue_token, revoke_token, store_password


class PasswordPage(PasswordChangeView):
    """Asks for the old password; whoever is logged in elsewhere is logged out there."""

    template_name = "accounts/password.html"
    success_url = reverse_lazy("password")

    def form_valid(self, form: SetPasswordForm) -> HttpResponse:  # type: ignore[override]
        person = person_of(self.request)
        person.set_password(form.cleaned_data["new_password1"])
        store_password(person=person, by=person)
        update_session_auth_hash(self.request, person)
        messages.success(self.request, _("Your password is changed."))
        return redirect(self.get_success_url())


@for_people
@require_GET
def tokens(request: HttpRequest) -> HttpResponse:
    return _tokens_page(request)


@for_people
@require_POST
def new_token(request: HttpRequest) -> HttpResponse:
    """The one page on which the token can be read: only its hash is stored."""
    return _tokens_page(request, issued=issue_token(person=person_of(request), by=person_of(request)))


@for_people
@require_POST
def end_token(request: HttpRequest) -> HttpResponse:
    person = person_of(request)
    if not revoke_token(person=person, token_key=request.POST.get("token_key", ""), by=person):
        raise Http404
    messages.success(request, _("The token is revoked."))
    return redirect("tokens")


def _tokens_page(request: HttpRequest, issued: str = "") -> HttpResponse:
    own = AuthToken.objects.filter(user=person_of(request)).order_by("-created")
    context = {"tokens": own, "issued": issued, "now": timezone.now(), "here": reverse("tokens")}
    return render(request, "accounts/tokens.html", context)
