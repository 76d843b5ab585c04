"""One's own account: the password."""

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.views import PasswordChangeView
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse_lazy
from django.utils.translation import gettext as _

from accounts.access import person_of
from accounts.actions import store_password


class PasswordPage(PasswordChangeView):
    """Asks for the old password; whoever is logged in elsewhere is logged out there."""

    template_name = "accounts/password.html"
    success_url = reverse_lazy("password")

    def form_valid(self, form: SetPasswordForm) -> HttpResponse:
        person = person_of(self.request)
        person.set_password(form.cleaned_data["new_password1"])
        store_password(person=person, by=person)
        update_session_auth_hash(self.request, person)
        messages.success(self.request, _("Your password is changed."))
        return redirect(self.get_success_url())
