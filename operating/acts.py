"""What the trail says of acts of the operator."""

from django.utils.translation import gettext_lazy as _

from audit.acts import act

BACKED_UP = act("installation.backed_up", _("made the backup %(about)s"))
BACKUP_FAILED = act("installation.backup_failed", _("failed to make the backup %(about)s"))
