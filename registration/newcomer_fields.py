"""REST: what a program says of somebody without an account, checked as on the page."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from reading.kinds import ANY_TEXT, Text
from reading.tables import Field, Table
from registration.actions.applying import NAME_IS_TAKEN, Newcomer
from registration.newcomer_form import NewcomerForm

NEWCOMER = Table(
    {
        "username": Field(Text(150), ""),
        "password": Field(ANY_TEXT, ""),
        "display_name": Field(Text(150, may_be_empty=True), ""),
        "email": Field(Text(254, may_be_empty=True), ""),
    },
    keeps_others=True,
)


def account_form(request: Request) -> NewcomerForm:
    said: dict[str, Any] = request.data  # type: ignore[assignment] # our parser lets objects through only
    password = said.get("password", "")
    return NewcomerForm(dict(said) | {"password1": password, "password2": password})


def wrong_in(form: NewcomerForm) -> dict[str, list[str]]:
    """What is wrong per field of the API, which has one for the password."""
    return {
        "password" if name.startswith("password") else name: [str(one) for one in many]
        for name, many in form.errors.items()
    }


def newcomer_of(request: Request) -> Newcomer:
    """Errors: `ValidationError` naming every wrong field."""
    form = account_form(request)
    if wrong := wrong_in(form):
        raise ValidationError(wrong)
    return form.newcomer


def name_is_taken() -> ValidationError:
    return ValidationError({"username": [_(NAME_IS_TAKEN)]})
