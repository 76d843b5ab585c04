"""The acts of registration that the trail names."""

from django.utils.translation import gettext_lazy as _

from audit.acts import act

INVITED = act("invitation.made", _("invited %(about)s"))
INVITATION_WITHDRAWN = act("invitation.withdrawn", _("withdrew the invitation of %(about)s"))
INVITATION_RENEWED = act("invitation.renewed", _("renewed the invitation of %(about)s"))
INVITATION_ACCEPTED = act("invitation.accepted", _("accepted the invitation for %(about)s"))
