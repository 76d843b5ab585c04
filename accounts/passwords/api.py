"""REST: a forgotten password, for programs; the same answers as the pages give."""

from collections.abc import Mapping
from functools import partial
from typing import Any, TypedDict

from django.conf import settings
from django.contrib.auth.forms import SetPasswordForm
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy
from rest_framework import serializers
from rest_framework.exceptions import APIException, NotFound, ValidationError
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import OPEN
from accounts.link_tokens import LinkUnusable, Unusable
from accounts.passwords import mailing
from accounts.passwords.actions import password_link_of, set_password_by_link
from accounts.passwords.views import NAME_LIMIT
from api.describing import describes


class AskedSerializer(serializers.Serializer[Any]):
    asked = serializers.CharField(max_length=NAME_LIMIT)


class NewPasswordSerializer(serializers.Serializer[Any]):
    token = serializers.CharField(max_length=100)
    password = serializers.CharField(max_length=1000, trim_whitespace=False)


class LinkOrdered(TypedDict):
    ordered: bool


class PasswordSet(TypedDict):
    person: str


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
        reads=AskedSerializer,
        refuses=(409,),
    )
    def post(self, request: Request) -> Response:
        if not settings.HAS_MAIL:
            raise NoMail
        read = AskedSerializer(data=request.data)
        read.is_valid(raise_exception=True)
        mailing.in_background(partial(mailing.mail_password_links, read.validated_data["asked"]))
        return Response(LinkOrdered(ordered=True), status=202)


class PasswordByLink(APIView):
    """POST the `token` of a link and a new `password`."""

    access = OPEN
    permission_classes = (AllowAny,)

    @describes("Sets the password by the token of a link", PasswordSet, reads=NewPasswordSerializer, refuses=(410,))
    def post(self, request: Request) -> Response:
        read = NewPasswordSerializer(data=request.data)
        read.is_valid(raise_exception=True)
        token, password, at = read.validated_data["token"], read.validated_data["password"], timezone.now()
        try:
            person = password_link_of(token, at).person
            form = SetPasswordForm(person, {"new_password1": password, "new_password2": password})
            if not form.is_valid():
                raise ValidationError({"password": [str(error) for many in form.errors.values() for error in many]})
            set_password_by_link(token=token, password=password, at=at)
        except LinkUnusable as unusable:
            if unusable.why is Unusable.UNKNOWN:
                raise NotFound from unusable
            raise Gone(str(GONE[unusable.why]), unusable.why.value) from unusable
        return Response(PasswordSet(person=person.username))
