"""Why a run was not taken, in the reader's language."""

from django.utils.translation import gettext as _

from automatic_tasks.actions import NotAccepted


def said(refused: NotAccepted) -> str:
    if refused.code == "not_now":
        # A date of the campaign, whose sentence stands in the values: an outcome is stored and shown again.
        return _(refused.values["text"]) % refused.values
    sentences = {
        "no_file": _("Choose the file of your run first."),
        "closed": _("This task is not accepting runs."),
        "too_large": _("The file is larger than %(limit_mb)s MB."),
        "quota_total": _("All %(limit)s runs of the team for this task are used up."),
        "quota_day": _("All %(limit)s runs of the team for today are used up. Tomorrow there are new ones."),
        "service_only": _("This task calls your service; it accepts no files."),
        "gold": _(
            "The platform cannot read the gold of this task. No run was used up; the organizer has to correct it."
        ),
        "noise": _(
            "The platform cannot read the noise of this task. No run was used up; the organizer has to correct it."
        ),
        "changed": _("The task was changed while the file was checked. No run was used up; hand it in again."),
        "running": _("A run against this service is under way already."),
        "draft": _("No organizer has admitted this service yet: check it, then submit it."),
        "withdrawn": _("This service was withdrawn: only an organizer can take it back."),
        "not_green": _("This campaign asks for a green conformance report: check the service first."),
        "secret_lost": _("The platform can no longer read its secret. Type the secret again."),
        "released": _("The hidden scores are released; the choice cannot be changed any more."),
        "failed": _("A run that failed cannot represent the team."),
        "not_over": _("Only a run that was scored or failed can be scored again."),
    }
    return sentences[refused.code] % refused.values
