"""Why something about getting in is not possible, in words."""

from django.utils.translation import gettext as _

from serving.refused import Refused


class NotPossible(Refused):
    """Nothing was changed. `code` says why, `values` what its sentence names; as a text it is that sentence."""

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code)
        self.code, self.values = code, values

    def __str__(self) -> str:
        return SENTENCES[self.code]() % self.values


# Called for each reader: a sentence that is translated here would stay in one language.
SENTENCES = {
    "closed": lambda: _("This campaign is not accepting applications."),
    "in_a_team": lambda: _("This person already takes part for a team in this campaign."),
    "waiting": lambda: _("Your application is waiting for an answer already."),
    "answered": lambda: _("This has been answered already, or taken back."),
    "team_exists": lambda: _("The team %(team)s takes part already. Say that the applicant belongs to it."),
    "no_name": lambda: _("Name a team, in at most %(n)d characters."),
    "known_here": lambda: _("A team named %(team)s is in this campaign already."),
    "asked_already": lambda: _("This team has been asked already: wait for its answer, or withdraw the request."),
    "too_many": lambda: _("%(n)d requests wait for an answer already: withdraw one first."),
    "takes_part": lambda: _("%(team)s has members, invitations, systems, services or runs here already."),
    "no_team": lambda: _("You belong to no team in this campaign."),
    "no_text": lambda: _("There is no agreement to accept."),
    "other_version": lambda: _("The agreement has changed in the meantime. Read it again, then accept it."),
    "not_agreed": lambda: _("Your team has to accept the agreement first."),
    "unchanged": lambda: _("The text is that of the present version already."),
    "too_long": lambda: _("The text is longer than %(n)s characters."),
    "too_large": lambda: _("The file is larger than %(n)s MB."),
    "not_open": lambda: _("The organizers have not opened the task %(task)s yet."),
    "is_gold": lambda: _("This file is the gold of the task %(task)s: teams may not have it."),
    "no_task": lambda: _("This campaign has no such automatic task."),
    "no_file": lambda: _("Choose a file."),
    "no_dial_out": lambda: _("Only systems with the protocol dial-out have a key: the platform calls the others."),
    "no_key": lambda: _("This system has no key."),
    "gone": lambda: _("This file was removed."),
}
