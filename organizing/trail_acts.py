"""Acts of organizing that the audit trail records, with their words."""

from django.utils.translation import gettext_lazy as _

from audit.acts import act

METRICS_STORED = act("metrics.stored", _("uploaded the table of metrics %(about)s"))
FILE_DOWNLOADED = act("file.downloaded", _("downloaded the file of the campaign %(about)s"))
METRICS_REMOVED = act("metrics.removed", _("removed the table of metrics %(about)s"))
