"""What the trail says of the addresses that staff allow."""

from django.utils.translation import gettext_lazy as _

from audit.trail_acts import trail_act

ADDRESS_ALLOWED = trail_act("address.allowed", _("allowed systems at %(about)s"))
ADDRESS_TAKEN_BACK = trail_act("address.taken_back", _("no longer allows systems at %(about)s"))
