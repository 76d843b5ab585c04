"""What the trail says of acts on dialogues, and how it names one."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from audit.trail_acts import trail_act
from dialogues.models import Dialogue

DIALOGUES_IMPORTED = trail_act("dialogues.imported", _("imported dialogues"))
PROBLEM_SETTLED = trail_act("problem.settled", _("settled a problem that was reported in the dialogue %(about)s"))
DIALOGUE_ENDED = trail_act("dialogue.ended", _("ended the dialogue %(about)s"))
DIALOGUE_EXTENDED = trail_act("dialogue.extended", _("gave the dialogue %(about)s more time"))
DIALOGUE_VOIDED = trail_act("dialogue.voided", _("declared the dialogue %(about)s void"))
DIALOGUE_RESTORED = trail_act("dialogue.restored", _("had the dialogue %(about)s count again"))
ASSIGNMENT_REASSIGNED = trail_act("assignment.reassigned", _("gave the assignment %(about)s to somebody else"))
ANNOUNCED = trail_act("announcement.made", _("told all testers"))
ANNOUNCEMENT_TAKEN_BACK = trail_act("announcement.taken_back", _("took back what all testers were told"))
FAULT_BOOKED = trail_act("fault.booked", _("reassigned a fault in the dialogue %(about)s"))
OBJECTION_MADE = trail_act("objection.made", _("made an objection about the dialogue %(about)s"))
OBJECTION_UPHELD = trail_act("objection.upheld", _("upheld an objection about the dialogue %(about)s"))
OBJECTION_REJECTED = trail_act("objection.rejected", _("rejected an objection about the dialogue %(about)s"))
FAILED_TOGETHER = trail_act("bots.failed_together", _("found that several systems fail at once"))


def of_dialogue(dialogue: Dialogue, **details: Any) -> dict[str, Any]:
    """What a line about a dialogue (`with_names`) says beside the act: campaign, system and scenario, and its id in the details."""
    assignment = dialogue.assignment
    return {
        "campaign": assignment.campaign.slug,
        "about": f"{assignment.entry.alias} · {assignment.scenario.key}",
        "details": {"dialogue": str(dialogue.pk), **details},
    }
