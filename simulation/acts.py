"""What the trail says of simulations."""

from django.utils.translation import gettext_lazy as _

from audit.acts import act

PROGRAM_ADDED = act("program.added", _("added the program %(about)s as a tester"))
PROGRAM_STOPPED = act("program.stopped", _("stopped the program %(about)s"))
PROGRAM_ASSIGNED = act("program.assigned", _("gave the program %(about)s dialogues to have"))
REHEARSAL_STARTED = act("rehearsal.started", _("started a rehearsal with a scripted tester"))
REHEARSAL_STOPPED = act("rehearsal.stopped", _("stopped the rehearsal"))
REHEARSAL_ENDED = act("rehearsal.ended", _("ended the rehearsal"))
REHEARSAL_REMOVED = act("rehearsal.removed", _("removed a rehearsal with its dialogues"))
