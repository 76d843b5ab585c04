"""What the trail says of names and texts that went. The keys of acts that erase texts of the trail begin with `erased.`."""

from django.utils.translation import gettext_lazy as _

from audit.acts import act

PERSON_ERASED = act("erased.person", _("erased the person %(about)s"))
WORDS_REDACTED = act("erased.words", _("removed words from a dialogue: %(about)s"))
TEXTS_EXPIRED = act(
    "privacy.texts_expired", _("removed what people wrote, as the campaign's retention says: %(about)s")
)
CAMPAIGN_ARCHIVED = act("privacy.campaign_archived", _("archived the campaign %(about)s"))
CAMPAIGN_DELETED = act("privacy.campaign_deleted", _("deleted the campaign %(about)s"))
