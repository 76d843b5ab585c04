"""What the trail says of acts on automatic tasks and their runs."""

from django.utils.translation import gettext_lazy as _

from audit.trail_acts import trail_act

TASKS_LOADED = trail_act("tasks.loaded", _("loaded the file of automatic tasks"))
TASKS_DOWNLOADED = trail_act("tasks.downloaded", _("downloaded the file of automatic tasks"))
TASK_ADDED = trail_act("task.added", _("added the task %(about)s"))
TASK_EDITED = trail_act("task.edited", _("changed what the task %(about)s is made of"))
TASK_REMOVED = trail_act("task.removed", _("removed the task %(about)s"))
TASK_QUOTA_SET = trail_act("task.quota_set", _("gave a team a quota of its own for the task %(about)s"))
TASK_QUOTA_TAKEN_BACK = trail_act("task.quota_taken_back", _("took back a team's own quota for the task %(about)s"))
TASK_OPENED = trail_act("task.opened", _("opened the task %(about)s"))
TASK_CLOSED = trail_act("task.closed", _("closed the task %(about)s"))
TASK_BOARD_SHOWN = trail_act("task.board_shown", _("showed teams the board of the task %(about)s"))
TASK_BOARD_HIDDEN = trail_act("task.board_hidden", _("hid the board of the task %(about)s from teams"))
TASK_RELEASED = trail_act("task.released", _("released the hidden scores of the task %(about)s"))
TASK_RELEASE_WITHDRAWN = trail_act("task.release_withdrawn", _("withdrew the hidden scores of the task %(about)s"))
TASK_CHANGED = trail_act("task.changed", _("changed the task %(about)s"))
FIGURES_IMPORTED = trail_act("figures.imported", _("imported printed figures for the task %(about)s"))
SERVICE_REGISTERED = trail_act("service.registered", _("registered a service for the task %(about)s"))
SERVICE_ADDRESS_CHANGED = trail_act(
    "service.address_changed", _("changed the address of a service for the task %(about)s")
)
SERVICE_SUBMITTED = trail_act("service.submitted", _("asked for the admission of a service for the task %(about)s"))
SERVICE_ADMITTED = trail_act("service.admitted", _("admitted a service for the task %(about)s"))
SERVICE_SENT_BACK = trail_act("service.sent_back", _("sent a service for the task %(about)s back to its team"))
SERVICE_FROZEN = trail_act("service.frozen", _("froze the address of a service for the task %(about)s"))
SERVICE_WITHDRAWN = trail_act("service.withdrawn", _("withdrew a service for the task %(about)s"))
SERVICE_TAKEN_BACK = trail_act("service.taken_back", _("took a service for the task %(about)s back"))
SERVICE_CHECK_ASKED = trail_act("service.check_asked", _("asked for a check of a service for the task %(about)s"))
SERVICE_CHECKED = trail_act("service.checked", _("checked a service for the task %(about)s"))
SERVICE_CHANGED = trail_act("service.changed", _("found a service for the task %(about)s changed since its admission"))
SERVICE_CHANGE_ACCEPTED = trail_act(
    "service.change_accepted", _("accepted the change of a service for the task %(about)s")
)
RUN_HANDED_IN = trail_act("run.handed_in", _("handed in the run %(about)s"))
RUN_CHOSEN = trail_act("run.chosen", _("chose the run %(about)s for the team"))
RUN_DOWNLOADED = trail_act("run.downloaded", _("downloaded the run %(about)s"))
SERVICES_CALLED = trail_act("services.called", _("called the services of the task %(about)s"))
BASELINES_STARTED = trail_act("baselines.started", _("had the baselines of the task %(about)s scored"))
RUN_SCORED_AGAIN = trail_act("run.scored_again", _("had the run %(about)s scored again"))
RUNS_SCORED_AGAIN = trail_act("runs.scored_again", _("had runs of the task %(about)s scored again"))
