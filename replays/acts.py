"""What the trail says of replays."""

from django.utils.translation import gettext_lazy as _

from audit.acts import act

REPLAYS_ASKED = act("replays.asked", _("had dialogues put to the system %(about)s again"))
REPLAY_STOPPED = act("replay.stopped", _("stopped a replay against the system %(about)s"))
SYSTEM_DRIFTED = act("bot.drifted", _("found that the system %(about)s drifts"))
DRIFT_NOTED = act("bot.drift_noted", _("noted that the system %(about)s drifts"))
DRIFT_ACCEPTED = act("bot.drift_accepted", _("accepted the system %(about)s as it is now, for the sentinel"))
