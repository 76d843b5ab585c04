"""What the trail says of acts on dialogues, and how it names one."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from audit.acts import act
from dialogues.models import Dialogue

DIALOGUES_IMPORTED = act("dialogues.imported", _("imported dialogues"))
PROBLEM_SETTLED = act("problem.settled", _("settled a problem that was reported in the dialogue %(about)s"))
DIALOGUE_ENDED = act("dialogue.ended", _("ended the dialogue %(about)s"))
DIALOGUE_VOIDED = act("dialogue.voided", _("declared the dialogue %(about)s void"))
DIALOGUE_RESTORED = act("dialogue.restored", _("had the dialogue %(about)s count again"))
ASSIGNMENT_REASSIGNED = act("assignment.reassigned", _("gave the assignment %(about)s to somebody else"))
ANNOUNCED = act("announcement.made", _("told all testers"))
ANNOUNCEMENT_TAKEN_BACK = act("announcement.taken_back", _("took back what all testers were told"))
FAULT_BOOKED = act("fault.booked", _("reassigned a fault in the dialogue %(about)s"))
OBJECTION_MADE = act("objection.made", _("made an objection about the dialogue %(about)s"))
OBJECTION_UPHELD = act("objection.upheld", _("upheld an objection about the dialogue %(about)s"))
OBJECTION_REJECTED = act("objection.rejected", _("rejected an objection about the dialogue %(about)s"))
FAILED_TOGETHER = act("bots.failed_together", _("found that several systems fail at once"))


def of_dialogue(dialogue: Dialogue, **details: Any) -> dict[str, Any]:
    """What a line about a dialogue (`with_names`) says beside the act: campaign, system and scenario, and its id in the details."""
    assignment = dialogue.assignment
    return {
        "campaign": assignment.campaign.slug,
        "about": f"{assignment.entry.alias} · {assignment.scenario.key}",
        "details": {"dialogue": str(dialogue.pk), **details},
    }
