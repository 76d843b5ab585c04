"""What the trail says of acts on leaderboards: recounted, imported, exported."""

from django.utils.translation import gettext_lazy as _

from audit.trail_acts import trail_act

FAULTS_CHANGED = trail_act("faults.changed", _("changed what failures cost"))
RECORDS_IMPORTED = trail_act("records.imported", _("imported records"))
EXPORTED = trail_act("export.made", _("exported %(about)s"))
