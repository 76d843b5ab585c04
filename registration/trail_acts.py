"""The acts of registration that the trail names."""

from django.utils.translation import gettext_lazy as _

from audit.trail_acts import trail_act

INVITED = trail_act("invitation.made", _("invited %(about)s"))
INVITATION_WITHDRAWN = trail_act("invitation.withdrawn", _("withdrew the invitation of %(about)s"))
INVITATION_RENEWED = trail_act("invitation.renewed", _("renewed the invitation of %(about)s"))
INVITATION_ACCEPTED = trail_act("invitation.accepted", _("accepted the invitation for %(about)s"))
APPLIED = trail_act("team.applied", _("applied for a place for the team %(about)s"))
APPLICATION_WITHDRAWN = trail_act("team.application_withdrawn", _("withdrew the application of the team %(about)s"))
APPLICATION_APPROVED = trail_act("team.approved", _("approved the team %(about)s"))
APPLICATION_REFUSED = trail_act("team.refused", _("refused the team %(about)s"))
TEAM_ASKED = trail_act("team.asked", _("asked the team %(about)s to take part"))
TEAM_REQUEST_WITHDRAWN = trail_act("team.request_withdrawn", _("took back the request to the team %(about)s"))
TEAM_ACCEPTED = trail_act("team.accepted", _("accepted for the team %(about)s to take part"))
TEAM_DECLINED = trail_act("team.declined", _("declined for the team %(about)s to take part"))
AGREEMENT_WRITTEN = trail_act("agreement.written", _("wrote version %(about)s of the agreement"))
AGREEMENT_ACCEPTED = trail_act("agreement.accepted", _("accepted the agreement for the team %(about)s"))
DIAL_KEY_MADE = trail_act("bot.dial_key_made", _("made a key with which the system %(about)s connects"))
DIAL_KEY_REVOKED = trail_act("bot.dial_key_revoked", _("revoked the key with which the system %(about)s connects"))
PACKAGE_UPLOADED = trail_act("package.uploaded", _("gave the teams the file %(about)s"))
PACKAGE_REMOVED = trail_act("package.removed", _("removed the file %(about)s"))
PACKAGE_DOWNLOADED = trail_act("package.downloaded", _("downloaded the file %(about)s"))
