"""What the trail says of the addresses that staff allow."""

from django.utils.translation import gettext_lazy as _

from audit.acts import act

ADDRESS_ALLOWED = act("address.allowed", _("allowed systems at %(about)s"))
ADDRESS_TAKEN_BACK = act("address.taken_back", _("no longer allows systems at %(about)s"))
