"""What the trail says of acts on automatic tasks and their runs."""

from django.utils.translation import gettext_lazy as _

from audit.acts import act

TASKS_LOADED = act("tasks.loaded", _("loaded the file of automatic tasks"))
TASK_OPENED = act("task.opened", _("opened the task %(about)s"))
TASK_CLOSED = act("task.closed", _("closed the task %(about)s"))
TASK_BOARD_SHOWN = act("task.board_shown", _("showed teams the board of the task %(about)s"))
TASK_BOARD_HIDDEN = act("task.board_hidden", _("hid the board of the task %(about)s from teams"))
TASK_RELEASED = act("task.released", _("released the hidden scores of the task %(about)s"))
TASK_RELEASE_WITHDRAWN = act("task.release_withdrawn", _("withdrew the hidden scores of the task %(about)s"))
TASK_CHANGED = act("task.changed", _("changed the task %(about)s"))
FIGURES_IMPORTED = act("figures.imported", _("imported printed figures for the task %(about)s"))
SERVICE_REGISTERED = act("service.registered", _("registered a service for the task %(about)s"))
RUN_HANDED_IN = act("run.handed_in", _("handed in the run %(about)s"))
RUN_CHOSEN = act("run.chosen", _("chose the run %(about)s for the team"))
RUN_DOWNLOADED = act("run.downloaded", _("downloaded the run %(about)s"))
SERVICES_CALLED = act("services.called", _("called the services of the task %(about)s"))
BASELINES_STARTED = act("baselines.started", _("had the baselines of the task %(about)s scored"))
RUN_SCORED_AGAIN = act("run.scored_again", _("had the run %(about)s scored again"))
RUNS_SCORED_AGAIN = act("runs.scored_again", _("had runs of the task %(about)s scored again"))
