"""What the trail says of acts of the operator."""

from django.utils.translation import gettext_lazy as _

from audit.trail_acts import trail_act

BACKED_UP = trail_act("installation.backed_up", _("made the backup %(about)s"))
BACKUP_FAILED = trail_act("installation.backup_failed", _("failed to make the backup %(about)s"))
