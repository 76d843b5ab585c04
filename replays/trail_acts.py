"""What the trail says of replays."""

from django.utils.translation import gettext_lazy as _

from audit.trail_acts import trail_act

REPLAYS_ASKED = trail_act("replays.asked", _("had dialogues put to the system %(about)s again"))
REPLAY_STOPPED = trail_act("replay.stopped", _("stopped a replay against the system %(about)s"))
SYSTEM_DRIFTED = trail_act("bot.drifted", _("found that the system %(about)s drifts"))
DRIFT_NOTED = trail_act("bot.drift_noted", _("noted that the system %(about)s drifts"))
DRIFT_ACCEPTED = trail_act("bot.drift_accepted", _("accepted the system %(about)s as it is now, for the sentinel"))
