"""What an organizer sends with an invitation, ready to be mailed, in each language."""

from dataclasses import dataclass
from urllib.parse import quote

from django.conf import settings
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from accounts.link_addresses import address_of, qr_image
from accounts.link_tokens import Unusable
from campaigns.models import Role
from registration.actions.inviting import Invited
from registration.models import Invitation


@dataclass(frozen=True, slots=True)
class Letter:
    """One invitation with its link, which is shown once. `texts` are by language, in the order of the settings."""

    invitation: Invitation
    address: str
    texts: dict[str, str]

    @property
    def qr(self) -> str:
        return qr_image(self.address)

    @property
    def mailto(self) -> str:
        """A link that opens the organizer's own mail program with the text in every language."""
        if not self.invitation.email:
            return ""
        body = "\n\n".join(self.texts.values())
        return f"mailto:{quote(self.invitation.email)}?subject={quote(_('Invitation'))}&body={quote(body)}"


def letter_of(invited: Invited, request: HttpRequest) -> Letter:
    invitation = invited.invitation
    address = address_of(reverse("invitation", args=[invited.token]), request)
    texts = {}
    for language, name in settings.LANGUAGES:
        with translation.override(language):
            said = {"invitation": invitation, "address": address, "campaign": invitation.campaign}
            texts[name] = render_to_string("registration/invitation_mail.txt", said).strip()
    return Letter(invitation, address, texts)


def why_unusable(why: Unusable) -> str:
    """Why an invitation opens nothing, as a sentence in the reader's language."""
    return {
        Unusable.UNKNOWN: _("There is no such invitation."),
        Unusable.USED: _("This invitation has been used."),
        Unusable.EXPIRED: _("This invitation has expired."),
        Unusable.WITHDRAWN: _("This invitation was withdrawn."),
    }[why]


def role_words() -> dict[str, str]:
    """Every word for a role, in any of our languages and in lower case, to the role."""
    words = {role.value: role.value for role in Role}
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            words |= {str(role.label).lower(): role.value for role in Role}
    return words
