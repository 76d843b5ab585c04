"""The acts of crowds that the trail names; none of them holds what a platform calls a person."""

from django.utils.translation import gettext_lazy as _

from audit.trail_acts import trail_act

STUDY_MADE = trail_act("study.made", _("made the study %(about)s"))
STUDY_CHANGED = trail_act("study.changed", _("changed the study %(about)s"))
STUDY_OPENED = trail_act("study.opened", _("opened the study %(about)s"))
STUDY_CLOSED = trail_act("study.closed", _("closed the study %(about)s"))
CROWD_STARTED = trail_act("crowd.started", _("began to take part in the study %(about)s"))
CROWD_ENDED = trail_act("crowd.ended", _("ended a place in the study %(about)s"))
CROWD_DECIDED = trail_act("crowd.decided", _("decided about the work of %(about)s"))
CROWD_FORGOTTEN = trail_act("crowd.forgotten", _("erased the outside ids of %(about)s"))
