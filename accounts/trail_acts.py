"""What the trail says of acts on accounts: log-ins, passwords, tokens."""

from django.utils.translation import gettext_lazy as _

from audit.trail_acts import trail_act

LOGGED_IN = trail_act("login.done", _("logged in"))
LOGGED_OUT = trail_act("login.ended", _("logged out"))
LOGIN_FAILED = trail_act("login.failed", _("failed to log in as %(about)s"))
LOGIN_UNKNOWN = trail_act("login.unknown", _("failed to log in under a name that no account has"))
GUESSES_FORGOTTEN = trail_act("login.guesses_forgotten", _("reset the limits of log-in guesses: %(about)s"))
NETWORK_LIMIT_LIFTED = trail_act(
    "login.network_limit_lifted", _("let the campaign's people log in from networks that guessed too often")
)
CODE_WRONG = trail_act("login.code_wrong", _("gave a wrong code after the password of %(about)s"))
SUPERUSER_MADE = trail_act("account.superuser", _("made the staff account %(about)s"))
SITE_GIVEN = trail_act("site.given", _("made %(about)s an organizer of the site"))
SITE_TAKEN = trail_act("site.taken", _("removed %(about)s from the organizers of the site"))
PASSWORD_CHANGED = trail_act("password.changed", _("changed the password of %(about)s"))
PASSWORD_ISSUED = trail_act("password.issued", _("made a password for %(about)s"))
TOKEN_ISSUED = trail_act("token.issued", _("made an API token for %(about)s"))
TOKEN_REVOKED = trail_act("token.revoked", _("revoked an API token of %(about)s"))
PASSWORD_LINK_MADE = trail_act("account.password_link", _("made a link for setting the password of %(about)s"))
PASSWORD_MAIL_ORDERED = trail_act("account.password_mail", _("mailed %(about)s a link for setting a password"))
PASSWORD_SET = trail_act("account.password_set", _("set the password of %(about)s by a link"))
DETAILS_CHANGED = trail_act("account.details", _("changed name or e-mail address of %(about)s"))
SESSION_ENDED = trail_act("session.ended", _("ended a login of %(about)s"))
SESSIONS_ENDED = trail_act("sessions.ended", _("ended all other logins of %(about)s"))
SECOND_FACTOR_SET = trail_act("second_factor.set", _("set up a second factor for %(about)s"))
SECOND_FACTOR_ENDED = trail_act("second_factor.ended", _("turned off the second factor of %(about)s"))
SECOND_FACTOR_RESET = trail_act("second_factor.reset", _("reset the second factor of %(about)s"))
BACKUP_CODES_MADE = trail_act("second_factor.codes", _("made new backup codes for %(about)s"))
