"""What the trail says of names and texts that went. The keys of acts that erase texts of the trail begin with `erased.`."""

from django.utils.translation import gettext_lazy as _

from audit.trail_acts import trail_act

PERSON_ERASED = trail_act("erased.person", _("erased the person %(about)s"))
WORDS_REDACTED = trail_act("erased.words", _("removed words from a dialogue: %(about)s"))
TEXTS_EXPIRED = trail_act(
    "privacy.texts_expired", _("removed what people wrote, as the campaign's retention says: %(about)s")
)
CAMPAIGN_ARCHIVED = trail_act("privacy.campaign_archived", _("archived the campaign %(about)s"))
CAMPAIGN_DELETED = trail_act("privacy.campaign_deleted", _("deleted the campaign %(about)s"))
