"""What the trail says of acts on rubrics."""

from django.utils.translation import gettext_lazy as _

from audit.acts import act

RUBRIC_COPIED = act("rubric.copied", _("copied a rubric as %(about)s"))
