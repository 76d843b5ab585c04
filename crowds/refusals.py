"""Why something about a study is not possible, in words."""

from django.utils.translation import gettext as _

from serving.refused import Refused


class CannotStudy(Refused):
    """Nothing was changed. `code` says why, `values` what its sentence names."""

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code)
        self.code, self.values = code, values

    def __str__(self) -> str:
        return SENTENCES[self.code]() % self.values


# Called for each reader: a sentence that is translated here would stay in one language.
SENTENCES = {
    "key_taken": lambda: _("This campaign has a study with that key already."),
    "begun": lambda: _("Somebody has begun: role, platform, amount of work, pay and currency stay as they are."),
    "unknown_exclusion": lambda: _("%(names)s: no campaign or study of yours has that name."),
    "too_many": lambda: _("A campaign has at most %(n)d studies."),
    "nothing_to_do": lambda: _("There is nothing to talk about yet: add systems and test cases first."),
    "nobody_reviews": lambda: _("In this campaign no panel reviews, so reviewers would find nothing to do."),
    "no_gold": lambda: _(
        "The screening needs gold: set a pass mark for the training in the settings, and gold dialogues."
    ),
    "pass_mark": lambda: _("The pass mark of the screening must be at least that of the training, %(n)d %%."),
    "no_wage": lambda: _("Say what the work pays: a study that pays nothing cannot be opened."),
    "not_done": lambda: _("Not everything is done yet: %(n)d to go."),
    "at_work_elsewhere": lambda: _(
        "You have a place in another study of this campaign: finish it, or stop there, first."
    ),
    "not_this_account": lambda: _("This link does not open the account that belongs to it: ask the organizer."),
    "nothing_to_decide": lambda: _("This person was not let in, so there is nothing to decide."),
    "because_needed": lambda: _("Say why: whose work is rejected is not paid, and the platform asks for the reason."),
}
