"""Sends mails outside the requests: neither the answer nor its timing tells whether an account exists."""

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import BoundedSemaphore

from django.core.mail import EmailMessage
from django.db import close_old_connections, connection
from django.db.models import Q
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from accounts.link_addresses import address_of
from accounts.models import Person
from accounts.passwords.actions import MAILED_FOR, make_mailed_link

logger = logging.getLogger("huace.mail")

WAITING_AT_MOST = 200
PEOPLE_PER_ADDRESS = 5
_postman = ThreadPoolExecutor(1, thread_name_prefix="mail")
_room = BoundedSemaphore(WAITING_AT_MOST)


def in_background(send: Callable[[], None]) -> None:
    """Runs it on the mail thread; where too many wait already, it is dropped and logged."""
    if not _room.acquire(blocking=False):
        logger.warning("Too many mails are waiting: one was dropped.")
        return
    _postman.submit(_run, send)


def _run(send: Callable[[], None]) -> None:
    close_old_connections()
    try:
        send()
    except Exception:
        # The result is not awaited; a failing mail server must not stop the thread silently.
        logger.exception("A mail was not sent.")
    finally:
        connection.close()
        _room.release()


def mail_password_links(asked: str) -> None:
    """Mails a link to each account with that user name or e-mail address that has an address."""
    named = Person.objects.filter(Q(username=asked) | Q(email__iexact=asked), is_active=True).exclude(email="")
    for person in named.order_by("pk")[:PEOPLE_PER_ADDRESS]:
        if token := make_mailed_link(person=person, at=timezone.now()):
            address = address_of(reverse("set-password", args=[token]))
            said = {"person": person, "address": address, "minutes": int(MAILED_FOR.total_seconds() // 60)}
            languages = [person.language] if person.language else ["zh-hans", "en"]
            subjects, texts = [], []
            for language in languages:
                with translation.override(language):
                    subjects.append(_("Set a new password for Huace"))
                    texts.append(render_to_string("accounts/password_mail.txt", said).strip())
            EmailMessage(" · ".join(subjects), "\n\n".join(texts) + "\n", to=[person.email]).send()
