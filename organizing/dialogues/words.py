"""States, kinds and faults in the reader's language."""

from django.utils.translation import gettext_lazy as _

STATES = {
    "open": _("in progress"),
    "completed": _("finished"),
    "unfinished": _("not finished"),
    "void": _("void"),
    "abandoned": _("abandoned"),
    "returned": _("returned"),
}
# The colour of each state's pill.
LOOKS = {"open": "now", "completed": "good", "void": "care", "abandoned": "care", "returned": "care"}
REASONS = {
    "done": _("its tester ended it as done"),
    "gave_up": _("its tester gave up"),
    "cap_reached": _("all turns were used"),
    "bot_failed": _("the system failed permanently"),
    "bot_ended": _("the system ended it"),
    "all_used": _("everything given was used"),
    "ended_early": _("its tester gave up before everything was used"),
    "silence": _("nothing was said for too long"),
    "time_over": _("the time to finish it was over"),
    "returned": _("experts sent it back"),
    "imported": _("imported"),
    "voided": _("an organizer declared it void"),
    "ended_by_organizer": _("an organizer ended it"),
}
FAULTS = {
    "bot": _("the system"),
    "platform": _("the platform"),
    "nobody": _("nobody"),
    "tester": _("the tester"),
}
OUTCOMES = {
    "reply": _("answer"),
    "failure": _("failure"),
    "resent": _("sent again"),
    "late": _("too late"),
}
FLAGS = {
    "empty": _("empty"),
    "cut": _("cut"),
    "masked": _("masked"),
    "slow": _("slow"),
}
PARTS = {
    "self": _("own scores"),
    "panel": _("panel"),
    "adjudication": _("adjudication"),
    "gold": _("gold"),
}
