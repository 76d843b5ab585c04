"""What the trail says of acts on accounts: log-ins, passwords, tokens."""

from django.utils.translation import gettext_lazy as _

from audit.acts import act

LOGGED_IN = act("login.done", _("logged in"))
LOGGED_OUT = act("login.ended", _("logged out"))
LOGIN_FAILED = act("login.failed", _("failed to log in as %(about)s"))
LOGIN_UNKNOWN = act("login.unknown", _("failed to log in under a name that no account has"))
GUESSES_FORGOTTEN = act("login.guesses_forgotten", _("reset the limits of log-in guesses: %(about)s"))
NETWORK_LIMIT_LIFTED = act(
    "login.network_limit_lifted", _("let the campaign's people log in from networks that guessed too often")
)
CODE_WRONG = act("login.code_wrong", _("gave a wrong code after the password of %(about)s"))
SUPERUSER_MADE = act("account.superuser", _("made the staff account %(about)s"))
SITE_GIVEN = act("site.given", _("made %(about)s an organizer of the site"))
SITE_TAKEN = act("site.taken", _("removed %(about)s from the organizers of the site"))
PASSWORD_CHANGED = act("password.changed", _("changed the password of %(about)s"))
PASSWORD_ISSUED = act("password.issued", _("made a password for %(about)s"))
TOKEN_ISSUED = act("token.issued", _("made an API token for %(about)s"))
TOKEN_REVOKED = act("token.revoked", _("revoked an API token of %(about)s"))
PASSWORD_LINK_MADE = act("account.password_link", _("made a link for setting the password of %(about)s"))
PASSWORD_MAIL_ORDERED = act("account.password_mail", _("mailed %(about)s a link for setting a password"))
PASSWORD_SET = act("account.password_set", _("set the password of %(about)s by a link"))
DETAILS_CHANGED = act("account.details", _("changed name or e-mail address of %(about)s"))
SESSION_ENDED = act("session.ended", _("ended a login of %(about)s"))
SESSIONS_ENDED = act("sessions.ended", _("ended all other logins of %(about)s"))
SECOND_FACTOR_SET = act("second_factor.set", _("set up a second factor for %(about)s"))
SECOND_FACTOR_ENDED = act("second_factor.ended", _("turned off the second factor of %(about)s"))
SECOND_FACTOR_RESET = act("second_factor.reset", _("reset the second factor of %(about)s"))
BACKUP_CODES_MADE = act("second_factor.codes", _("made new backup codes for %(about)s"))
