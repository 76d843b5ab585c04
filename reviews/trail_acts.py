"""What the trail says of scores: who handed in, took back, decided, vetted, and what organizers decided about panels."""

from django.utils.translation import gettext_lazy as _

from audit.trail_acts import trail_act

SCORES_HANDED_IN = trail_act("scores.handed_in", _("handed in scores of the dialogue %(about)s"))
SCORES_REVISED = trail_act("scores.revised", _("revised scores of the dialogue %(about)s"))
SCORES_UNDONE = trail_act("scores.undone", _("took back scores of the dialogue %(about)s"))
SCORES_ADJUDICATED = trail_act("scores.adjudicated", _("decided the scores of the dialogue %(about)s"))
DIALOGUE_VETTED = trail_act("dialogue.vetted", _("vetted the dialogue %(about)s"))
DIALOGUE_RETURNED = trail_act("dialogue.returned", _("had the dialogue %(about)s done again, as its experts decided"))
GOLD_SET = trail_act("gold.set", _("made the dialogue %(about)s gold"))
EXAMPLE_ADDED = trail_act("guide.example_added", _("made the dialogue %(about)s an example of the scoring guide"))
EXAMPLE_REMOVED = trail_act("guide.example_removed", _("took the dialogue %(about)s out of the scoring guide"))
PANEL_CLOSED = trail_act("panel.closed", _("closed the panel of the dialogue %(about)s"))
PANEL_REOPENED = trail_act("panel.reopened", _("reopened the panel of the dialogue %(about)s"))
REVISION_ASKED = trail_act("revision.asked", _("asked to revise scores of the dialogue %(about)s"))
REVISION_GRANTED = trail_act("revision.granted", _("let scores of the dialogue %(about)s be revised"))
REVISION_REFUSED = trail_act("revision.refused", _("refused a revision of scores of the dialogue %(about)s"))
REMARK_MADE = trail_act("remark.made", _("remarked on the dialogue %(about)s"))
