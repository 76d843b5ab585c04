"""What somebody without an account is asked who follows an invitation or applies; for pages and the API."""

from typing import Any

from django import forms
from django.contrib.auth.forms import UserCreationForm

from accounts.models import Person
from registration.actions.newcomers import Newcomer


class NewcomerForm(UserCreationForm):
    """Django's own checks of user name and password, with a name to show and an e-mail address, both optional."""

    class Meta:
        model = Person
        fields = ("username", "display_name", "email")

    display_name = forms.CharField(max_length=150, required=False)
    email = forms.EmailField(required=False)

    def clean_username(self) -> str:
        """Whether somebody has the name, only making the account tells: nobody asks it of a form that makes none."""
        username: str = self.cleaned_data["username"]
        return username

    def validate_unique(self) -> None:
        """As for `clean_username`."""

    @property
    def newcomer(self) -> Newcomer:
        said: dict[str, Any] = self.cleaned_data
        return Newcomer(said["username"], said["password1"], said["display_name"], said["email"])
