"""One's own account: the password."""

from typing import Any

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.views import PasswordChangeView
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse_lazy
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.access import person_of
from accounts.actions import store_password


class PasswordPage(PasswordChangeView):
    """Asks for the old password; whoever is logged in elsewhere is logged out there."""

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
