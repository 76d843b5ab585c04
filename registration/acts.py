"""The acts of registration that the trail names."""

from django.utils.translation import gettext_lazy as _

from audit.acts import act

INVITED = act("invitation.made", _("invited %(about)s"))
INVITATION_WITHDRAWN = act("invitation.withdrawn", _("withdrew the invitation of %(about)s"))
INVITATION_RENEWED = act("invitation.renewed", _("renewed the invitation of %(about)s"))
INVITATION_ACCEPTED = act("invitation.accepted", _("accepted the invitation for %(about)s"))
APPLIED = act("team.applied", _("applied for a place for the team %(about)s"))
APPLICATION_WITHDRAWN = act("team.application_withdrawn", _("withdrew the application of the team %(about)s"))
APPLICATION_APPROVED = act("team.approved", _("approved the team %(about)s"))
APPLICATION_REFUSED = act("team.refused", _("refused the team %(about)s"))
TEAM_ASKED = act("team.asked", _("asked the team %(about)s to take part"))
TEAM_REQUEST_WITHDRAWN = act("team.request_withdrawn", _("took back the request to the team %(about)s"))
TEAM_ACCEPTED = act("team.accepted", _("accepted for the team %(about)s to take part"))
TEAM_DECLINED = act("team.declined", _("declined for the team %(about)s to take part"))
AGREEMENT_WRITTEN = act("agreement.written", _("wrote version %(about)s of the agreement"))
AGREEMENT_ACCEPTED = act("agreement.accepted", _("accepted the agreement for the team %(about)s"))
DIAL_KEY_MADE = act("bot.dial_key_made", _("made a key with which the system %(about)s connects"))
DIAL_KEY_REVOKED = act("bot.dial_key_revoked", _("revoked the key with which the system %(about)s connects"))
PACKAGE_UPLOADED = act("package.uploaded", _("gave the teams the file %(about)s"))
PACKAGE_REMOVED = act("package.removed", _("removed the file %(about)s"))
PACKAGE_DOWNLOADED = act("package.downloaded", _("downloaded the file %(about)s"))
