"""What the trail says of webhooks. `about` is the host alone: an address may hold a secret."""

from django.utils.translation import gettext_lazy as _

from audit.trail_acts import trail_act

WEBHOOK_ADDED = trail_act("webhook.added", _("added a webhook to %(about)s"))
WEBHOOK_REMOVED = trail_act("webhook.removed", _("removed the webhook to %(about)s"))
WEBHOOK_TESTED = trail_act("webhook.tested", _("sent a test message to %(about)s"))
DELIVERY_REPEATED = trail_act("webhook.repeated", _("sent a message to %(about)s again"))
