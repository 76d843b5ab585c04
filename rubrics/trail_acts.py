"""What the trail says of acts on rubrics."""

from django.utils.translation import gettext_lazy as _

from audit.trail_acts import trail_act

RUBRIC_COPIED = trail_act("rubric.copied", _("copied a rubric as %(about)s"))
