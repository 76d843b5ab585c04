"""What the trail says of scores: who handed in, took back, decided, vetted, and what organizers decided about panels."""

from django.utils.translation import gettext_lazy as _

from audit.acts import act

SCORES_HANDED_IN = act("scores.handed_in", _("handed in scores of the dialogue %(about)s"))
SCORES_REVISED = act("scores.revised", _("revised scores of the dialogue %(about)s"))
SCORES_UNDONE = act("scores.undone", _("took back scores of the dialogue %(about)s"))
SCORES_ADJUDICATED = act("scores.adjudicated", _("decided the scores of the dialogue %(about)s"))
DIALOGUE_VETTED = act("dialogue.vetted", _("vetted the dialogue %(about)s"))
DIALOGUE_RETURNED = act("dialogue.returned", _("had the dialogue %(about)s done again, as its experts decided"))
GOLD_SET = act("gold.set", _("made the dialogue %(about)s gold"))
EXAMPLE_ADDED = act("guide.example_added", _("made the dialogue %(about)s an example of the scoring guide"))
EXAMPLE_REMOVED = act("guide.example_removed", _("took the dialogue %(about)s out of the scoring guide"))
PANEL_CLOSED = act("panel.closed", _("closed the panel of the dialogue %(about)s"))
PANEL_REOPENED = act("panel.reopened", _("reopened the panel of the dialogue %(about)s"))
REVISION_ASKED = act("revision.asked", _("asked to revise scores of the dialogue %(about)s"))
REVISION_GRANTED = act("revision.granted", _("let scores of the dialogue %(about)s be revised"))
REVISION_REFUSED = act("revision.refused", _("refused a revision of scores of the dialogue %(about)s"))
REMARK_MADE = act("remark.made", _("remarked on the dialogue %(about)s"))
