"""The acts of the lab that the trail names."""

from django.utils.translation import gettext_lazy as _

from audit.acts import act

BOT_CHECK_ASKED = act("bot.check_asked", _("asked for a check of the system %(about)s"))
BOT_CHECKED = act("bot.checked", _("checked the system %(about)s"))
BOT_CHANGED = act("bot.changed", _("found the system %(about)s changed since its admission"))
BOT_CHANGE_ACCEPTED = act("bot.change_accepted", _("accepted the change of the system %(about)s"))
