"""Acts of organizing that the audit trail records, with their words."""

from django.utils.translation import gettext_lazy as _

from audit.trail_acts import trail_act

METRICS_STORED = trail_act("metrics.stored", _("uploaded the table of metrics %(about)s"))
FILE_DOWNLOADED = trail_act("file.downloaded", _("downloaded the file of the campaign %(about)s"))
METRICS_REMOVED = trail_act("metrics.removed", _("removed the table of metrics %(about)s"))
