"""What the trail says of acts on leaderboards: recounted, imported, exported."""

from django.utils.translation import gettext_lazy as _

from audit.acts import act

FAULTS_CHANGED = act("faults.changed", _("changed what failures cost"))
RECORDS_IMPORTED = act("records.imported", _("imported records"))
EXPORTED = act("export.made", _("exported %(about)s"))
