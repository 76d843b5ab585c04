"""The acts of crowds that the trail names; none of them holds what a platform calls a person."""

from django.utils.translation import gettext_lazy as _

from audit.acts import act

STUDY_MADE = act("study.made", _("made the study %(about)s"))
STUDY_CHANGED = act("study.changed", _("changed the study %(about)s"))
STUDY_OPENED = act("study.opened", _("opened the study %(about)s"))
STUDY_CLOSED = act("study.closed", _("closed the study %(about)s"))
CROWD_STARTED = act("crowd.started", _("began to take part in the study %(about)s"))
CROWD_ENDED = act("crowd.ended", _("ended a place in the study %(about)s"))
CROWD_DECIDED = act("crowd.decided", _("decided about the work of %(about)s"))
CROWD_FORGOTTEN = act("crowd.forgotten", _("erased the outside ids of %(about)s"))
