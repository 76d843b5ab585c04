"""REST: a forgotten password, for programs; the same answers as the pages give."""

from collections.abc import Mapping
from functools import partial
from typing import Annotated, TypedDict

from django.conf import settings
from django.contrib.auth.forms import SetPasswordForm
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy
from rest_framework.exceptions import APIException, NotFound, ValidationError
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.access import OPEN
from accounts.link_tokens import LinkUnusable, Unusable
from accounts.models import Person
from accounts.own_api import PASSWORD_TEXT
from accounts.passwords import mailing
from accounts.passwords.actions import password_link_of, set_password_by_link
from accounts.passwords.views import NAME_LIMIT
from api.answers import From
from api.describing import describes
from api.parsers import body_in
from reading.kinds import Text
from reading.tables import Field, Table

NAMED = Table({"asked": Field(Text(NAME_LIMIT))}, keeps_others=True)
BY_LINK = Table({"token": Field(Text(100)), "password": Field(PASSWORD_TEXT)}, keeps_others=True)


class LinkOrdered(TypedDict):
    ordered: bool


class PasswordSet(TypedDict):
    person: Annotated[str, From("username")]


class NoMail(APIException):
    status_code = 409
    default_code = "no_mail"
    default_detail = gettext_lazy("This site sends no mail: ask an organizer of the campaign for a link.")


GONE: Mapping[Unusable, Promise] = {
    Unusable.USED: gettext_lazy("This link has been used."),
    Unusable.EXPIRED: gettext_lazy("This link has expired."),
    Unusable.WITHDRAWN: gettext_lazy("This link was withdrawn."),
}


class Gone(APIException):
    """`code` says why: used, expired, withdrawn."""

    status_code = 410


class ForgottenPassword(APIView):
    """POST `asked`, a user name or e-mail address: 202, whether or not there is such an account."""

    access = OPEN
    permission_classes = (AllowAny,)

    @describes(
        "Mails a link to set a new password, whether or not there is such an account",
        LinkOrdered,
        202,
        reads=NAMED,
        refuses=(409,),
    )
    def post(self, request: Request) -> LinkOrdered:
        if not settings.HAS_MAIL:
            raise NoMail
        asked = body_in(request, NAMED)["asked"].strip()
        mailing.in_background(partial(mailing.mail_password_links, asked))
        return LinkOrdered(ordered=True)


class PasswordByLink(APIView):
    """POST the `token` of a link and a new `password`."""

    access = OPEN
    permission_classes = (AllowAny,)

    @describes("Sets the password by the token of a link", PasswordSet, reads=BY_LINK, refuses=(410,))
    def post(self, request: Request) -> Person:
        given, at = body_in(request, BY_LINK), timezone.now()
        token, password = given["token"].strip(), given["password"]
        try:
            person = password_link_of(token, at).person
            form = SetPasswordForm(person, {"new_password1": password, "new_password2": password})
            if not form.is_valid():
                raise ValidationError({"password": [str(error) for many in form.errors.values() for error in many]})
            return set_password_by_link(token=token, password=password, at=at)
        except LinkUnusable as unusable:
            if unusable.why is Unusable.UNKNOWN:
                raise NotFound from unusable
            raise Gone(str(GONE[unusable.why]), unusable.why.value) from unusable
