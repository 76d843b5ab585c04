"""Writes mails and hands them to the mail server of the site, in each reader's language."""

import logging
from collections import Counter
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from accounts.link_addresses import address_of, site_address
from accounts.models import Person
from notifications.actions.sending import MAIL_SENT, Mail, note_failed, note_sent, take_mail
from reading.findings import sentence

logger = logging.getLogger("huace.mail")

MAILS_PER_LOOK = 20
NOT_TAKEN = gettext_noop("The mail server was not reached, or refused it: %(received)s")


def send_mails() -> int:
    """Sends what is due, one after the other; gives how many. After a failure the rest waits for the next look."""
    if not settings.HAS_MAIL:
        return 0
    for n_sent in range(MAILS_PER_LOOK):
        mail = take_mail(at=timezone.now())
        if mail is None:
            return n_sent
        try:
            written(mail).send()
        except Exception as failed:
            # An address or password that no mail can carry is no OSError, and must not end the chore again and again.
            if not isinstance(failed, OSError):
                logger.exception("A mail could not be written.")
            why = sentence(NOT_TAKEN, received=type(failed).__name__)
            note_failed(deliveries=mail.deliveries, why=why, at=timezone.now())
            return n_sent + 1
        note_sent(deliveries=mail.deliveries, answer=sentence(MAIL_SENT), at=timezone.now())
    return MAILS_PER_LOOK


def written(mail: Mail) -> EmailMessage:
    """Kinds and links alone; the same `Message-ID` at each try."""
    told = sorted(mail.deliveries, key=lambda one: (one.event.at, one.event.pk))
    subjects, texts = [], []
    for language in languages_of(mail.person):
        with translation.override(language):
            lines = Counter((one.event.get_kind_display(), site_address(one.path)) for one in told)
            said = [{"label": label, "address": address, "n": n} for (label, address), n in lines.items()]
            n = len(told)
            many = ngettext("%(n)d message", "%(n)d messages", n) % {"n": n}
            subjects.append(str(said[0]["label"]) if len(said) == 1 else many)
            own = site_address(reverse("own-messages"))
            texts.append(render_to_string("notifications/mail.txt", {"lines": said, "own": own}).strip())
    host = urlsplit(settings.SITE_URL).hostname or "huace.invalid"
    headers = {"Message-ID": f"<{mail.id.hex}@{host}>", "Auto-Submitted": "auto-generated"}
    return EmailMessage(
        f"Huace: {' · '.join(subjects)}", "\n\n".join(texts) + "\n", to=[mail.person.email], headers=headers
    )


def mail_confirmation(person: Person, token: str) -> None:
    address = address_of(reverse("confirm-address", args=[token]))
    subjects, texts = [], []
    for language in languages_of(person):
        with translation.override(language):
            subjects.append(_("Confirm your e-mail address for Huace"))
            said = {"person": person, "address": address}
            texts.append(render_to_string("notifications/confirmation_mail.txt", said).strip())
    EmailMessage(" · ".join(subjects), "\n\n".join(texts) + "\n", to=[person.email]).send()


def languages_of(person: Person) -> list[str]:
    """Both, for people who chose none."""
    return [person.language] if person.language else ["zh-hans", "en"]
