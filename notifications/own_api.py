"""REST: what one is told of oneself; the same acts and rules as the page."""

from typing import Any, TypedDict

from django.conf import settings
from django.utils import timezone
from rest_framework.exceptions import NotFound
from rest_framework.request import Request

from accounts.access import person_of
from accounts.models import Person
from accounts.own_api import OwnAccount
from api.describing import describes
from api.parsers import body_in
from notifications.actions.choosing import CannotConfirm, choice_of, choose_messages, confirm_address
from notifications.actions.sending import address_of
from notifications.models import Choice, Kind
from notifications.own_pages import mail_link
from reading.kinds import Choice as OneOf
from reading.kinds import ListOf
from reading.tables import Field, Table

CHOOSING = Table(
    {
        "mail": Field(OneOf(Choice.Mail.values), None),
        "kinds": Field(ListOf(OneOf([kind.value for kind in Kind if kind != Kind.TEST])), None),
    }
)


class MessagesAnswer(TypedDict):
    """`mail` is none, once or daily. `sends_mails` says whether the installation does, `is_confirmed` whether the address is."""

    mail: str
    kinds: list[str]
    sends_mails: bool
    is_confirmed: bool


class OwnMessages(OwnAccount):
    @describes("Says what one is told of, and how", MessagesAnswer)
    def get(self, request: Request) -> dict[str, Any]:
        return answer_for(person_of(request))

    @describes("Chooses what one is told of, and how", MessagesAnswer, reads=CHOOSING, refuses=(422,))
    def patch(self, request: Request) -> dict[str, Any]:
        person, given = person_of(request), body_in(request, CHOOSING)
        now = choice_of(person)
        mail = now.mail if given["mail"] is None else given["mail"]
        kinds = now.kinds if given["kinds"] is None else given["kinds"]
        choose_messages(person=person, mail=mail, kinds=kinds)
        return answer_for(person)


class AddressLink(OwnAccount):
    @describes("Mails a link that confirms one's own address", MessagesAnswer, 202, refuses=(409,))
    def post(self, request: Request) -> dict[str, Any]:
        person = person_of(request)
        mail_link(person)
        return answer_for(person)


class AddressByLink(OwnAccount):
    @describes("Confirms one's own address, by the token of the link", MessagesAnswer)
    def post(self, request: Request, token: str) -> dict[str, Any]:
        person = person_of(request)
        try:
            confirm_address(person=person, token=token, at=timezone.now())
        except CannotConfirm as wrong:
            raise NotFound(str(wrong)) from wrong
        return answer_for(person)


def answer_for(person: Person) -> dict[str, Any]:
    choice = choice_of(person)
    return {
        "mail": choice.mail,
        "kinds": choice.kinds,
        "sends_mails": settings.HAS_MAIL,
        "is_confirmed": address_of(person) is not None,
    }
