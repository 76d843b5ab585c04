"""What the trail says of simulations."""

from django.utils.translation import gettext_lazy as _

from audit.trail_acts import trail_act

PROGRAM_ADDED = trail_act("program.added", _("added the program %(about)s as a tester"))
PROGRAM_STOPPED = trail_act("program.stopped", _("stopped the program %(about)s"))
PROGRAM_ASSIGNED = trail_act("program.assigned", _("gave the program %(about)s dialogues to have"))
REHEARSAL_STARTED = trail_act("rehearsal.started", _("started a rehearsal with a scripted tester"))
REHEARSAL_STOPPED = trail_act("rehearsal.stopped", _("stopped the rehearsal"))
REHEARSAL_ENDED = trail_act("rehearsal.ended", _("ended the rehearsal"))
REHEARSAL_REMOVED = trail_act("rehearsal.removed", _("removed a rehearsal with its dialogues"))
